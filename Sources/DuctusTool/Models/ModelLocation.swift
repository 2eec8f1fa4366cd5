import Foundation
import ModelFormat
import ModelStore
import PretrainedModels

/// Finds the model that an argument names.
enum ModelLocation {
  /// The model that ink is read with where none is named.
  static let defaultModel = "latin-lines"

  /// The bundle at a path, or else the installed model of the name, or else the one that ships.
  ///
  /// - Throws: ``ToolError`` for a name that is none of them.
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
      if let url = try PretrainedModels.shippedBundle(of: argument) { return url }
      throw ToolError.unknownModel(
        argument, shipped: try PretrainedModels().models.map(\.identifier))
    } catch is PretrainedModelsError where argument != defaultModel {
      // Where the models that ship are not there, a name is a path that is not there.
      return url
    }
  }
}

extension ToolError {
  /// No model has this name; `shipped` names those that ship.
  static func unknownModel(_ name: String, shipped: [String]) -> ToolError {
    .badInput(
      "\(name): expected a model bundle NAME.ductus, or the name of an installed model or one that "
        + "ships (\(shipped.joined(separator: ", "))), found none of that name")
  }
}

extension URL {
  /// The name of a model whose bundle is here.
  var modelName: String { deletingPathExtension().lastPathComponent }

  /// The name, with everything but ASCII letters, digits, `-`, `_` and `.` replaced.
  var modelIdentifier: String {
    let kept = modelName.unicodeScalars.map { scalar -> Character in
      let isPlain =
        scalar.isASCII
        && (CharacterSet.alphanumerics.contains(scalar) || "-_.".unicodeScalars.contains(scalar))
      return isPlain ? Character(scalar) : "-"
    }
    let text = String(kept.prefix(128).drop { $0 == "." })
    return text.isEmpty ? "model" : text
  }
}
