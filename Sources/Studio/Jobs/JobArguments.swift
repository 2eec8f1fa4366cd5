import Foundation
import InkDatasets
import ModelFormat
import Recognition

/// Turns values from a page into arguments of `ductus`.
///
/// Every value is checked, and every option is one argument, `--name=value`, so that no value can be
/// taken for an option. Arguments that are no option are paths or begin with a letter.
package struct JobArguments: Sendable {
  private let context: StudioContext

  package init(_ context: StudioContext) { self.context = context }

  /// The most data of one request, and the longest text of one.
  private static let (mostData, longestText) = (16, 2000)

  /// Checks data and returns its texts for a process in the folder of the project.
  ///
  /// - Throws: `DataError` or ``StudioError``.
  package func data(_ texts: [String], field: String) throws -> [String] {
    guard (1...Self.mostData).contains(texts.count) else {
      throw StudioError(
        .invalidValue, "expected 1 to \(Self.mostData) data, found \(texts.count)", field: field)
    }
    return try texts.map { try data($0, field: field) }
  }

  private func data(_ text: String, field: String) throws -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= Self.longestText, !text.contains("\0"),
      !text.hasPrefix("-")
    else {
      throw StudioError(
        .invalidValue, "expected FORMAT:PATH[?key=value&...], such as ink:collect/mine.jsonl",
        field: field)
    }
    let named = try DataSpecification(parsing: text)
    _ = try context.data.specification(text)
    return absolute(text, named)
  }

  /// The data of the command line is relative to the folder that the studio was started in.
  private func absolute(_ text: String, _ data: DataSpecification) -> String {
    let isAllowed = context.data.allowed.contains { each in
      (try? DataSpecification(parsing: each)).map {
        $0.format == data.format && $0.path == data.path
      } ?? false
    }
    guard isAllowed, !data.path.hasPrefix("/"), !data.path.hasPrefix("~"),
      FileManager.default.fileExists(atPath: data.path), let colon = text.firstIndex(of: ":")
    else { return text }
    let path = URL(fileURLWithPath: data.path).path
    let encoded = path.addingPercentEncoding(withAllowedCharacters: Self.pathCharacters) ?? path
    let keys = text.firstIndex(of: "?").map { String(text[$0...]) } ?? ""
    return text[...colon] + encoded + keys
  }

  private static let pathCharacters = CharacterSet.urlPathAllowed.subtracting(
    CharacterSet(charactersIn: "?&%"))

  /// The name of a model of the project from a page, without the suffix.
  ///
  /// - Throws: ``StudioError``.
  static func modelName(_ text: String, field: String = "name") throws(StudioError) -> String {
    let name = try Project.name(text, field: field)
    let stem = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    return try Project.name(stem, field: field)
  }

  /// The suffix of a bundle.
  static let suffix = ".ductus"

  /// The path of a model of the project.
  static func path(ofModel name: String) -> String { "models/\(name)\(suffix)" }

  /// Finds a model of the pages and returns the path of its bundle: relative for one of the project,
  /// absolute for others.
  ///
  /// - Throws: ``StudioError`` of code `notFound`.
  func model(_ identifier: String, field: String) throws(StudioError) -> String {
    let missing = StudioError(
      .notFound, "expected a model of the studio, found none with this name; choose another",
      field: field)
    guard let url = context.configuration.library.bundleURL(of: identifier) else { throw missing }
    let path = url.standardizedFileURL.path
    let own = context.project.root.appendingPathComponent("models").standardizedFileURL.path + "/"
    guard path.hasPrefix(own) else { return path }
    let relative = "models/" + path.dropFirst(own.count)
    // A link could lead to another place by now.
    _ = try context.project.url(of: relative)
    return relative
  }

  /// The kind of a model of the pages.
  func kind(ofModel identifier: String) -> ModelManifest.Kind? {
    context.configuration.library.models.first { $0.identifier == identifier }?.kind
  }
}
