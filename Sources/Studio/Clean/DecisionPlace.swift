import Foundation
import InkDatasets

/// The file of the project that holds the decisions about some data.
package struct DecisionPlace: Sendable {
  /// The folder of such files.
  static let folder = "decisions"
  private static let suffix = ".jsonl"

  let project: Project
  /// The path in the project.
  package let path: String
  let url: URL

  /// Finds the file of data: the one that it names, or one named after the path of the data. Data
  /// of equal names shares a file, which is harmless: decisions name inks by their points.
  ///
  /// - Throws: ``StudioError`` if the data names a file elsewhere, which would be written to.
  package init(of data: DataSpecification, in project: Project) throws(StudioError) {
    if let named = data.decisions {
      guard named.hasPrefix(Self.folder + "/"), named.hasSuffix(Self.suffix) else {
        throw StudioError(
          .invalidValue, "expected decisions=decisions/NAME.jsonl, found another place",
          field: "data")
      }
      path = named
    } else {
      path = "\(Self.folder)/\(Self.name(of: data))\(Self.suffix)"
    }
    url = try project.url(of: path)
    self.project = project
  }

  /// The most bytes of a name.
  private static let longest = 80

  private static func name(of data: DataSpecification) -> String {
    var parts = data.path.split(separator: "/").filter { $0 != "." && $0 != ".." && $0 != "~" }
    // Data outside the project: its last folder and its name.
    if data.path.hasPrefix("/") || data.path.hasPrefix("~") { parts = parts.suffix(2) }
    if let last = parts.last, let dot = last.firstIndex(of: "."), dot > last.startIndex {
      parts[parts.count - 1] = last[..<dot]
    }
    if data.format == .starter { parts.insert("starter", at: 0) }
    var name = ""
    for character in parts.joined(separator: "-") {
      let isPlain = character.isLetter || character.isNumber || "-_.+".contains(character)
      let next = isPlain ? String(character) : "-"
      guard name.utf8.count + next.utf8.count <= longest else { break }
      name += next
    }
    let trimmed = String(name.drop { $0 == "." || $0 == "-" })
    return trimmed.isEmpty ? "data" : trimmed
  }

  /// Returns the text of data with these decisions, for `--data` in the folder of the project.
  package func decided(_ text: String) -> String {
    guard let data = try? DataSpecification(parsing: text), data.decisions == nil else {
      return text
    }
    var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "!"..."~"))
    allowed.insert(charactersIn: "/-_.")
    let value = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    return text + (text.contains("?") ? "&" : "?") + "decisions=" + value
  }
}
