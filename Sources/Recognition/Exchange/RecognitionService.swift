import Foundation
import InkCore
import LanguageModels
import ModelFormat

/// Answers requests of other programs. The pipe, the HTTP interface and the C interface use the
/// same service.
///
/// Models stay open, and so do the most recent alphabets and lexicons. Thread-safe.
///
///     let service = RecognitionService(finder: ProvidedBundles(try PretrainedModels()))
///     let answer = service.answer([UInt8](line.utf8))
///     print(String(decoding: answer.json, as: UTF8.self))
public final class RecognitionService: @unchecked Sendable {
  // Unchecked because the lock guards the caches.

  /// The settings of a service.
  public struct Configuration: Sendable {
    /// The model for requests that name neither a model nor a language.
    public var defaultModel: String
    /// Finds the packs of other languages that share the network of the default model. Requests that
    /// name neither a model nor a language are then read in the best of these languages. Nil to read
    /// them with the default model alone.
    public var packs: (@Sendable (_ base: ModelBundle) throws -> [URL])?
    /// The limits of a request.
    public var limits: ExchangeLimits
    /// The lexicons that requests may name.
    public var lexicons: [String: Lexicon]
    /// Opens a lexicon of another name; nil if there are no others.
    public var openLexicon: (@Sendable (_ name: String) throws -> Lexicon)?
    /// The defaults of members that a request leaves out.
    public var defaults: RecognitionRequest

    /// Makes a configuration.
    public init(
      defaultModel: String = "latin-lines", limits: ExchangeLimits = ExchangeLimits(),
      lexicons: [String: Lexicon] = [:],
      defaults: RecognitionRequest = RecognitionRequest(ink: Ink())
    ) {
      self.defaultModel = defaultModel
      self.limits = limits
      self.lexicons = lexicons
      self.defaults = defaults
    }
  }

  /// The settings of the service.
  public let configuration: Configuration
  private let finder: any BundleFinder
  private let lock = NSLock()
  private var bundles = RecentValues<String, OpenedBundle>(capacity: 64)
  private var confined = RecentValues<ConfinedKey, any Recognizer>(capacity: 16)

  private struct OpenedBundle {
    let identifier: String
    let recognizer: any Recognizer
    /// The same model with the packs of other languages; nil without packs.
    var multilingual: (any Recognizer)?
  }

  private struct ConfinedKey: Hashable {
    let model: String
    let alphabet: String?
    let lexicon: RecognitionRequest.LexiconChoice?
    let bonus: Float?
  }

  /// Makes a service; no model is opened yet.
  ///
  /// - Parameters:
  ///   - finder: Maps names to models.
  ///   - configuration: The default model, limits and lexicons.
  public init(finder: any BundleFinder, configuration: Configuration = Configuration()) {
    self.finder = finder
    self.configuration = configuration
  }

  /// Opens a model by its name, or the default one, so that the first request is as fast as others.
  ///
  /// - Throws: ``ExchangeError``.
  public func prepare(model: String? = nil) throws(ExchangeError) {
    _ = try bundle(model ?? configuration.defaultModel, field: "model")
  }

  /// Answers one request in JSON; never throws and never traps.
  public func answer(_ bytes: [UInt8]) -> RecognitionAnswer {
    do throws(ExchangeError) {
      return answer(
        try RecognitionRequest(
          parsing: bytes, limits: configuration.limits, defaults: configuration.defaults))
    } catch {
      return RecognitionAnswer(
        id: RecognitionRequest.identifier(in: bytes), .failure(error))
    }
  }

  /// Answers one request.
  public func answer(_ request: RecognitionRequest) -> RecognitionAnswer {
    do throws(ExchangeError) {
      return RecognitionAnswer(id: request.id, .reading(try read(request)))
    } catch {
      return RecognitionAnswer(id: request.id, .failure(error))
    }
  }

  /// Reads the ink of a request.
  ///
  /// - Throws: ``ExchangeError``.
  public func read(_ request: RecognitionRequest) throws(ExchangeError)
    -> RecognitionAnswer.Reading
  {
    let (identifier, recognizer) = try recognizer(for: request)
    let result: RecognitionResult
    do {
      result = try recognizer.recognize(
        request.ink,
        context: RecognitionContext(
          preContext: request.preContext, writingArea: request.writingArea,
          layout: request.layout),
        maximumCandidates: request.maximumCandidates)
    } catch let error as InkError {
      throw ExchangeError(.invalidValue, error.description, field: "strokes")
    } catch is CancellationError {
      throw ExchangeError(.timedOut, "expected an ink that is read in time; send fewer points")
    } catch {
      throw ExchangeError(.failed, "the ink was not read: \(error)")
    }
    return RecognitionAnswer.Reading(
      model: identifier, result: result, lines: lines(of: result, request, recognizer),
      includesSpans: request.includesSpans)
  }

  /// Returns the lines of an answer: always those of a page, and a single one if spans are
  /// requested.
  private func lines(
    of result: RecognitionResult, _ request: RecognitionRequest, _ recognizer: any Recognizer
  ) -> [RecognizedLine] {
    if result.lines.count > 1 || request.layout == .page { return result.lines }
    guard request.includesSpans, recognizer is LineRecognizer else { return [] }
    return result.lines.isEmpty
      ? [RecognizedLine(result, strokeCount: request.ink.strokes.count)] : result.lines
  }

  /// Returns the recogniser of a request, with the identifier of its model.
  private func recognizer(
    for request: RecognitionRequest
  ) throws(ExchangeError) -> (String, any Recognizer) {
    let (name, field) =
      request.model.map { ($0, "model") } ?? request.language.map { ($0, "language") }
      ?? (configuration.defaultModel, "model")
    let opened = try bundle(name, field: field)
    guard request.alphabet != nil || request.lexicon != nil else {
      let isChosen = request.model != nil || request.language != nil
      return (
        opened.identifier, isChosen ? opened.recognizer : opened.multilingual ?? opened.recognizer
      )
    }
    guard let lines = opened.recognizer as? LineRecognizer else {
      throw ExchangeError(
        .unusableModel, RecognitionError.notOfLines(model: name).description,
        field: request.alphabet != nil ? "alphabet" : "lexicon")
    }
    let key = ConfinedKey(
      model: name, alphabet: request.alphabet, lexicon: request.lexicon,
      bonus: request.lexiconBonus)
    if let known = lock.withLock({ confined.value(of: key) }) { return (opened.identifier, known) }
    let recognizer = try confine(lines, request)
    lock.withLock { confined.insert(recognizer, for: key) }
    return (opened.identifier, recognizer)
  }

  private func confine(
    _ lines: LineRecognizer, _ request: RecognitionRequest
  ) throws(ExchangeError) -> any Recognizer {
    var alphabet: Alphabet?
    if let pattern = request.alphabet {
      do throws(TextConstraintError) {
        alphabet = try Alphabet(pattern: pattern)
      } catch {
        throw ExchangeError(.invalidValue, error.description, field: "alphabet")
      }
    }
    let words = try lexicon(request.lexicon)
    let vocabulary = words.map { words in
      request.lexiconBonus.map { .boosted(words, bonus: $0) } ?? Vocabulary.closed(words)
    }
    do throws(RecognitionError) {
      return try lines.confined(to: alphabet, vocabulary: vocabulary)
    } catch {
      throw ExchangeError(
        .invalidValue, error.description, field: error == .emptyAlphabet ? "alphabet" : "lexicon")
    }
  }

  private func lexicon(
    _ choice: RecognitionRequest.LexiconChoice?
  ) throws(ExchangeError) -> Lexicon? {
    switch choice {
    case nil: return nil
    case .named(let name)?:
      if let known = configuration.lexicons[name] { return known }
      do {
        if let opened = try configuration.openLexicon?(name) { return opened }
      } catch {
        throw ExchangeError(.unknownLexicon, "\(error)", field: "lexicon")
      }
      let known = configuration.lexicons.keys.sorted().joined(separator: ", ")
      throw ExchangeError(
        .unknownLexicon,
        "expected an array of words or one of the names (\(known)), found another name",
        field: "lexicon")
    case .words(let words)?:
      do throws(TextConstraintError) {
        return try Lexicon(words: words)
      } catch {
        throw ExchangeError(.invalidValue, error.description, field: "lexicon")
      }
    }
  }

  private func bundle(
    _ name: String, field: String
  ) throws(ExchangeError) -> OpenedBundle {
    if let known = lock.withLock({ bundles.value(of: name) }) { return known }
    var opened: OpenedBundle
    do {
      var identifiers: [String] = []
      var models: [OpenModel] = []
      let recognizer = try LanguagePairs.recognizer(name) { name in
        guard let url = try finder.bundle(of: name) else {
          throw RecognitionError.modelNotDownloaded(name)
        }
        let model = try OpenModel.open(url)
        identifiers.append(model.bundle.manifest.identifier)
        models.append(model)
        return try model.recognizer()
      }
      opened = OpenedBundle(
        identifier: identifiers.joined(separator: ","), recognizer: recognizer)
      if name == configuration.defaultModel, let packs = configuration.packs,
        let base = models.first, base.bundle.manifest.kind == .line
      {
        let bundle = base.bundle
        opened.multilingual = try MultilingualRecognizer(base) { try packs(bundle) }
      }
    } catch let error as ExchangeError {
      throw error
    } catch is RecognitionError {
      throw ExchangeError(
        .unknownModel,
        "expected the name of a model that is there, or a language that one of them reads; "
          + "'ductus models list' names them", field: field)
    } catch {
      throw ExchangeError(.unusableModel, "\(error)", field: field)
    }
    lock.withLock { bundles.insert(opened, for: name) }
    return opened
  }
}

/// Maps the names of models in requests to bundles.
public protocol BundleFinder: Sendable {
  /// Returns the bundle of a name, or nil if there is none.
  ///
  /// - Parameter name: An identifier, a language or another name that the finder knows.
  /// - Throws: ``RecognitionError`` for an invalid name.
  func bundle(of name: String) throws -> URL?
}

/// The models of a provider, by identifier or language. A path is not accepted.
public struct ProvidedBundles: BundleFinder {
  private let provider: any ModelProvider

  /// Finds the models of a provider.
  public init(_ provider: any ModelProvider) {
    self.provider = provider
  }

  /// Returns the bundle of the model with an identifier or language; see
  /// ``ModelProvider/model(for:kind:)``.
  public func bundle(of name: String) throws -> URL? {
    if let url = provider.bundleURL(of: name) { return url }
    return try provider.model(for: name).flatMap { provider.bundleURL(of: $0.identifier) }
  }
}

/// Values by key. Above the capacity, the one used longest ago is removed.
struct RecentValues<Key: Hashable, Value> {
  private let capacity: Int
  private var values: [Key: (value: Value, used: UInt64)] = [:]
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Returns the value of a key, and marks it as used now. O(1).
  mutating func value(of key: Key) -> Value? {
    guard let found = values[key] else { return nil }
    clock += 1
    values[key] = (found.value, clock)
    return found.value
  }

  /// Keeps a value. O(capacity) if another one is removed.
  mutating func insert(_ value: Value, for key: Key) {
    clock += 1
    values[key] = (value, clock)
    if values.count > capacity, let oldest = values.min(by: { $0.value.used < $1.value.used }) {
      values[oldest.key] = nil
    }
  }
}
