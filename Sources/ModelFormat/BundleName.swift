import Foundation

extension URL {
  /// The name of the model in this bundle.
  package var modelName: String { deletingPathExtension().lastPathComponent }

  /// The name, in which everything except ASCII letters, digits, `-`, `_` and `.` is replaced.
  package var modelIdentifier: String {
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
