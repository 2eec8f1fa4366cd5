import Files
import Foundation
import InkCore
import InkEditor
import Recognition

/// The models of pages: those of a provider, with one bundle that reads the best of all languages.
struct PageModels: EditorModels {
  /// The bundle of pages without a chosen language: the default model. Other programs read such a
  /// page with that model alone.
  let automatic: String
  private let provided: ProvidedModels
  /// The recogniser of all languages, once it is open.
  private let combined = Guarded<MultilingualRecognizer?>(nil)

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

  func direction(bundle: String, name: String) -> WritingDirection {
    provided.direction(bundle: bundle, name: name)
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
    if let opened = combined.withLock({ $0 }) { return opened }
    let base = try OpenModel.open(url)
    let provider = provided.provider
    let made = try MultilingualRecognizer(base) { provider.packs(sharing: base.bundle) }
    return combined.withLock { opened in
      let kept = opened ?? made
      opened = kept
      return kept
    }
  }

  func shapeRecognizer(name: String) throws -> any Recognizer {
    try provided.shapeRecognizer(name: name)
  }

  func gestureRecognizer(name: String) throws -> any Recognizer {
    try provided.gestureRecognizer(name: name)
  }

  func formulaRecognizer(name: String) throws -> any Recognizer {
    try provided.formulaRecognizer(name: name)
  }
}
