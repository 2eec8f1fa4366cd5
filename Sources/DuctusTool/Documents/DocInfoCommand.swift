import ArgumentParser
import EditorStorage
import Foundation
import InkCore
import InkEditor

/// `ductus doc info`.
package struct DocInfoCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "List the parts of a document.",
    discussion: """
      The ink is not loaded. The command also says whether there is unsaved work of a session \
      that was interrupted.

      Example:
        ductus doc info notes.ductusdoc --json -
      """)

  @Argument(help: ArgumentHelp("The document, NAME.ductusdoc.", valueName: "file"))
  var file: String

  @OptionGroup var output: JSONOutput

  /// A part as JSON.
  private struct Part: Encodable {
    var id: String
    var type: String
    var strokes: Int
    var blocks: Int
    /// The box of the ink in millimetres: left, top, width, height.
    var box: [Double]?
    var objects: [String]
  }

  private struct Info: Encodable {
    var file: String
    var bytes: Int
    var parts: [Part]
    var objects: [String]
    var unsavedWork: Bool
  }

  package func run() throws {
    let engine = Engine(models: LoadedModels())
    let url = URL(fileURLWithPath: file)
    let package = try engine.openPackage(at: url, mode: .readOnly)
    let parts = try package.allParts.map { part in
      let root = try part.outline()
      return Part(
        id: part.id, type: part.type.rawValue, strokes: try package.strokeCount(of: part),
        blocks: root.withDescendants.count,
        box: root.box.map { [$0.minX, $0.minY, $0.width, $0.height] },
        objects: try package.objectNames(of: part))
    }
    let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
    let info = Info(
      file: file, bytes: size ?? 0, parts: parts, objects: try package.objectNames(),
      unsavedWork: engine.hasUnsavedWork(ofPackageAt: url))
    try output.write(info, text: text(info))
  }

  private func text(_ info: Info) -> String {
    let header = ["part", "type", "strokes", "blocks", "width", "height", "objects"]
    let rows = info.parts.enumerated().map { index, part in
      [
        "\(index)", part.type, "\(part.strokes)", "\(part.blocks)",
        part.box.map { String(format: "%.0f mm", $0[2]) } ?? "–",
        part.box.map { String(format: "%.0f mm", $0[3]) } ?? "–", "\(part.objects.count)",
      ]
    }
    var lines = TextTable.lines([header] + rows, right: [0, 2, 3, 4, 5, 6])
    lines.append("\(TerminalText.count(info.bytes, "byte"))")
    if info.unsavedWork {
      lines.append("There is unsaved work; 'ductus doc add' continues with it and saves it.")
    }
    return lines.joined(separator: "\n")
  }
}
