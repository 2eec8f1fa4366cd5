import FormulaTraining
import Formulas
import Foundation
import InkCore
import InkDatasets
import InkFormats

/// `ductus recognize` with a formula model: each ink is one formula.
struct FormulaReading {
  let reader: FormulaReader
  let maximumCandidates: Int

  /// The answer of one ink, as JSON.
  struct Answer: Encodable {
    struct Symbol: Encodable {
      var symbol: String
      var strokes: [Int]
      var confidence: Double
    }

    struct Candidate: Encodable {
      var latex: String
      var mathml: String
      var text: String
      var probability: Double
      var symbols: [Symbol]
    }

    var index: Int
    var candidates: [Candidate]

    init(_ index: Int, _ candidates: [FormulaCandidate]) {
      self.index = index
      self.candidates = candidates.map { candidate in
        Candidate(
          latex: candidate.latex, mathml: candidate.mathML, text: candidate.text,
          probability: candidate.probability,
          symbols: candidate.layout.symbols.map {
            Symbol(symbol: $0.label, strokes: $0.strokes, confidence: $0.confidence)
          })
      }
    }

    /// The candidates on one line, with their probabilities.
    var text: String {
      let texts = candidates.map {
        "\($0.latex) \(String(format: "%.1f %%", 100 * $0.probability))"
      }
      return "\(index)\t" + texts.joined(separator: "\t")
    }
  }

  /// Reads the inks of a file or of data, and writes the answers.
  func run(_ ink: String, _ output: JSONOutput) throws {
    var answers: [Answer] = []
    for (index, ink) in try inks(ink).enumerated() {
      let answer = Answer(index, try reader.read(ink, maximumCandidates: maximumCandidates))
      if output.leavesStandardOutput { print(answer.text) }
      answers.append(answer)
    }
    try output.write(answers)
  }

  private func inks(_ name: String) throws -> [Ink] {
    if FormulaData.isNamed(by: name) {
      return try FormulaData(parsing: name).records().records.map(\.ink)
    }
    let path = DataSpecification.locate(name)
    let records: AnySequence<Result<InkRecord, InkFormatError>> =
      FileManager.default.fileExists(atPath: path) || !name.contains(":")
      ? AnySequence(try InkReader(path: path, unit: .page))
      : AnySequence(try DataSpecification(parsing: name).records(unlabelled: true))
    return try records.map { try $0.get().labeled.ink }
  }
}
