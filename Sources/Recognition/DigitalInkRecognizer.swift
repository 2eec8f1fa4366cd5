import Files
import Foundation
import InkCore
import LanguageModels
import ModelFormat

/// Reads ink with a model of a provider. Apps start here.
///
/// Thread-safe. The model is opened at the first recognition; if that fails, it is tried again at
/// the next. A recogniser that is made before its model is installed throws
/// ``RecognitionError/modelNotDownloaded(_:)`` until the installation has finished. An open model
/// stays in use.
///
///     let recognizer = DigitalInkRecognizer(model: "en-US", provider: manager)
///     let result = try await recognizer.recognize(
///       ink, context: RecognitionContext(preContext: "Dear "))
///     print(result.candidates.first?.text ?? "nothing to read")
///
/// Restrict a form field to numbers or to the names in a list:
///
///     let options = DigitalInkRecognizer.Options(
///       model: "en-US", alphabet: try Alphabet(pattern: "\\p{Nd}.,-"))
///
/// Models of shapes and drawings (language `zxx`) take the whole ink as one. Their answers do not
/// depend on the text before the ink or on the writing area.
public final class DigitalInkRecognizer: Recognizer, Sendable {
  /// The model and settings of a recogniser.
  public struct Options: Sendable {
    /// The model: an identifier, a language, or two languages such as `de,en`. Nil for English, or
    /// the best of the languages whose packs the provider has, by the text.
    public var model: String?
    /// The kind of model, or nil for any. For a language, line models are preferred; if only a
    /// glyph model is installed, it is used and kept.
    public var kind: ModelManifest.Kind?
    /// The largest number of candidates, at least 1.
    public var maximumResultCount: Int
    /// The allowed characters; nil for all.
    public var alphabet: Alphabet?
    /// The allowed or preferred words, or labels of a glyph model; nil for none.
    public var vocabulary: Vocabulary?

    /// Makes options.
    public init(
      model: String? = nil, kind: ModelManifest.Kind? = nil, maximumResultCount: Int = 10,
      alphabet: Alphabet? = nil, vocabulary: Vocabulary? = nil
    ) {
      self.model = model
      self.kind = kind
      self.maximumResultCount = max(1, maximumResultCount)
      self.alphabet = alphabet
      self.vocabulary = vocabulary
    }
  }

  /// The options of this recogniser.
  public let options: Options
  private let library: ModelLibrary
  private let opened = Guarded<(any Recognizer)?>(nil)
  private let openedFormulas = Guarded<(any Recognizer)?>(nil)

  /// Makes a recogniser. The model may be installed later.
  public init(options: Options, provider: any ModelProvider) {
    self.options = options
    library = ModelLibrary(of: provider)
  }

  /// Makes a recogniser for a model, which may be installed later. Without a name, it reads in
  /// English, or the best of the languages whose packs the provider has.
  public convenience init(model: String? = nil, provider: any ModelProvider) {
    self.init(options: Options(model: model), provider: provider)
  }

  /// Every label of the model; nil if it has no such list, or is not installed.
  public var labels: [String]? { try? open().labels }

  /// The direction of the model; from left to right while it is missing.
  public var direction: WritingDirection { (try? open().direction) ?? .leftToRight }

  /// Opens the model, so that the first recognition is as fast as the others.
  ///
  /// - Throws: The errors of ``ModelProvider/recognizer(for:kind:)``, and ``RecognitionError`` for
  ///   an alphabet or a vocabulary that the model cannot write.
  public func prepare() throws {
    _ = try open()
  }

  /// Reads one ink, on the calling thread.
  ///
  /// - Throws: The errors of ``prepare()``, and `InkError` for a coordinate that is not finite.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    let recognizer = try context.layout == .formula ? openFormulas() : open()
    return try recognizer.recognize(
      ink, context: context.placed(around: ink), maximumCandidates: maximumCandidates)
  }

  /// Reads one ink, on the calling thread, from blocking and from async code alike; see
  /// ``recognize(_:context:maximumCandidates:)``.
  public func recognizeNow(
    _ ink: Ink, context: RecognitionContext = RecognitionContext()
  ) throws -> RecognitionResult {
    try recognize(ink, context: context, maximumCandidates: options.maximumResultCount)
  }

  /// Reads one ink, on the calling thread; see ``recognizeNow(_:context:)``.
  public func recognize(
    _ ink: Ink, context: RecognitionContext = RecognitionContext()
  ) throws -> RecognitionResult {
    try recognize(ink, context: context, maximumCandidates: options.maximumResultCount)
  }

  /// Reads one ink, off the calling actor.
  ///
  /// - Throws: The errors of the synchronous method, and `CancellationError` if the task is
  ///   cancelled.
  public func recognize(
    _ ink: Ink, context: RecognitionContext = RecognitionContext()
  ) async throws -> RecognitionResult {
    try Task.checkCancellation()
    let result = try recognize(
      ink, context: context, maximumCandidates: options.maximumResultCount)
    try Task.checkCancellation()
    return result
  }

  /// Reads many inks on all cores.
  ///
  /// - Parameters:
  ///   - inks: The inks; each is read separately, as by ``recognize(_:context:)``.
  ///   - context: The context of all inks.
  /// - Returns: The results in the order of the inks.
  /// - Throws: The first error; the remaining inks are then not read. `CancellationError` if the
  ///   task is cancelled.
  public func recognize(
    _ inks: [Ink], context: RecognitionContext = RecognitionContext()
  ) async throws -> [RecognitionResult] {
    try prepare()
    let workers = min(inks.count, ProcessInfo.processInfo.activeProcessorCount)
    var results = [RecognitionResult](
      repeating: RecognitionResult(candidates: []), count: inks.count)
    try await withThrowingTaskGroup(of: (Int, RecognitionResult).self) { group in
      var next = 0
      func addNext() {
        let index = next
        next += 1
        let ink = inks[index]
        group.addTask { (index, try await self.recognize(ink, context: context)) }
      }
      for _ in 0..<workers { addNext() }
      while let (index, result) = try await group.next() {
        results[index] = result
        if next < inks.count { addNext() }
      }
    }
    return results
  }

  private func open() throws -> any Recognizer {
    if let opened = opened.withLock({ $0 }) { return opened }
    var specification = ReadingSpecification(model: options.model, kind: options.kind)
    specification.options.alphabet = options.alphabet
    specification.options.vocabulary = options.vocabulary
    let recognizer = try library.reader(for: specification)
    return opened.withLock { opened in
      if let opened = opened { return opened }
      opened = recognizer
      return recognizer
    }
  }

  /// The model of the options if it reads formulas, else the model of formulas.
  private func openFormulas() throws -> any Recognizer {
    if let opened = openedFormulas.withLock({ $0 }) { return opened }
    let own = options.model == nil ? nil : try open()
    let recognizer: any Recognizer
    if let own = own as? FormulaRecognizer {
      recognizer = own
    } else {
      recognizer = try library.reader(
        for: ReadingSpecification(model: FormulaModel.shippedIdentifier))
    }
    openedFormulas.withLock { $0 = recognizer }
    return recognizer
  }
}
