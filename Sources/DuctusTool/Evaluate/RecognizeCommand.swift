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
    abstract: "Read ink: candidates with their probabilities, best first.",
    discussion: """
      <ink> is a file or data, FORMAT:PATH[?key=value&...]. The format of a file is found by its \
      content: JSON Lines, InkML, JIIX, UNIPEN, Xournal++, SVG, Excalidraw, tldraw and others; \
      labels are not needed. Line models find the lines of a page by themselves. Prints one line \
      per ink: its number from 0, and the candidates; of a page with several lines the best \
      reading below that number. --json adds the confidence of each word, \
      the points of each character, and the lines of a page.

      With - for <ink>, it reads one JSON request per line from standard input and answers each \
      at once with one line of JSON; --json-schema prints the schema. The options are then the \
      defaults of all requests.

      Examples:
        ductus recognize page.xopp
        ductus recognize --model digits.ductus --area 300x80 ink.jsonl
        echo '{"id": 1, "strokes": [{"x": [0, 5, 9], "y": [9, 0, 9]}]}' | ductus recognize -
      """)

  @Option(
    help: ArgumentHelp(
      """
      The model: NAME.ductus, or the name of an installed or shipped one: latin-lines, \
      latin-characters, shapes, gestures, sketches, emoji. A shipped model is also found by its \
      tag: zxx-Zsym-x-shapes, zxx-Zsym-x-autodraw, zxx-Zsye-x-emoji, en-x-gesture. Default: \
      latin-lines, in the best of the languages whose packs are there.
      """, valueName: "model"))
  var model: String?

  @Argument(help: ArgumentHelp("A file, data, or - for requests.", valueName: "ink"))
  var ink: String?

  @Option(
    help: ArgumentHelp(
      "The language of the writing, which selects the model instead of --model; de,en for words of "
        + "two languages in one line.", valueName: "tag"))
  var language: String?

  @Flag(help: "Print the JSON schema of requests and answers, and exit.")
  var jsonSchema = false

  @Option(help: "The writing area of every ink, WIDTHxHEIGHT[+X+Y], in the ink's units.")
  var area: String?

  @OptionGroup var reading: LineReadingOptions

  @OptionGroup var layout: LayoutOption

  @Option(help: ArgumentHelp("Line models: the text before the ink.", valueName: "text"))
  var preContext = ""

  @Option(
    name: .customLong("candidates"),
    help: ArgumentHelp("The largest number of candidates.", valueName: "number"))
  var maximumCandidates = 5

  @OptionGroup var output: JSONOutput

  func validate() throws {
    guard maximumCandidates >= 1 else { throw ValidationError("--candidates: expected 1 or more") }
    guard ink != nil || jsonSchema else {
      throw ValidationError("expected a file, data, or - for requests, found nothing")
    }
    if ink == "-" {
      try validatePipe()
    }
  }

  func run() throws {
    if jsonSchema { return print(ExchangeSchema.document()) }
    StartMark.begun.note()
    guard let ink, ink != "-" else { return try pipe().run() }
    let area = try area.map { try WritingArea(parsing: $0) }
    let recognizer = try makeRecognizer()
    StartMark.opened.note()
    let isFile =
      FileManager.default.fileExists(atPath: DataSpecification.locate(ink))
      || !ink.contains(":")
    let records: AnySequence<Result<InkRecord, InkFormatError>> =
      isFile
      ? AnySequence(
        try InkReader(path: DataSpecification.locate(ink), unit: .page))
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
          preContext: preContext, writingArea: area ?? record.labeled.writingArea,
          layout: layout.layout),
        maximumCandidates: maximumCandidates)
      if output.leavesStandardOutput {
        print(Self.line(index, result, showsLanguage: showsLanguage(result)))
      }
      if index == 0 { StartMark.answered.note() }
      if output.isAsked { readings.append(Reading(index: index, result)) }
    }
    try output.write(readings)
    failures.finish()
    // The readable inks were read; the failures must still be visible.
    if failures.count > 0 { throw ExitCode(Outcome.Code.badInput) }
  }

  /// Refuses what requests do not know.
  private func validatePipe() throws {
    guard reading.languageModel == nil, reading.recurrentModel == nil,
      reading.characterModel == nil
    else {
      throw ValidationError(
        "recognize - reads with the models of the bundle: leave out --language-model, "
          + "--recurrent-model and --character-model")
    }
    guard !output.isAsked else {
      throw ValidationError("recognize - always writes JSON: leave out --json")
    }
    let most = ExchangeLimits().candidates
    guard maximumCandidates <= most else {
      throw ValidationError("--candidates: expected 1 to \(most) for recognize -")
    }
  }

  /// The pipe, with the options as the defaults of its requests.
  private func pipe() throws -> RecognizePipe {
    var pipe = RecognizePipe()
    pipe.defaults.model = model
    pipe.defaults.language = language
    pipe.defaults.writingArea = try area.map { try WritingArea(parsing: $0) }
    pipe.defaults.preContext = preContext
    pipe.defaults.alphabet = reading.alphabet
    pipe.defaults.lexiconBonus = reading.lexiconBonus
    pipe.defaults.layout = layout.layout
    pipe.defaults.maximumCandidates = maximumCandidates
    pipe.lexicon = try reading.lexicon.map { try Lexicon(words: WordList.words(of: $0)) }
    return pipe
  }

  /// The recogniser of the model, or that of the language or of two.
  private func makeRecognizer() throws -> any Recognizer {
    guard let language else {
      let name = model ?? ModelLocation.defaultModel
      let url = try ModelLocation.url(of: name)
      guard model == nil, reading.isEmpty else { return try recognizer(url, named: name) }
      let base = try OpenModel.open(url)
      return try MultilingualRecognizer(base) {
        try LocalModels.provider().packs(sharing: base.bundle)
      }
    }
    let bundles = ProvidedBundles(try LocalModels.provider())
    return try LanguagePairs.recognizer(language) { tag in
      guard let url = try bundles.bundle(of: tag) else {
        throw RecognitionError.modelNotDownloaded(tag)
      }
      return try recognizer(url, named: tag)
    }
  }

  /// The recogniser of the bundle's kind.
  private func recognizer(_ url: URL, named name: String) throws -> any Recognizer {
    let opened = try OpenModel.open(url)
    switch opened.content {
    case .glyph:
      guard reading.isEmpty, preContext.isEmpty else {
        throw ToolError.lineOptions(name)
      }
      return try opened.recognizer()
    case .line: return try reading.recognizer(opened, named: name).recognizer
    }
  }

  /// Returns whether the language of a result is news: it was chosen, and is not the default one.
  private func showsLanguage(_ result: RecognitionResult) -> Bool {
    language == nil && model == nil && result.language != "en"
  }

  /// The candidates of an ink on a line; of a page the best reading alone, line by line.
  static func line(
    _ index: Int, _ result: RecognitionResult, showsLanguage: Bool
  ) -> String {
    guard let best = result.candidates.first else { return "\(index)  nothing to read" }
    let language = showsLanguage ? result.language.map { "[\($0)] " } ?? "" : ""
    let lines = best.text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1 {
      return "\(index)  " + language + TerminalText.count(lines.count, "line") + "\n" + best.text
    }
    let candidates = result.candidates.map {
      "\(visible($0.text)) " + String(format: "%.1f %%", 100 * exp($0.score))
    }
    return "\(index)  " + language + candidates.joined(separator: "   ")
  }

  /// A text with visible signs for spaces at its ends. One at the beginning means that a new word
  /// begins.
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
      /// The runs of points of each character; empty for glyphs, whose whole ink is the label.
      var characters: [[Part]]
    }

    /// Characters `start` ..< `end` of the text.
    struct Word: Encodable {
      var text: String
      var start: Int
      var end: Int
      var confidence: Double
      var strokes: [Int]
    }

    /// Points `start` ..< `end` of a stroke, all from 0.
    struct Part: Encodable {
      var stroke: Int
      var start: Int
      var end: Int
    }

    /// A line of a page: its block from 0, its strokes in reading order, its readings.
    struct Line: Encodable {
      var block: Int
      var strokes: [Int]
      var text: String
      var words: [Word]
      var candidates: [Candidate]
    }

    var index: Int
    /// The language that was read, if it is known.
    var language: String?
    var candidates: [Candidate]
    var lines: [Line]
    /// Strokes that are no writing.
    var drawing: [Int]
    var unreadStrokes: Int

    init(index: Int, _ result: RecognitionResult) {
      self.index = index
      language = result.language
      unreadStrokes = result.unreadStrokes
      drawing = result.drawing
      candidates = Self.candidates(result.candidates)
      lines = result.lines.map { line in
        let candidates = Self.candidates(line.candidates)
        return Line(
          block: line.block, strokes: line.strokes, text: line.text,
          words: candidates.first?.words ?? [], candidates: candidates)
      }
    }

    private static func candidates(_ candidates: [RecognitionCandidate]) -> [Candidate] {
      candidates.map { candidate in
        Candidate(
          text: candidate.text, score: candidate.score, probability: exp(candidate.score),
          words: candidate.words.map {
            Word(
              text: $0.text, start: $0.characters.lowerBound, end: $0.characters.upperBound,
              confidence: $0.confidence, strokes: candidate.strokes(of: $0))
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
