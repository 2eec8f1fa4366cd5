import Files
import Foundation
import LanguageModels
import ModelFormat

/// A bundle that is ready for recognition. Everything that reads with a model opens it this way.
///
/// Reads and hashes only the bundle that is opened. Opening an open model again, by any path,
/// shares its memory; bundles with the same network share the network. A value; safe to share
/// between threads.
///
///     let model = try OpenModel.open(URL(fileURLWithPath: "english.ductus"))
///     let result = try model.recognizer().recognize(ink)
public struct OpenModel: Sendable {
  /// The model of a bundle.
  public enum Content: Sendable {
    /// A model that recognises one ink as one label.
    case glyph(GlyphModel)
    /// A model that reads texts.
    case line(LineModel)
    /// A model that reads texts whose characters do not touch.
    case characterLine(CharacterLineModel)
    /// A model that reads formulas.
    case formula(FormulaModel)
  }

  /// The checked bundle.
  public let bundle: ModelBundle
  /// Its checked model.
  public let content: Content

  /// Opens a bundle folder of any kind. O(bytes of all parts).
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public static func open(_ url: URL) throws -> OpenModel {
    try OpenModel(ModelBundle.open(url))
  }

  /// Makes a model from an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(_ bundle: ModelBundle) throws {
    self.bundle = bundle
    switch OpenModels.shared.recognizer(Self.key(of: bundle)) {
    case let known as GlyphClassifier: content = .glyph(known.model)
    case let known as LineRecognizer: content = .line(known.model)
    case let known as CharacterLineRecognizer: content = .characterLine(known.model)
    case let known as FormulaRecognizer: content = .formula(known.model)
    default:
      switch bundle.manifest.kind {
      case .glyph: content = .glyph(try GlyphModel(bundle: bundle))
      case .line where CharacterLineModel.isDescribed(by: bundle.manifest):
        content = .characterLine(try CharacterLineModel(bundle: bundle))
      case .line: content = .line(try LineModel(bundle: bundle))
      case .formula: content = .formula(try FormulaModel(bundle: bundle))
      }
    }
  }

  /// The line model.
  ///
  /// - Throws: ``ModelError/unsupportedKind(path:expected:found:)`` for another kind, and for a model
  ///   of lines whose characters do not touch.
  public func line() throws(ModelError) -> LineModel {
    switch content {
    case .line(let model): return model
    case .characterLine:
      throw .unsupportedKind(
        path: bundle.url.path, expected: ModelManifest.Kind.line.rawValue,
        found: "line of single characters")
    case .glyph, .formula: throw unsupported(expected: .line)
    }
  }

  /// The glyph model.
  ///
  /// - Throws: ``ModelError/unsupportedKind(path:expected:found:)`` for another kind.
  public func glyph() throws(ModelError) -> GlyphModel {
    if case .glyph(let model) = content { return model }
    throw unsupported(expected: .glyph)
  }

  private func unsupported(expected: ModelManifest.Kind) -> ModelError {
    .unsupportedKind(
      path: bundle.url.path, expected: expected.rawValue, found: bundle.manifest.kind.rawValue)
  }

  /// Returns a recogniser that uses everything in the bundle. It is shared while anyone keeps it.
  ///
  /// - Throws: The errors of ``LineCompanions/init(of:_:)``, and ``RecognitionError``.
  public func recognizer() throws -> any Recognizer {
    try OpenModels.shared.recognizer(Self.key(of: bundle)) {
      try makeRecognizer()
    }
  }

  /// Makes a separate recogniser, which only shares the network's parameters with others.
  ///
  /// - Throws: ``RecognitionError/notOfLines(model:)`` if language models are given for another
  ///   kind of model, and the errors of ``recognizer()``.
  public func recognizer(_ options: ReadingOptions) throws -> any Recognizer {
    switch content {
    case .line: return try lineReading(options).recognizer
    case .characterLine(let model): return try characterLineReader(model, options).recognizer
    case .glyph, .formula: break
    }
    guard options.replacesNothing else {
      throw RecognitionError.notOfLines(model: bundle.manifest.identifier)
    }
    return try makeRecognizer().confined(to: options.alphabet, vocabulary: options.vocabulary)
  }

  private func makeRecognizer() throws -> any Recognizer & AnyObject {
    switch content {
    case .glyph(let model): GlyphClassifier(model: model)
    case .formula(let model): try FormulaRecognizer(model: model)
    case .line: try lineReading(ReadingOptions()).recognizer
    case .characterLine(let model):
      try characterLineReader(model, ReadingOptions()).recognizer
    }
  }

  /// Makes a recogniser of lines of characters, and the models beside it.
  ///
  /// - Throws: As ``recognizer(_:)``; ``RecognitionError/notOfLines(model:)`` for options that only
  ///   networks of lines have.
  package func characterLineReader(
    _ model: CharacterLineModel, _ options: ReadingOptions
  ) throws -> (recognizer: CharacterLineRecognizer, companions: LineCompanions) {
    guard options.recurrentModel == nil, options.characterModel == nil, options.precision == nil
    else { throw RecognitionError.notOfLines(model: bundle.manifest.identifier) }
    let companions = try LineCompanions(languagesOf: bundle, options)
    let recognizer = try CharacterLineRecognizer(
      model: model, languageModel: companions.language?.model, language: companions.tag,
      configuration: model.configuration(languageModel: companions.language?.sha256),
      alphabet: options.alphabet, vocabulary: options.vocabulary)
    return (recognizer, companions)
  }

  /// A line recogniser with the models that support it.
  package struct LineReading: Sendable {
    /// The recogniser.
    package let recognizer: LineRecognizer
    /// The models beside the network.
    package let companions: LineCompanions
    /// False if the line model was not tuned for these language models.
    package let isTuned: Bool
  }

  /// Makes a separate line recogniser, which only shares the network's parameters with others.
  ///
  /// - Throws: ``ModelError/unsupportedKind(path:expected:found:)`` for another kind, and the errors
  ///   of ``recognizer()``.
  package func lineReading(_ options: ReadingOptions) throws -> LineReading {
    let line = try line()
    let companions = try LineCompanions(of: bundle, options)
    return LineReading(
      recognizer: try LineRecognizer(
        line, with: companions, alphabet: options.alphabet, vocabulary: options.vocabulary,
        precision: options.precision),
      companions: companions,
      isTuned: companions.decodingKey.map { line.decoding[$0] != nil } ?? true)
  }

  /// Bundles with the same manifest have the same parts.
  private static func key(of bundle: ModelBundle) -> String {
    ModelBundle.sha256(bundle.manifestBytes)
  }
}

extension ModelProvider {
  /// Opens the bundle at ``bundleURL(of:)``.
  ///
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` if there is none, and the errors of
  ///   ``OpenModel/open(_:)`` and ``OpenModel/recognizer()``.
  public func openRecognizer(identifier: String) throws -> any Recognizer {
    guard let url = bundleURL(of: identifier) else {
      throw RecognitionError.modelNotDownloaded(identifier)
    }
    return try OpenModel.open(url).recognizer()
  }
}

/// The recognisers and parameters in use, so that opening a model twice uses its memory once. Holds
/// no strong references.
final class OpenModels: Sendable {
  static let shared = OpenModels()

  private struct Weak {
    weak var object: (any AnyObject & Sendable)?
  }

  private struct State {
    var recognizers: [String: Weak] = [:]
    var buffers: [String: Weak] = [:]
  }
  private let state = Guarded(State())

  /// Returns the recogniser of a key if it is in use.
  func recognizer(_ key: String) -> (any Recognizer)? {
    state.withLock { $0.recognizers[key]?.object } as? any Recognizer
  }

  /// Returns the recogniser of a key, and makes it if it is not in use.
  func recognizer(_ key: String, make: () throws -> any Recognizer & AnyObject) rethrows
    -> any Recognizer
  {
    if let known = recognizer(key) { return known }
    let made = try make()
    return state.withLock { state in
      // Another thread may have been faster.
      if let known = state.recognizers[key]?.object as? any Recognizer { return known }
      state.recognizers = state.recognizers.filter { $0.value.object != nil }
      state.recognizers[key] = Weak(object: made)
      return made
    }
  }

  /// Returns the buffer of a key, and makes it if it is not in use.
  func buffer<Buffer: AnyObject & Sendable>(_ key: String, make: () throws -> Buffer) rethrows
    -> Buffer
  {
    if let known = state.withLock({ $0.buffers[key]?.object }) as? Buffer { return known }
    let made = try make()
    return state.withLock { state in
      if let known = state.buffers[key]?.object as? Buffer { return known }
      state.buffers = state.buffers.filter { $0.value.object != nil }
      state.buffers[key] = Weak(object: made)
      return made
    }
  }
}
