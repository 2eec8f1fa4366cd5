import Foundation

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
