import Files
import Foundation
import InkEditor
import Recognition

/// The models of pages: those of a provider, with one bundle that reads the best of all languages.
struct PageModels: EditorModels {
  /// The bundle of pages without a chosen language: the default model. Other programs read such a
  /// page with that model alone.
  let automatic: String
  private let provided: ProvidedModels
  private let combined = Combined()

  /// The recogniser of all languages, once it is open. Thread-safe.
  private final class Combined: @unchecked Sendable {
    // Unchecked because the lock guards the only member.
    private let lock = NSLock()
    private var opened: MultilingualRecognizer?

    /// Returns the recogniser, which is opened if it is not open.
    func recognizer(
      open: () throws -> MultilingualRecognizer
    ) rethrows -> MultilingualRecognizer {
      if let opened = lock.withLock({ opened }) { return opened }
      let made = try open()
      return lock.withLock {
        opened = opened ?? made
        return opened ?? made
      }
    }
  }

  /// Makes the models.
  ///
  /// - Parameters:
  ///   - provider: The source of models.
  ///   - automatic: The model that reads text first.
  init(_ provider: any ModelProvider, automatic: String) {
    provided = ProvidedModels(provider)
    self.automatic = automatic
  }

  /// Returns whether text can be read with the bundle here.
  func configuration(bundle: String, name: String) -> ConfigurationLookup {
    provided.configuration(bundle: bundle, name: name)
  }

  /// Returns whether a language, or two with a comma between them, can be read here.
  func reads(_ language: String) -> Bool {
    language.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { name in
      ((try? provided.provider.model(for: String(name), kind: .line)) ?? nil) != nil
    }
  }

  func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
    guard bundle == automatic, let url = provided.provider.bundleURL(of: bundle) else {
      return try provided.textRecognizer(bundle: bundle, name: name)
    }
    return try combined.recognizer {
      let base = try OpenModel.open(url)
      let provider = provided.provider
      return try MultilingualRecognizer(base) { provider.packs(sharing: base.bundle) }
    }
  }

  func shapeRecognizer(name: String) throws -> any Recognizer {
    try provided.shapeRecognizer(name: name)
  }
}
