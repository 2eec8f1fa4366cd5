import Foundation
import InkCore
import LanguageModels
import Recognition

/// A run to read, with its present ink and settings.
struct ReadJob {
  var generation: Int
  var key: Document.TextRunKey
  var block: String
  var items: [Int]
  var ink: Ink
  var context: RecognitionContext
  var reader: Result<TextReaderKey, EditorNotice>
  var candidates: Int
  /// The name of the model of formulas between words; nil if they are not read.
  var formulas: String?
  /// The strokes of formulas that were found when the whole page was seen.
  var knownFormulas: [[Int]] = []
  /// The settings of their calculation.
  var calculation = FormulaCalculation()
}

extension Editor {

  /// Reads a run. Do not call under the lock.
  func read(_ job: ReadJob) {
    let outcome: Result<ReadWords, EditorNotice>
    switch job.reader {
    case .failure(let notice): outcome = .failure(notice)
    case .success(let key): outcome = Self.calling { words(job, key) }
    }
    locked { state in
      state.busyBlocks.remove(job.block)
      guard state.readingGeneration == job.generation, let document = state.document,
        let (run, line) = document.unchanged(job.key)
      else { return }
      switch outcome {
      case .success(let (words, direction)):
        run.take(document.spacings.applied(to: words), makeID: document.makeWordID)
        document.read(line, by: direction)
        if words.isEmpty {
          state.tell(state.refusal(of: run, in: line, document, "nothing was read"))
        } else {
          state.notices = state.notices.filter { $0.block != job.block || $0.subject != .reading }
        }
        document.changes.update(line.block)
        if line.block === document.activeBlock { state.tellText(of: line.block) }
      case .failure(let notice):
        run.wait()
        state.tell(
          notice.code == .inkRejected
            ? state.refusal(of: run, in: line, document, notice.message) : notice)
      }
    }
  }

  /// The words that a model has read, and its direction.
  private typealias ReadWords = (words: [TextWord], direction: WritingDirection)

  private func words(_ job: ReadJob, _ key: TextReaderKey) -> Result<ReadWords, EditorNotice> {
    let models = engine.models
    let recognizer: any Recognizer
    do {
      recognizer = try engine.readers.recognizer(key, models: models)
    } catch {
      return .failure(
        EditorNotice(
          block: job.block, code: Self.code(of: error, key, models), message: "\(error)"))
    }
    var context = job.context
    context.formulas = job.formulas.map { name in
      FormulaSource(known: job.knownFormulas) { [cache = engine.formulas] in
        try? cache.reader(name) { () throws(any Error) in try models.formulaRecognizer(name: name) }
      }
    }
    do {
      let result = try recognizer.recognize(
        job.ink, context: context, maximumCandidates: job.candidates)
      var words = WordBuilder(items: job.items, ink: job.ink).words(of: result.candidates)
      for index in words.indices {
        words[index].formula = words[index].formula?.calculated(job.calculation)
        words[index].formulas = words[index].formulas.map { $0.calculated(job.calculation) }
      }
      return .success((words, recognizer.direction))
    } catch {
      return .failure(
        EditorNotice(block: job.block, code: .inkRejected, message: "\(error)"))
    }
  }

  /// Returns the kind of problem that keeps a model from opening.
  private static func code(
    of error: any Error, _ key: TextReaderKey, _ models: any EditorModels
  ) -> EditorNotice.Code {
    guard !isConfiguration(error) else { return .invalidConfiguration }
    return switch models.configuration(bundle: key.bundle, name: key.name) {
    case .unknownBundle: .bundleNotFound
    case .unknownName: .nameNotFound
    case .found: error is MissingModel ? .modelNotFound : .resourceNotFound
    }
  }

  /// Returns true if the settings, and not the models, cause an error.
  static func isConfiguration(_ error: any Error) -> Bool {
    error is ConfigurationError || error is TextConstraintError
      || error as? RecognitionError == .emptyAlphabet
  }
}

extension EditorState {
  /// Returns the next run to read.
  mutating func readJob(_ document: Document) -> ReadJob? {
    while let (run, line) = document.takeDirtyRun(onlyAsked: true, busy: busyBlocks) {
      guard readsText(document) else {
        run.skip()
        continue
      }
      return ReadJob(
        generation: readingGeneration, key: .init(run: run.id, version: run.version),
        block: line.block.id, items: run.items,
        ink: Ink(
          strokes: run.items.compactMap { document.strokes[$0] }.map { Stroke(points: $0.points) }),
        context: context(of: run, in: line, document),
        reader: readerKey(document, block: line.block.id),
        candidates: Int(number("recognition.candidates")), formulas: formulasModel(document),
        knownFormulas: document.inlineFormulas(in: run.items),
        calculation: document.formulas.calculation)
    }
    return nil
  }

  /// The model of formulas between words. In raw content the settings decide on them; an alphabet and a
  /// lexicon are about all that is read.
  mutating func formulasModel(_ document: Document) -> String? {
    guard document.formulas.isEnabled, string("recognition.alphabet").isEmpty,
      strings("recognition.lexicon").isEmpty
    else { return nil }
    return string("math.configuration.formulas")
  }

  /// Returns true if text is read. In raw content the settings decide; elsewhere it always is.
  mutating func readsText(_ document: Document) -> Bool {
    document.type != .rawContent || strings("raw-content.recognition.types").contains("text")
  }

  mutating func readerKey(
    _ document: Document, block: String
  ) -> Result<TextReaderKey, EditorNotice> {
    do throws(ConfigurationError) {
      let text = document.textConfiguration ?? TextConfiguration(bundle: "", name: "")
      let alphabet = try configuration.string("recognition.alphabet")
      let lexicon = try configuration.strings("recognition.lexicon")
      return .success(
        TextReaderKey(
          bundle: text.source.bundle, name: text.source.name,
          alphabet: alphabet.isEmpty ? text.alphabet : alphabet,
          lexicon: lexicon.isEmpty ? text.lexicon : lexicon,
          userWords: try configuration.strings(UserWords.key)))
    } catch {
      return .failure(
        EditorNotice(block: block, code: .invalidConfiguration, message: error.description))
    }
  }

  mutating func context(
    of run: TextRun, in line: TextLine, _ document: Document
  ) -> RecognitionContext {
    RecognitionContext(
      preContext: boolean("recognition.pre-context") ? document.text(before: run, in: line) : "",
      writingArea: writingArea(of: line, document), layout: .line)
  }

  /// Returns the guide row of a line, or else an estimate from its ink.
  mutating func writingArea(of line: TextLine, _ document: Document) -> WritingArea? {
    let source = string("recognition.writing-area")
    guard source != "none" else { return nil }
    let ink = Ink(
      strokes: line.items.compactMap { document.strokes[$0] }.map { Stroke(points: $0.points) })
    if source != "estimate", line.block.frame == nil, let guides = guides(document) {
      return writingArea(of: ink, on: guides)
    }
    return WritingArea.estimate(of: ink)
  }

  /// Returns the notice about ink that was not read.
  mutating func refusal(
    of run: TextRun, in line: TextLine, _ document: Document, _ reason: String
  ) -> EditorNotice {
    let spacing = guideSpacing
    let size = max(run.box.width, run.box.height)
    let points = run.items.compactMap { document.strokes[$0]?.points.count }.reduce(0, +)
    let code: EditorNotice.Code =
      if size < Chosen.tooSmall * spacing {
        .inkTooSmall
      } else if run.box.height > Chosen.tooBig * spacing {
        .inkTooBig
      } else if points > Chosen.tooLong {
        .inkTooLong
      } else {
        .inkRejected
      }
    return EditorNotice(
      block: line.block.id, code: code, message: "\(code.text): \(reason); the ink is kept")
  }

  /// Reports ink at a place where no text is expected; it is read nevertheless.
  mutating func tellOfPlace(_ stroke: InkStroke, _ document: Document) {
    guard document.type == .text, let size = viewSize else { return }
    let edge = transform.size(width: size.width, height: size.height).width
    let code: EditorNotice.Code
    if stroke.box.maxX < 0 || stroke.box.minX > edge || stroke.box.maxY < 0 {
      code = .inkOutOfPage
    } else if boolean("text.guides.enable"), stroke.meanY < number("text.margin.top") {
      code = .inkAboveFirstLine
    } else {
      return
    }
    tell(
      EditorNotice(
        block: document.root.id, code: code, message: "\(code.text); it is read nevertheless"),
      about: .place)
  }

  mutating func number(_ key: String) -> Double {
    setting(key) { [configuration] () throws(ConfigurationError) in
      try configuration.number(key)
    } fallback: {
      if case .number(let value)? = $0 { value } else { nil }
    } ?? 0
  }

  mutating func boolean(_ key: String) -> Bool {
    setting(key) { [configuration] () throws(ConfigurationError) in
      try configuration.boolean(key)
    } fallback: {
      if case .boolean(let value)? = $0 { value } else { nil }
    } ?? false
  }

  mutating func string(_ key: String) -> String {
    setting(key) { [configuration] () throws(ConfigurationError) in
      try configuration.string(key)
    } fallback: {
      if case .string(let value)? = $0 { value } else { nil }
    } ?? ""
  }

  mutating func strings(_ key: String) -> [String] {
    setting(key) { [configuration] () throws(ConfigurationError) in
      try configuration.strings(key)
    } fallback: {
      if case .strings(let value)? = $0 { value } else { nil }
    } ?? []
  }

  /// Returns the value of a key. If it cannot be read, returns the default and reports a notice.
  mutating func setting<Value>(
    _ key: String, _ read: () throws(ConfigurationError) -> Value,
    fallback: (ConfigurationValue?) -> Value?
  ) -> Value? {
    do {
      return try read()
    } catch {
      tell(
        EditorNotice(
          block: document?.root.id ?? "0", code: .invalidConfiguration,
          message: "\(error.description); the default is used"), about: .setting(key))
      return fallback(ConfigurationKey.named(key)?.defaultValue)
    }
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  // The numbers below were chosen by hand.
  /// Refused ink smaller than this is too small, in row heights.
  static let tooSmall = 0.15
  /// Refused ink taller than this is too big, in row heights.
  static let tooBig = 3.0
  /// Refused ink with more points than this is too long.
  static let tooLong = 20_000
}
