import Foundation
import ModelFormat
import ModelStore
import PretrainedModels

/// Finds the model that an argument names.
enum ModelLocation {
  /// The model that ink is read with where none is named.
  static let defaultModel = "latin-lines"

  /// The bundle at a path, or else the installed model of the name, or else the one that ships.
  static func url(of argument: String) throws -> URL {
    let url = URL(fileURLWithPath: argument)
    guard !FileManager.default.fileExists(atPath: argument), !argument.contains("/"),
      !argument.hasSuffix(".ductus")
    else { return url }
    let store = ModelManager.defaultStorage
    // A manager makes its folder: only where there is a store.
    if FileManager.default.fileExists(atPath: store.path),
      let installed = try ModelManager(storage: store).installedModel(argument)
    {
      return installed.url
    }
    do {
      return try PretrainedModels().url(of: argument) ?? url
    } catch is PretrainedModelsError where argument != defaultModel {
      // Where the models that ship are not there, a name is a path that is not there.
      return url
    }
  }
}
