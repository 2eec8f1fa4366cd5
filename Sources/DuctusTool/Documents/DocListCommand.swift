import ArgumentParser
import EditorStorage
import Foundation
import InkEditor

/// `ductus doc list`, which `ductus doc` alone does, too.
package struct DocListCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the documents of a folder.",
    discussion: """
      The documents are opened for reading, and their ink is not loaded. A file that cannot be \
      opened is listed with the reason.

      Example:
        ductus doc list notes
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "folder"))
  var folder = "."

  @OptionGroup var output: JSONOutput

  /// A document.
  package struct Row: Encodable {
    var file: String
    var parts: [String]
    var strokes: Int
    var unsavedWork: Bool
    /// The reason why it cannot be opened.
    var error: String?
  }

  package func run() throws {
    let rows = try Self.documents(in: folder)
    try output.write(rows, text: Self.text(rows, folder: folder))
  }

  /// Returns the documents of a folder, by name.
  static func documents(in folder: String) throws -> [Row] {
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      isFolder.boolValue
    else { throw ToolError.badInput("\(folder): expected a folder, found none") }
    let engine = Engine(models: LoadedModels())
    return try FileManager.default.contentsOfDirectory(atPath: url.path)
      .filter { $0.hasSuffix(".ductusdoc") && !$0.hasPrefix(".") }.sorted()
      .map { row(of: $0, at: url.appendingPathComponent($0), engine) }
  }

  private static func row(of name: String, at url: URL, _ engine: Engine) -> Row {
    do {
      let package = try engine.openPackage(at: url, mode: .readOnly)
      defer { try? package.close() }
      let parts = package.allParts
      let strokes = try parts.reduce(0) { try $0 + package.strokeCount(of: $1) }
      return Row(
        file: name, parts: parts.map(\.type.rawValue), strokes: strokes,
        unsavedWork: engine.hasUnsavedWork(ofPackageAt: url))
    } catch {
      return Row(file: name, parts: [], strokes: 0, unsavedWork: false, error: "\(error)")
    }
  }

  static func text(_ rows: [Row], folder: String) -> String {
    guard !rows.isEmpty else {
      return "no document in \(folder): 'ductus doc new NAME.ductusdoc' makes one"
    }
    let cells = rows.map { row in
      [
        TerminalText.label(row.file), row.parts.joined(separator: ", "),
        row.error == nil ? "\(row.strokes)" : "–",
        row.error.map { TerminalText.label($0, limit: 200) }
          ?? (row.unsavedWork ? "unsaved work" : ""),
      ]
    }
    return TextTable.lines([["document", "parts", "strokes", ""]] + cells, right: [2])
      .joined(separator: "\n")
  }
}
