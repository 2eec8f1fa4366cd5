/// Text for XML and HTML.
package enum XMLText {
  /// Returns a text as content or as the value of an attribute, without the characters that XML 1.0
  /// lacks.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default:
        guard scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF else { continue }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
