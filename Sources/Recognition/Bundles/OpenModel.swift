import Foundation
import LanguageModels
import ModelFormat

/// A bundle ready to read with: the one way from a folder to a recogniser.
///
/// Reads and hashes only the bundle that is opened. A model that is open already, by whatever path,
/// shares its memory; bundles with the same network share that of the network. A value; safe to
/// share between threads.
///
///     let model = try OpenModel.open(URL(fileURLWithPath: "english.ductus"))
///     let result = try model.recognizer().recognize(ink)
public struct OpenModel: Sendable {
  /// The model of a bundle.
  public enum Content: Sendable {
    /// Tells labels from one ink.
    case glyph(GlyphModel)
    /// Reads texts.
    case line(LineModel)
  }

  /// The bundle, checked.
  public let bundle: ModelBundle
  /// Its model, checked.
  public let content: Content

  /// Opens a bundle folder of any kind. O(bytes of all parts).
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public static func open(_ url: URL) throws -> OpenModel {
    try OpenModel(ModelBundle.open(url))
  }

  /// Opens the model of a name, of the first provider that has one.
  ///
  /// - Parameters:
  ///   - name: An identifier or a language; see ``ModelProvider/model(for:kind:)``.
  ///   - kind: The kind of model, or nil for any.
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` where no provider has one, and what
  ///   ``ModelProvider/model(for:kind:)`` and ``open(_:)`` throw.
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

  /// Makes a model of an open bundle.
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

  /// A recogniser that uses all that the bundle holds, shared by all who ask for it while one of
  /// them keeps it.
  ///
  /// - Throws: As ``LineCompanions/init(of:_:)``, and ``RecognitionError``.
  public func recognizer() throws -> any Recognizer {
    try OpenModels.shared.recognizer(Self.key(of: bundle)) {
      try makeRecognizer(ReadingOptions())
    }
  }

  /// A recogniser of its own, which shares with others nothing but the network's parameters.
  ///
  /// - Throws: ``RecognitionError/notOfLines(model:)`` where options for lines were given for a glyph
  ///   model, and as ``recognizer()``.
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
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` where there is none, and what
  ///   ``OpenModel/open(_:)`` and ``OpenModel/recognizer()`` throw.
  public func openRecognizer(identifier: String) throws -> any Recognizer {
    guard let url = bundleURL(of: identifier) else {
      throw RecognitionError.modelNotDownloaded(identifier)
    }
    return try OpenModel.open(url).recognizer()
  }
}

/// The recognisers and parameters that are in use, so that opening a model twice takes its memory
/// once. Nothing is kept alive.
final class OpenModels: @unchecked Sendable {
  // Unchecked because the lock guards all members.

  static let shared = OpenModels()

  private struct Weak {
    weak var object: AnyObject?
  }

  private let lock = NSLock()
  private var recognizers: [String: Weak] = [:]
  private var buffers: [String: Weak] = [:]

  /// The recogniser of a key where it is in use.
  func recognizer(_ key: String) -> (any Recognizer)? {
    lock.withLock { recognizers[key]?.object } as? any Recognizer
  }

  /// The recogniser of a key, made where it is not in use.
  func recognizer(_ key: String, make: () throws -> any Recognizer & AnyObject) rethrows
    -> any Recognizer
  {
    if let known = recognizer(key) { return known }
    let made = try make()
    return lock.withLock {
      // Another thread may have been faster.
      if let known = recognizers[key]?.object as? any Recognizer { return known }
      recognizers = recognizers.filter { $0.value.object != nil }
      recognizers[key] = Weak(object: made)
      return made
    }
  }

  /// The buffer of a key, made where it is not in use.
  func buffer<Buffer: AnyObject>(_ key: String, make: () throws -> Buffer) rethrows -> Buffer {
    if let known = lock.withLock({ buffers[key]?.object }) as? Buffer { return known }
    let made = try make()
    return lock.withLock {
      if let known = buffers[key]?.object as? Buffer { return known }
      buffers = buffers.filter { $0.value.object != nil }
      buffers[key] = Weak(object: made)
      return made
    }
  }
}
