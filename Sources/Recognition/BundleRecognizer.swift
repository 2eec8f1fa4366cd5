import Foundation
import LanguageModels
import ModelFormat

/// Opens bundles as recognisers.
public enum BundleRecognizer {
  /// The role of a part that holds a language model.
  public static let languageRole = "language"

  /// Opens a bundle folder of any kind; the language model that it holds is used.
  ///
  /// A model that is open already, by whatever path, is not read a second time and shares its
  /// memory; bundles with the same network share that of the network.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError`, ``ModelError`` or `LanguageModelError`.
  public static func open(_ url: URL) throws -> any Recognizer {
    try open(ModelBundle.open(url))
  }

  /// Makes a recogniser of an open bundle; see ``open(_:)-(URL)``.
  public static func open(_ bundle: ModelBundle) throws -> any Recognizer {
    let key = ModelBundle.sha256(bundle.manifestBytes)
    return try OpenModels.shared.recognizer(key) {
      switch bundle.manifest.kind {
      case .glyph: return GlyphClassifier(model: try GlyphModel(bundle: bundle))
      case .line:
        let model = try LineModel(bundle: bundle)
        let part = bundle.manifest.parts.first { $0.role == languageRole }
        return try LineRecognizer(
          model: model, languageModel: try languageModel(of: bundle),
          configuration: part.flatMap { model.decoding[$0.sha256] })
      }
    }
  }

  /// The language model that a bundle holds, or nil.
  ///
  /// - Throws: `ModelFormatError` or `LanguageModelError`, naming the part.
  public static func languageModel(of bundle: ModelBundle) throws -> LanguageModel? {
    guard let part = bundle.manifest.parts.first(where: { $0.role == languageRole }) else {
      return nil
    }
    let bytes = try bundle.data(for: part.name)
    do {
      return try LanguageModel(bytes: [UInt8](bytes))
    } catch {
      throw LanguageModelError(
        error.reason, file: bundle.url.appendingPathComponent(part.name).path)
    }
  }
}

/// The recognisers that are in use, so that opening a model twice takes its memory once. Nothing is
/// kept alive.
final class OpenModels: @unchecked Sendable {
  // Unchecked because the lock guards all members.

  static let shared = OpenModels()

  private struct Weak {
    weak var object: AnyObject?
  }

  private let lock = NSLock()
  private var recognizers: [String: Weak] = [:]
  private var buffers: [String: Weak] = [:]

  /// The recogniser of a key, made where it is not in use.
  func recognizer(_ key: String, make: () throws -> any Recognizer & AnyObject) rethrows
    -> any Recognizer
  {
    if let known = lock.withLock({ recognizers[key]?.object }) as? any Recognizer { return known }
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
