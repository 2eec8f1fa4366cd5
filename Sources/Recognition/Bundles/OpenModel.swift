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

  /// Opens a model by name, from the first provider that has it.
  ///
  /// - Parameters:
  ///   - name: An identifier or a language; see ``ModelProvider/model(for:kind:)``.
  ///   - providers: The providers, in the order in which they are asked.
  ///   - kind: The kind of model, or nil for any.
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` if no provider has it, and the errors of
  ///   ``ModelProvider/model(for:kind:)`` and ``open(_:)``.
  public static func open(
    _ name: String, among providers: [any ModelProvider], kind: ModelManifest.Kind? = nil
  ) throws -> OpenModel {
    for provider in providers {
      if let model = try provider.model(for: name, kind: kind),
        let url = provider.bundleURL(of: model.identifier)
      {
        return try open(url)
      }
    }
    throw RecognitionError.modelNotDownloaded(name)
  }

  /// Makes a model from an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(_ bundle: ModelBundle) throws {
    self.bundle = bundle
    switch OpenModels.shared.recognizer(Self.key(of: bundle)) {
    case let known as GlyphClassifier: content = .glyph(known.model)
    case let known as LineRecognizer: content = .line(known.model)
    default:
      switch bundle.manifest.kind {
      case .glyph: content = .glyph(try GlyphModel(bundle: bundle))
      case .line: content = .line(try LineModel(bundle: bundle))
      }
    }
  }

  /// The line model.
  ///
  /// - Throws: ``ModelError/unsupportedKind(path:expected:found:)`` for a glyph model.
  public func line() throws(ModelError) -> LineModel {
    if case .line(let model) = content { return model }
    throw unsupported(expected: .line)
  }

  /// The glyph model.
  ///
  /// - Throws: ``ModelError/unsupportedKind(path:expected:found:)`` for a line model.
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
      try makeRecognizer(ReadingOptions())
    }
  }

  /// Makes a separate recogniser, which only shares the network's parameters with others.
  ///
  /// - Throws: ``RecognitionError/notOfLines(model:)`` if options for lines are given for a glyph
  ///   model, and the errors of ``recognizer()``.
  public func recognizer(_ options: ReadingOptions) throws -> any Recognizer {
    try makeRecognizer(options)
  }

  private func makeRecognizer(_ options: ReadingOptions) throws -> any Recognizer & AnyObject {
    switch content {
    case .glyph(let model):
      guard options.areEmpty else {
        throw RecognitionError.notOfLines(model: bundle.manifest.identifier)
      }
      return GlyphClassifier(model: model)
    case .line(let model):
      return try LineRecognizer(
        model, with: LineCompanions(of: bundle, options), alphabet: options.alphabet,
        vocabulary: options.vocabulary)
    }
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
