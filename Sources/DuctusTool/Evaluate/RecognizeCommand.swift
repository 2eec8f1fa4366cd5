import ArgumentParser
import Foundation
import InkCore
import InkDatasets
import InkFormats
import IntensityText
import LanguageModels
import Recognition

/// `ductus recognize`.
package struct Recognize: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Read ink: candidates with their probabilities, best first.",
    discussion: """
      <ink> is a file or data, FORMAT:PATH[?key=value&...]. The format of a file is found by its \
      content: JSON Lines, InkML, JIIX, UNIPEN, Xournal++, SVG, Excalidraw, tldraw and others; \
      labels are not needed. Line models find the lines of a page by themselves. Prints one line \
      per ink: its number from 0, and the candidates; of a page with several lines the best \
      reading below that number. --json writes the answers of requests with spans: the confidence \
      of each word, the points of each character, and the lines; index is the number of the ink.

      With - for <ink>, it reads one JSON request per line from standard input and answers each \
      at once with one line of JSON; --json-schema prints the schema. The options are then the \
      defaults of all requests.

      Examples:
        ductus recognize page.xopp
        ductus recognize --intensity ansi page.xopp
        ductus recognize --model digits.ductus --area 300x80 ink.jsonl
        ductus recognize --model formulas formula.inkml
        echo '{"id": 1, "strokes": [{"x": [0, 5, 9], "y": [9, 0, 9]}]}' | ductus recognize -
      """)

  @Option(
    help: ArgumentHelp(
      """
      The model: NAME.ductus, or the name of an installed or shipped one: latin-lines, \
      latin-characters, japanese-characters, formulas, shapes, gestures, sketches, emoji. A shipped \
      model is also found by its tag: ja, zxx-Zmth, zxx-Zsym-x-shapes, zxx-Zsym-x-autodraw, \
      zxx-Zsye-x-emoji, en-x-gesture. Default: \
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

  @Flag(help: "Leave out words that are struck through when the text of a page is printed.")
  var withoutStruckWords = false

  @OptionGroup var intensity: IntensityOutput

  @OptionGroup var output: JSONOutput

  package func validate() throws {
    guard maximumCandidates >= 1 else { throw ValidationError("--candidates: expected 1 or more") }
    guard intensity.intensity == nil || (ink != "-" && !output.isAsked) else {
      throw ValidationError("--intensity: leave out --json, and name a file or data")
    }
    guard ink != nil || jsonSchema else {
      throw ValidationError("expected a file, data, or - for requests, found nothing")
    }
    if ink == "-" {
      try validatePipe()
    }
  }

  package func run() throws {
    if jsonSchema { return print(ExchangeSchema.document()) }
    StartMark.begun.note()
    let defaults = try defaults()
    guard let ink, ink != "-" else { return try pipe().run() }
    let service = RecognitionService.ofCommandLine(
      defaults, lexicon: try reading.words(), options: try reading.models(for: labels(of: defaults))
    )
    let reader = try service.readerOfCommandLine()
    guard reader.readsLines || preContext.isEmpty else {
      throw ToolError.lineOptions(reader.model)
    }
    if !reader.isTuned { LineReadingOptions.noteUntuned(defaults.modelName) }
    StartMark.opened.note()
    let isFile =
      FileManager.default.fileExists(atPath: DataSpecification.locate(ink))
      || !ink.contains(":")
    let records: AnySequence<Result<InkRecord, InkFormatError>> =
      isFile
      ? AnySequence(
        try InkReader(path: DataSpecification.locate(ink), unit: .page))
      : AnySequence(try DataSpecification(parsing: ink).records(unlabelled: true))
    var answers: [RecognitionAnswer] = []
    var texts: [IntensityString] = []
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
      var request = service.configuration.defaults
      request.ink = record.labeled.ink
      request.writingArea = defaults.writingArea ?? record.labeled.writingArea
      request.includesSpans = output.isAsked
      let answer = try answer(to: request, index, service)
      if intensity.intensity != nil, let best = answer.result.candidates.first {
        texts.append(try intensity.text(of: best, ink: record.labeled.ink))
      } else if intensity.intensity == nil, output.leavesStandardOutput {
        print(
          Self.line(
            index, answer.result, showsLanguage: showsLanguage(answer.result),
            withStruckWords: !withoutStruckWords))
      }
      if index == 0 { StartMark.answered.note() }
      if output.isAsked {
        answers.append(RecognitionAnswer(id: nil, index: index, .reading(answer)))
      }
    }
    if let form = intensity.intensity { print(try intensity.output(texts, form)) }
    try output.write(
      json: String(decoding: RecognitionAnswer.json(answers, onLines: true), as: UTF8.self))
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
    pipe.defaults = try defaults()
    pipe.lexicon = try reading.words()
    return pipe
  }

  /// The options as the defaults of requests.
  private func defaults() throws -> RecognitionRequest {
    var defaults = RecognitionRequest(ink: Ink())
    defaults.model = model
    defaults.language = language
    defaults.writingArea = try area.map { try WritingArea(parsing: $0) }
    defaults.preContext = preContext
    defaults.alphabet = reading.alphabet
    defaults.lexiconBonus = reading.lexiconBonus
    defaults.layout = layout.layout
    defaults.maximumCandidates = maximumCandidates
    return defaults
  }

  /// The labels of the model, for the check of a character model; nil without one.
  private func labels(of defaults: RecognitionRequest) throws -> [String]? {
    guard reading.characterModel != nil else { return nil }
    return try ModelLibrary.local.open(defaults.modelName).bundle.manifest.labels
  }

  /// Reads one ink of a file.
  private func answer(
    to request: RecognitionRequest, _ index: Int, _ service: RecognitionService
  ) throws(ToolError) -> RecognitionAnswer.Reading {
    do throws(ExchangeError) {
      return try service.read(request)
    } catch {
      throw .badInput("ink \(index): \(error)")
    }
  }

  /// Returns whether the language of a result is news: it was chosen, and is not the default one.
  private func showsLanguage(_ result: RecognitionResult) -> Bool {
    language == nil && model == nil && result.language != "en"
  }

  /// The candidates of an ink on a line; of a page the best reading alone, line by line.
  package static func line(
    _ index: Int, _ result: RecognitionResult, showsLanguage: Bool, withStruckWords: Bool = true
  ) -> String {
    guard let best = result.candidates.first else { return "\(index)  nothing to read" }
    let language = showsLanguage ? result.language.map { "[\($0)] " } ?? "" : ""
    if best.formula == nil, best.text.contains("\n") {
      let text = result.lines.isEmpty ? best.text : result.text(withStruckWords: withStruckWords)
      let count = text.split(separator: "\n", omittingEmptySubsequences: false).count
      return "\(index)  " + language + TerminalText.count(count, "line") + "\n" + text
    }
    let candidates = result.candidates.map {
      "\($0.formula?.latex ?? visible($0.text)) " + String(format: "%.1f %%", 100 * exp($0.score))
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
}
