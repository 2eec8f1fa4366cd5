import Formulas
import InkCore
import Recognition

/// The training inks of the glyph model of a formula model: the symbols of formulas, and groups of
/// strokes that are not one symbol.
package enum SymbolSamples {
  /// Groups that are not symbols, for each symbol.
  private static let noneShare = 1.2

  /// The label of groups of strokes that are not one symbol.
  package static let none = SymbolClassifier.none

  /// The inks of formulas with symbol groups. Their areas are as tall as a typical stroke.
  ///
  /// - Parameters:
  ///   - formulas: The records; those without groups or with too many strokes give none.
  ///   - seed: The seed of the choice of groups that are not symbols.
  package static func samples(of formulas: [LabeledFormula], seed: UInt64) -> [LabeledInk] {
    var result: [LabeledInk] = []
    for (index, formula) in formulas.enumerated() {
      guard !formula.symbols.isEmpty, let ink = try? FormulaInk(formula.ink) else { continue }
      let symbols = formula.symbols.map(\.strokes)
      for symbol in formula.symbols {
        result.append(sample(symbol.strokes, symbol.label, ink, formula))
      }
      let known = Set(symbols)
      var others = GroupHypotheses(ink).groups.filter { !known.contains($0) }
      var generator = SeededGenerator(seed: seed, 8, UInt64(index))
      let count = min(others.count, Int(Double(symbols.count) * noneShare) + 1)
      for place in 0..<count {
        others.swapAt(place, place + generator.index(below: others.count - place))
        result.append(sample(others[place], SymbolClassifier.none, ink, formula))
      }
    }
    return result
  }

  private static func sample(
    _ group: [Int], _ label: String, _ ink: FormulaInk, _ formula: LabeledFormula
  ) -> LabeledInk {
    LabeledInk(
      ink: ink.ink(of: group), label: label, writer: formula.writer,
      writingArea: SymbolClassifier.area(of: group, in: ink))
  }
}

extension LabeledFormula {
  /// The part of this record when writers are divided into parts by the hash of their id; records
  /// without a writer are divided by their name.
  package func part(of count: Int) -> Int {
    // FNV-1a, which is the same on all machines.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in (writer ?? name).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(hash >> 16) % max(1, count)
  }
}
