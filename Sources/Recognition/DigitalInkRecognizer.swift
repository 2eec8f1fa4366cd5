import Foundation
import InkCore
import LanguageModels
import ModelFormat

/// Reads ink with a model that a provider has or will have: what apps use.
///
/// Thread-safe. The model is opened at the first recognition, and again where that failed: made
/// before its model is installed, a recogniser throws ``RecognitionError/modelNotDownloaded(_:)``,
/// and works once the installation ends. Once open, the model stays in use.
///
///     let recognizer = DigitalInkRecognizer(model: "en-US", provider: manager)
///     let result = try await recognizer.recognize(
///       ink, context: RecognitionContext(preContext: "Dear "))
///     print(result.candidates.first?.text ?? "nothing to read")
///
/// A form field for a number or a name of a list is confined to those:
///
///     let options = DigitalInkRecognizer.Options(
///       model: "en-US", alphabet: try Alphabet(pattern: "\\p{Nd}.,-"))
///
/// Models of shapes and drawings (language `zxx`) take the whole ink as one, and neither the text
/// before the ink nor the writing area changes their answer.
public final class DigitalInkRecognizer: Recognizer, @unchecked Sendable {
  // Unchecked because the lock guards the opened model.

  /// What to recognise with.
  public struct Options: Sendable {
    /// The model: an identifier or a language; see ``ModelProvider/model(for:kind:)``.
    public var model: String
    /// The kind of model, or nil for any: of a language those of lines come first, but where none is there
    /// yet one of characters is taken, and kept.
    public var kind: ModelManifest.Kind?
    /// The largest number of candidates, at least 1.
    public var maximumResultCount: Int
    /// The only characters that may be read; nil for all. For models of lines.
    public var alphabet: Alphabet?
    /// The words that may be read or are preferred; nil for none. For models of lines.
    public var vocabulary: Vocabulary?

    /// Makes options.
    public init(
      model: String, kind: ModelManifest.Kind? = nil, maximumResultCount: Int = 10,
      alphabet: Alphabet? = nil, vocabulary: Vocabulary? = nil
    ) {
      self.model = model
      self.kind = kind
      self.maximumResultCount = max(1, maximumResultCount)
      self.alphabet = alphabet
      self.vocabulary = vocabulary
    }
  }

  /// What this recogniser was made with.
  public let options: Options
  private let provider: any ModelProvider
  private let lock = NSLock()
  private var opened: (any Recognizer)?

  /// Makes a recogniser; the model need not be there yet.
  public init(options: Options, provider: any ModelProvider) {
    self.options = options
    self.provider = provider
  }

  /// Makes a recogniser of a model; it need not be there yet.
  public convenience init(model: String, provider: any ModelProvider) {
    self.init(options: Options(model: model), provider: provider)
  }

  /// Every label of the model; nil where there is no such list, or the model is not there.
  public var labels: [String]? { try? open().labels }

  /// Opens the model where it is not open, so that the first recognition is as fast as the others.
  ///
  /// - Throws: As ``ModelProvider/recognizer(for:kind:)``, and ``RecognitionError`` for an alphabet or a
  ///   vocabulary that the model cannot write.
  public func prepare() throws {
    _ = try open()
  }

  /// Reads one ink, on the calling thread.
  ///
  /// - Throws: What ``prepare()`` throws, and ``InkError`` for a coordinate that is not finite.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    try open().recognize(
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
  /// - Throws: As the synchronous method, and `CancellationError` where the task is cancelled.
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
  ///   - inks: Each read by itself, as by ``recognize(_:context:)``.
  ///   - context: That of all.
  /// - Returns: The results in the order of the inks.
  /// - Throws: The first error; the other inks are then not read. `CancellationError` where the
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

  private func confined(_ recognizer: any Recognizer) throws -> any Recognizer {
    guard options.alphabet != nil || options.vocabulary != nil else { return recognizer }
    guard let lines = recognizer as? LineRecognizer else {
      throw RecognitionError.notOfLines(model: options.model)
    }
    return try lines.confined(to: options.alphabet, vocabulary: options.vocabulary)
  }

  private func open() throws -> any Recognizer {
    if let opened = lock.withLock({ opened }) { return opened }
    let recognizer = try confined(
      provider.recognizer(for: options.model, kind: options.kind))
    return lock.withLock {
      if let opened { return opened }
      opened = recognizer
      return recognizer
    }
  }
}
