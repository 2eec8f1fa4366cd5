import ArgumentParser
import EditorStorage
import Exports
import Foundation
import InkEditor

/// `ductus doc export`.
package struct DocExportCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a document, or a part of it.",
    discussion: """
      The formats are \(Format.list). The ending of --output names the format unless --to does. \
      jiix has words, candidates, shapes and ink, svg is in millimetres, and pixels is SVG with a \
      white page and a size in pixels. intensity is JSON of the text with the force of each character; \
      its ending is .intensity.json. docs/Exports.md says what each format holds.

      pdf, html, docx, odt, markdown, graphml and mermaid hold all parts, each as a page; the others \
      hold the first part. --part chooses one. Ink that was read is not read again. The document is \
      not changed.

      Examples:
        ductus doc export notes.ductusdoc --output notes.pdf
        ductus doc export notes.ductusdoc --to text --output -
      """)

  /// A format of an export.
  package enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case intensity
    case jiix
    case inkml
    case svg
    case pixels
    case pdf
    case png
    case markdown
    case html
    case docx
    case odt
    case graphml
    case mermaid

    /// Makes the format of a name or of the ending of a file, in any case.
    package init?(argument: String) {
      if let format = Format(rawValue: argument.lowercased())
        ?? ExportFormat(named: argument).flatMap({ Format(rawValue: $0.rawValue) })
      {
        self = format
      } else {
        return nil
      }
    }

    /// The formats as a list in a sentence.
    static var list: String {
      let names = allCases.map(\.rawValue)
      return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// The format if the editor writes it.
    var type: ExportType? {
      switch self {
      case .text: .text
      case .intensity: .intensity
      case .jiix: .jiix
      case .inkml: .inkML
      case .svg, .pixels: .svg
      case .pdf, .png, .markdown, .html, .docx, .odt, .graphml, .mermaid: nil
      }
    }

    /// The pixels of an inch if none are given.
    var usualDPI: Double { self == .png ? 150 : 96 }
  }

  @Argument(help: ArgumentHelp("The document, NAME.ductusdoc.", valueName: "file"))
  var file: String

  @Option(
    name: [.customLong("to"), .customLong("format")],
    help: ArgumentHelp(
      "The format: \(Format.list). Default: the ending of --output, else text.",
      valueName: "format"))
  var format: Format?

  @Option(
    help: ArgumentHelp("The file, or - for standard output.", valueName: "file|-"))
  var output: String

  @Option(help: ArgumentHelp("The part, from 0.", valueName: "number"))
  var part: Int?

  @Option(
    help: ArgumentHelp(
      "The pixels of an inch: of pixels 96, of png 150 unless given.", valueName: "number"))
  var dpi: Double?

  @Flag(help: "html: also draw the ink of each part. markdown: draw figures.")
  var withInk = false

  package func validate() throws {
    try OutputFile(path: output, option: "--output").check()
    if let dpi, !(dpi.isFinite && dpi > 0) {
      throw ValidationError("--dpi: expected a number above 0")
    }
    _ = try chosen()
  }

  /// The format that is asked for.
  private func chosen() throws -> Format {
    if let format { return format }
    if output.lowercased().hasSuffix(".\(ExportType.intensity.ending)") { return .intensity }
    let stem = ConvertPlaces.withoutEnding(output)
    guard stem.count < output.count else { return .text }
    let ending = String(output.dropFirst(stem.count + 1))
    guard let format = Format(argument: ending) else {
      throw ValidationError(
        "--output: expected an ending of \(Format.list), found .\(ending); name the format with --to"
      )
    }
    return format
  }

  package func run() throws {
    let format = try chosen()
    if format == .png, CairoLibrary.shared == nil { throw ExportError.noCairo }
    let desk = try DocumentDesk(readsInk: true)
    let package = try desk.engine.openPackage(
      at: URL(fileURLWithPath: file), mode: .readOnly)
    let place = OutputFile(path: output, option: "--output")
    if let type = format.type {
      let editor = try desk.editor(on: try package.part(at: part ?? 0))
      try editor.waitUntilIdle()
      var text = try editor.export(as: type)
      if format == .pixels {
        text = PixelDrawing.converted(text, dpi: dpi ?? format.usualDPI)
      }
      return try place.write(text)
    }
    guard let target = ExportFormat(named: format.rawValue) else { return }
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    var document = ExportDocument(title: name)
    let parts =
      try part.map { [try package.part(at: $0)] }
      ?? (target.isOfOnePage ? [try package.part(at: 0)] : package.allParts)
    for part in parts {
      let editor = try desk.editor(on: part)
      try editor.waitUntilIdle()
      document.pages.append(try ExportPage(of: editor))
      try editor.setPart(nil)
    }
    let bytes = try target.bytes(
      of: document, ExportOptions(drawsInk: withInk), dpi: dpi ?? format.usualDPI)
    if place.isStandardOutput {
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    } else {
      try OutputFile.write(Data(bytes), to: output)
    }
  }
}
