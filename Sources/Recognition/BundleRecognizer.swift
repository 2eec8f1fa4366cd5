import Foundation
import LanguageModels
import ModelFormat

/// Opens bundles as recognisers.
public enum BundleRecognizer {
  /// The role of a part that holds a language model.
  public static let languageRole = "language"
  /// The role of a part that holds a recurrent language model.
  public static let recurrentRole = "recurrent-language"

  /// The role of a part that holds a glyph model of single characters.
  public static let characterRole = "characters"

  /// The part of a role, or nil.
  public static func part(_ role: String, of bundle: ModelBundle) -> ModelManifest.Part? {
    bundle.manifest.parts.first { $0.role == role }
  }

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
        return try LineRecognizer(
          model: model, languageModel: try languageModel(of: bundle),
          recurrentModel: try recurrentModel(of: bundle),
          characterModel: try characterModel(of: bundle),
          configuration: part(languageRole, of: bundle).flatMap { language in
            model.decoding(
              languageModel: language.sha256,
              recurrentModel: part(recurrentRole, of: bundle)?.sha256)
          })
      }
    }
  }

  /// The language model that a bundle holds, or nil.
  ///
  /// - Throws: `ModelFormatError` or `LanguageModelError`, naming the part.
  public static func languageModel(of bundle: ModelBundle) throws -> LanguageModel? {
    guard let part = part(languageRole, of: bundle) else { return nil }
    // The bytes were checked when the bundle was opened; the file is mapped, not copied.
    return try LanguageModel(
      contentsOf: bundle.url.appendingPathComponent(part.name).path)
  }

  /// The recurrent language model that a bundle holds, or nil.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public static func recurrentModel(of bundle: ModelBundle) throws -> RecurrentLanguageModel? {
    guard let part = part(recurrentRole, of: bundle) else { return nil }
    return try RecurrentLanguageModel(
      bytes: bundle.data(for: part.name),
      path: bundle.url.appendingPathComponent(part.name).path)
  }

  /// The glyph model of single characters that the bundle of a line model holds, or nil.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public static func characterModel(of bundle: ModelBundle) throws -> GlyphModel? {
    guard let part = part(characterRole, of: bundle) else { return nil }
    return try GlyphModel(
      bytes: bundle.data(for: part.name),
      path: bundle.url.appendingPathComponent(part.name).path)
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
