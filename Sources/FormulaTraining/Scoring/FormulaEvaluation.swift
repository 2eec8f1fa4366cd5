import Files
import Formulas
import Foundation
import InkCore
import Recognition

/// Scores a reader on labelled formulas, alone or with a part of the truth given.
package struct FormulaEvaluation: Sendable {
  /// The part of the truth that the reader gets.
  package enum Given: String, CaseIterable, Sendable {
    /// Only the ink.
    case nothing
    /// The groups of strokes.
    case groups
    /// The groups and their labels; the structure is read.
    case symbols
  }

  /// The reading of one record.
  package struct Answer: Sendable {
    /// The index of the record.
    package let index: Int
    /// The best reading as LaTeX; empty if nothing was read.
    package let latex: String
    /// The comparison with the truth.
    package let comparison: FormulaComparison
    /// The probability of the best reading; nil for a reading with a part of the truth given.
    package let probability: Double?
    /// True if one of the candidates is right.
    package let isAmongCandidates: Bool
    /// The time of the reading.
    package let seconds: Double
  }

  /// The answers in the order of the records.
  package let answers: [Answer]
  /// The sums.
  package let figures: FormulaFigures

  /// Reads all records.
  ///
  /// - Parameters:
  ///   - workers: The threads; the figures do not depend on it.
  package init(
    _ reader: FormulaReader, on records: [LabeledFormula], given: Given = .nothing, workers: Int
  ) {
    let answers = WorkerPool(count: workers).map(records.count) { index in
      let start = ContinuousClock.now
      let record = records[index]
      let candidates = given == .nothing ? (try? reader.read(record.ink)) ?? [] : []
      let layout =
        given == .nothing ? candidates.first?.layout : Self.layout(reader, record, given)
      let time = (ContinuousClock.now - start).components
      let latex = candidates.first?.latex ?? layout.flatMap { try? Formula($0).latex }
      let comparison = FormulaComparison(layout, latex: latex, with: record)
      return Answer(
        index: index, latex: latex ?? "", comparison: comparison,
        probability: candidates.first?.probability,
        isAmongCandidates: comparison.isSame
          || candidates.dropFirst().contains {
            FormulaComparison($0.layout, latex: $0.latex, with: record).isSame
          },
        seconds: Double(time.seconds) + Double(time.attoseconds) * 1e-18)
    }
    var figures = FormulaFigures()
    for answer in answers { figures.add(answer.comparison) }
    self.answers = answers
    self.figures = figures
  }

  private static func layout(
    _ reader: FormulaReader, _ record: LabeledFormula, _ given: Given
  ) -> SymbolLayout? {
    switch given {
    case .nothing: nil
    case .groups: try? reader.read(record.ink, groups: record.symbols.map(\.strokes))
    case .symbols: try? reader.read(record.ink, symbols: record.symbols)
    }
  }
}
