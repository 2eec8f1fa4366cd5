import Foundation
import LanguageModels
import ModelFormat
import ModelStore
import Recognition

/// Finds the model that an argument names.
enum ModelLocation {
  /// The bundle at a path, or else the installed model of the name.
  static func url(of argument: String) throws -> URL {
    let url = URL(fileURLWithPath: argument)
    // A manager makes its folder: only for what can be a name, and only where there is a store.
    let store = ModelManager.defaultStorage
    guard !FileManager.default.fileExists(atPath: argument), !argument.contains("/"),
      !argument.hasSuffix(".ductus"), FileManager.default.fileExists(atPath: store.path)
    else { return url }
    return try ModelManager(storage: store).installedModel(argument)?.url ?? url
  }
}

/// The language model to read with: the one that was given, or else the bundle's own.
struct ChosenLanguageModel {
  var model: LanguageModel
  var sha256: String

  init?(_ path: String?, of bundle: ModelBundle) throws {
    if let path {
      let file = try Recognition.LanguageModelFile(contentsOf: path)
      (model, sha256) = (file.model, file.sha256)
    } else {
      let part = bundle.manifest.parts.first { $0.role == BundleRecognizer.languageRole }
      guard let part, let own = try BundleRecognizer.languageModel(of: bundle) else { return nil }
      (model, sha256) = (own, part.sha256)
    }
  }
}
