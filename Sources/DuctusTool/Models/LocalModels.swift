import Foundation
import InstalledModels
import Recognition

extension ModelLibrary {
  /// The models that the arguments of commands name: bundles by their path, installed models and
  /// those that ship.
  static let local = InstalledModels.library(takesPaths: true)
}

extension URL {
  /// The name of the model in this bundle.
  var modelName: String { deletingPathExtension().lastPathComponent }

  /// The name, in which everything except ASCII letters, digits, `-`, `_` and `.` is replaced.
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
