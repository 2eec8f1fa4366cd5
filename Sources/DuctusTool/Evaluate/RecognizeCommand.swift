import ArgumentParser
import Foundation
import InkCore
import InkDatasets
import InkFormats
import LanguageModels
import ModelFormat
import Recognition

/// `ductus recognize`.
struct Recognize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read ink with a model: candidates with their probabilities, best first.",
    discussion: """
      <ink> is a file of ink JSON Lines (labels are optional and not used), or data, \
      FORMAT:PATH[?key=value&...]. Prints a line per ink: its number from 0, and the candidates. --json \
      also tells the confidence of each word and the points of each character.

      Example:
        ductus recognize --model digits.ductus --area 300x80 ink.jsonl
      """)

  @Option(
    help: ArgumentHelp(
      """
      The model bundle, NAME.ductus, or the name of an installed model or one that ships: \
      latin-lines, latin-characters, shapes, gestures.
      """, valueName: "model"))
  var model = ModelLocation.defaultModel

  @Argument(help: ArgumentHelp("A file or data.", valueName: "ink"))
  var ink: String

  @Option(help: "The writing area of every ink, WIDTHxHEIGHT[+X+Y], in the ink's units.")
  var area: String?

  @OptionGroup var reading: LineReadingOptions

  @Option(help: ArgumentHelp("For line models: the text before the ink.", valueName: "text"))
  var preContext = ""

  @Option(
    name: .customLong("candidates"),
    help: ArgumentHelp("The largest number of candidates.", valueName: "number"))
  var maximumCandidates = 5

  @OptionGroup var output: JSONOutput

  func validate() throws {
    guard maximumCandidates >= 1 else { throw ValidationError("--candidates: expected 1 or more") }
  }

  func run() throws {
    StartMark.begun.note()
    let area = try area.map { try WritingArea(parsing: $0) }
    let recognizer = try makeRecognizer()
    StartMark.opened.note()
    let isFile =
      FileManager.default.fileExists(atPath: DataSpecification.locate(ink))
      || !ink.contains(":")
    let records: AnySequence<Result<InkRecord, InkFormatError>> =
      isFile
      ? AnySequence(
        try InkFile(path: DataSpecification.locate(ink), unit: .page))
      : AnySequence(try DataSpecification(parsing: ink).records(unlabelled: true))
    var readings: [Reading] = []
    var failures = FailurePrinter()
    for (index, element) in records.enumerated() {
      let record: InkRecord
      do throws(InkFormatError) {
        record = try element.get()
        failures.warn(of: record)
      } catch {
        failures.add(error)
        continue
      }
      let result = try recognizer.recognize(
        record.labeled.ink,
        context: RecognitionContext(
          preContext: preContext, writingArea: area ?? record.labeled.writingArea),
        maximumCandidates: maximumCandidates)
      if output.leavesStandardOutput { print(Self.line(index, result)) }
      if index == 0 { StartMark.answered.note() }
      if output.isAsked { readings.append(Reading(index: index, result)) }
    }
    try output.write(readings)
    failures.finish()
    // What could be read was; that not all could be must not look like success.
    if failures.count > 0 { throw ExitCode(Outcome.Code.badInput) }
  }

  /// The recogniser of the bundle's kind.
  private func makeRecognizer() throws -> any Recognizer {
    let opened = try OpenModel.open(ModelLocation.url(of: model))
    switch opened.content {
    case .glyph:
      guard reading.isEmpty, preContext.isEmpty else {
        throw ToolError.lineOptions(model)
      }
      return try opened.recognizer()
    case .line: return try reading.recognizer(opened, named: model).recognizer
    }
  }

  private static func line(_ index: Int, _ result: RecognitionResult) -> String {
    guard !result.candidates.isEmpty else { return "\(index)  nothing to read" }
    let candidates = result.candidates.map {
      "\(visible($0.text)) " + String(format: "%.1f %%", 100 * exp($0.score))
    }
    return "\(index)  " + candidates.joined(separator: "   ")
  }

  /// A text with spaces at its ends as signs: one before it says that a new word begins.
  private static func visible(_ text: String) -> String {
    let inner = text.drop { $0 == " " }
    let kept = inner.reversed().drop { $0 == " " }.count
    return String(repeating: "␣", count: text.count - inner.count) + inner.prefix(kept)
      + String(repeating: "␣", count: inner.count - kept)
  }

  /// One ink's candidates as JSON.
  private struct Reading: Encodable {
    struct Candidate: Encodable {
      var text: String
      var score: Double
      var probability: Double
      var words: [Word]
      /// For each character its runs of points; empty for glyphs, whose whole ink is the label.
      var characters: [[Part]]
    }

    /// Characters `start` ..< `end` of the text.
    struct Word: Encodable {
      var text: String
      var start: Int
      var end: Int
      var confidence: Double
    }

    /// Points `start` ..< `end` of a stroke, all from 0.
    struct Part: Encodable {
      var stroke: Int
      var start: Int
      var end: Int
    }

    var index: Int
    var candidates: [Candidate]
    var unreadStrokes: Int

    init(index: Int, _ result: RecognitionResult) {
      self.index = index
      unreadStrokes = result.unreadStrokes
      candidates = result.candidates.map { candidate in
        Candidate(
          text: candidate.text, score: candidate.score, probability: exp(candidate.score),
          words: candidate.words.map {
            Word(
              text: $0.text, start: $0.characters.lowerBound, end: $0.characters.upperBound,
              confidence: $0.confidence)
          },
          characters: candidate.characters.map { character in
            character.parts.map {
              Part(stroke: $0.stroke, start: $0.points.lowerBound, end: $0.points.upperBound)
            }
          })
      }
    }
  }
}
