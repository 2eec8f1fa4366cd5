import Foundation
import ModelFormat
import ModelStore
import PretrainedModels

/// Finds the model for an argument.
enum ModelLocation {
  /// The default model for reading ink.
  static let defaultModel = "latin-lines"

  /// Names the places where packs find the parts that they share: the shipped models and the store.
  static func findSharedParts() {
    SharedParts.add {
      [try? PretrainedModels.shippedFolder(), ModelManager.defaultStorage].compactMap { $0 }
    }
  }

  /// The bundle at a path, or else the installed model with this name, or else the shipped one
  /// with this name or language tag.
  ///
  /// - Throws: ``ToolError`` for any other name.
  static func url(of argument: String) throws -> URL {
    let url = URL(fileURLWithPath: argument)
    // A folder that is no bundle does not hide the model of its name.
    let manifest = url.appendingPathComponent("manifest.json").path
    guard !FileManager.default.fileExists(atPath: manifest), !argument.contains("/"),
      !argument.hasSuffix(".ductus")
    else { return url }
    let store = ModelManager.defaultStorage
    // A manager creates its folder, so make one only if the store exists.
    if FileManager.default.fileExists(atPath: store.path),
      let installed = try ModelManager(storage: store).installedModel(argument)
    {
      return installed.url
    }
    do {
      if let url = try PretrainedModels.shippedBundle(for: argument) { return url }
      throw ToolError.unknownModel(
        argument, shipped: try PretrainedModels().models.map(\.identifier))
    } catch is PretrainedModelsError where argument != defaultModel {
      // Without the shipped models, treat the name as a path, which does not exist.
      return url
    }
  }
}

extension ToolError {
  /// The error for an unknown name; `shipped` are the names of the shipped models.
  static func unknownModel(_ name: String, shipped: [String]) -> ToolError {
    .badInput(
      "\(name): expected a model bundle NAME.ductus, or the name of an installed or shipped model "
        + "(\(shipped.joined(separator: ", "))), found none")
  }
}
