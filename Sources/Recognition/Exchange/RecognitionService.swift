import Foundation
import InkCore
import LanguageModels
import ModelFormat

/// Answers requests of other programs. The command line, the pipe, the HTTP interface, the studio and
/// the C interface use the same service.
///
/// Models stay open, and so do the most recent alphabets and lexicons. Thread-safe.
///
///     let service = RecognitionService(library: ModelLibrary([try PretrainedModels()]))
///     let answer = service.answer([UInt8](line.utf8))
///     print(String(decoding: answer.json, as: UTF8.self))
public final class RecognitionService: Sendable {
  /// The settings of a service.
  public struct Configuration: Sendable {
    /// The limits of a request.
    package var limits: ExchangeLimits
    /// The lexicons that requests may name.
    package var lexicons: [String: Lexicon]
    /// Opens a lexicon of another name; nil if there are no others.
    package var openLexicon: (@Sendable (_ name: String) throws -> Lexicon)?
    /// The defaults of members that a request leaves out.
    package var defaults: RecognitionRequest
    /// The language models of all requests; by default those of the bundles. Alphabet and vocabulary
    /// are not used: they are members of requests.
    public var options = ReadingOptions()

    /// Makes a configuration.
    public init(
      limits: ExchangeLimits = ExchangeLimits(), lexicons: [String: Lexicon] = [:],
      defaults: RecognitionRequest = RecognitionRequest(ink: Ink())
    ) {
      self.limits = limits
      self.lexicons = lexicons
      self.defaults = defaults
    }
  }

  /// The models that requests may name, and the default one.
  public let library: ModelLibrary
  /// The settings of the service.
  public let configuration: Configuration
  /// Recognisers by their names; `confined` has those with an alphabet or a lexicon.
  private let readers = ReaderCache<ReaderKey, ModelReader>(capacity: 64)
  private let confined = ReaderCache<ReaderKey, ModelReader>(capacity: 16)

  private struct ReaderKey: Hashable {
    var model: String?
    var language: String?
    var alphabet: String?
    var lexicon: RecognitionRequest.LexiconChoice?
    var bonus: Float?
  }

  /// The model that reads the formulas of pages.
  private static let formulas = ReaderKey(model: FormulaModel.shippedIdentifier)

  /// Makes a service; no model is opened yet.
  ///
  /// - Parameters:
  ///   - library: Turns the names in requests into recognisers.
  ///   - configuration: The limits, the lexicons and the defaults.
  public init(library: ModelLibrary, configuration: Configuration = Configuration()) {
    self.library = library
    self.configuration = configuration
  }

  /// Opens the model of requests that leave out all members, so that the first request is as fast as
  /// others.
  ///
  /// - Throws: ``ExchangeError``.
  package func prepare() throws(ExchangeError) {
    _ = try preparedReader()
  }

  /// The same; returns the opened recogniser.
  package func preparedReader() throws(ExchangeError) -> ModelReader {
    try reader(for: configuration.defaults)
  }

  /// Answers one request in JSON; never throws and never traps.
  package func answer(_ bytes: [UInt8]) -> RecognitionAnswer {
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
  package func answer(_ request: RecognitionRequest) -> RecognitionAnswer {
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
    let reader = try reader(for: request)
    var result: RecognitionResult
    var context = RecognitionContext(
      preContext: request.preContext, writingArea: request.writingArea, layout: request.layout)
    // An alphabet and a vocabulary are about all that is read.
    if request.alphabet == nil, request.lexicon == nil {
      context.formulas = FormulaSource { try? self.openReader(Self.formulas).recognizer }
    }
    do {
      result = try reader.recognizer.recognize(
        request.ink, context: context, maximumCandidates: request.maximumCandidates)
    } catch let error as InkError {
      throw ExchangeError(.invalidValue, error.description, field: "strokes")
    } catch let error as RecognitionError {
      throw ExchangeError(.tooLarge, error.description, field: "strokes")
    } catch is CancellationError {
      throw ExchangeError(.timedOut, "expected an ink that is read in time; send fewer points")
    } catch {
      throw ExchangeError(.failed, "the ink was not read: \(error)")
    }
    // Without a model of formulas they stay ink.
    if result.hasUnreadFormulas,
      let formulas = try? openReader(Self.formulas)
    {
      result.readFormulas(of: request.ink, with: formulas.recognizer)
    }
    return RecognitionAnswer.Reading(
      model: reader.model, result: result, lines: lines(of: result, request, reader),
      includesSpans: request.includesSpans)
  }

  /// Returns the lines of an answer: always those of a page, and a single one if spans are
  /// requested.
  private func lines(
    of result: RecognitionResult, _ request: RecognitionRequest, _ reader: ModelReader
  ) -> [RecognizedLine] {
    if result.lines.count > 1 || request.layout == .page || result.hasInlineFormulas {
      return result.lines
    }
    guard request.includesSpans, reader.readsLines else { return [] }
    return result.lines.isEmpty && !result.candidates.isEmpty
      ? [RecognizedLine(result, strokeCount: request.ink.strokes.count)] : result.lines
  }

  // MARK: - Recognisers

  private func reader(for request: RecognitionRequest) throws(ExchangeError) -> ModelReader {
    var key = try key(of: request)
    let open = try openReader(key)
    guard request.alphabet != nil || request.lexicon != nil else { return open }
    key.alphabet = request.alphabet
    key.lexicon = request.lexicon
    key.bonus = request.lexiconBonus
    return try confined.reader(key) { () throws(ExchangeError) in
      var reader = open
      reader.recognizer = try confine(open.recognizer, request)
      return reader
    }
  }

  /// The model of a request: that of formulas for the ink of one, unless the named one reads them.
  private func key(of request: RecognitionRequest) throws(ExchangeError) -> ReaderKey {
    let named = ReaderKey(
      model: request.model, language: request.model == nil ? request.language : nil)
    guard request.layout == .formula else { return named }
    if named.model != nil, try openReader(named).readsFormulas { return named }
    return Self.formulas
  }

  private func openReader(_ key: ReaderKey) throws(ExchangeError) -> ModelReader {
    try readers.reader(key) { () throws(ExchangeError) in
      try self.open(key, field: key.language == nil ? "model" : "language")
    }
  }

  private func open(_ key: ReaderKey, field: String) throws(ExchangeError) -> ModelReader {
    var specification = ReadingSpecification(model: key.model, language: key.language)
    specification.options = configuration.options.withoutLimits
    do {
      return try library.modelReader(for: specification)
    } catch let error as RecognitionError {
      throw ExchangeError(error.isOfName ? .unknownModel : .unusableModel, "\(error)", field: field)
    } catch {
      throw ExchangeError(.unusableModel, "\(error)", field: field)
    }
  }

  private func confine(
    _ recognizer: any Recognizer, _ request: RecognitionRequest
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
      return try recognizer.confined(to: alphabet, vocabulary: vocabulary)
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
}
