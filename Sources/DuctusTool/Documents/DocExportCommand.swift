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

      Each part is a page. png, jpeg, svg, pixels and jiix hold one page: the first part, or with \
      --pages a file for each, NAME-1.png and so on. The others hold all parts. Ink that was read is \
      not read again. The document is not changed.

      Examples:
        ductus doc export notes.ductusdoc --output notes.pdf
        ductus doc export notes.ductusdoc --output notes.docx --pages 1-
        ductus doc export notes.ductusdoc --to text --output -
      """)

  /// A format of an export.
  package enum Format: ExpressibleByArgument, Hashable {
    /// One of the formats of files.
    case file(ExportFormat)
    /// JSON of the text with the force of each character.
    case intensity
    /// SVG with a white page and a size in pixels.
    case pixels

    /// Makes the format of a name or of the ending of a file, in any case.
    package init?(argument: String) {
      if argument.lowercased() == "pixels" {
        self = .pixels
      } else if argument.lowercased() == "intensity" {
        self = .intensity
      } else if let format = ExportFormat(named: argument) {
        self = .file(format)
      } else {
        return nil
      }
    }

    /// The formats as a list in a sentence.
    static var list: String {
      (ExportFormat.allCases.map(\.rawValue) + ["intensity"]).joined(separator: ", ")
        + " and pixels"
    }

    /// The format that is exported.
    var target: ExportFormat {
      switch self {
      case .file(let format): format
      case .intensity: .text
      case .pixels: .svg
      }
    }

    /// The pixels of an inch if none are given.
    var usualDPI: Double { self == .pixels ? 96 : 150 }
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
      "The parts as pages, from 1: numbers and ranges, such as 1-3,5 or 2-.", valueName: "ranges"))
  var pages: PageRanges?

  @Option(
    help: ArgumentHelp("A block of the part alone: an id of its JIIX.", valueName: "id"))
  var block: String?

  @Option(
    help: ArgumentHelp(
      "The pixels of an inch: of pixels 96, of png and jpeg 150 unless given.", valueName: "number")
  )
  var dpi: Double?

  @Flag(help: "html: also draw the ink of each part. markdown: draw figures.")
  var withInk = false

  package func validate() throws {
    try OutputFile(path: output, option: "--output").check()
    if let dpi, !(dpi.isFinite && dpi > 0) {
      throw ValidationError("--dpi: expected a number above 0")
    }
    _ = try chosen()
    if part != nil, pages != nil {
      throw ValidationError("--pages: expected no --part beside it, found both")
    }
  }

  /// The format that is asked for.
  private func chosen() throws -> Format {
    if let format { return format }
    if output.lowercased().hasSuffix(".\(ExportType.intensity.ending)") { return .intensity }
    let stem = ConvertPlaces.withoutEnding(output)
    guard stem.count < output.count else { return .file(.text) }
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
    let target = format.target
    if target.isPicture { try LibraryPainter.check(target) }
    let desk = try DocumentDesk(readsInk: true)
    let package = try desk.engine.openPackage(
      at: URL(fileURLWithPath: file), mode: .readOnly)
    let place = OutputFile(path: output, option: "--output")
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    let options = ExportOptions(
      title: name, drawsInk: withInk, dpi: dpi ?? format.usualDPI)
    let parts = try parts(of: package, target)
    if format == .intensity { return try writeIntensity(parts, desk, place) }
    guard format != .pixels, !place.isStandardOutput else {
      return try writeInMemory(parts, format, options, desk, place)
    }
    let export = try ExportFile(output, target, options: options)
    let watch = ConvertWatch(files: 1)
    watch.begin(export, file)
    for part in parts {
      try watch.check()
      try export.add(try page(of: part, target, options, desk))
      watch.show(export.pageCount)
    }
    try watch.check()
    try export.finish()
    watch.clear()
    watch.note(missingLetters: export.missingLetters)
  }

  /// Writes the text of the first part with the force of each character.
  private func writeIntensity(
    _ parts: [ContentPart], _ desk: DocumentDesk, _ place: OutputFile
  ) throws {
    guard let part = parts.first else { return }
    let editor = try desk.editor(on: part)
    try editor.waitUntilIdle()
    try place.write(try editor.export(as: .intensity))
    try editor.setPart(nil)
  }

  /// Writes pages that are changed, or that go to standard output.
  private func writeInMemory(
    _ parts: [ContentPart], _ format: Format, _ options: ExportOptions, _ desk: DocumentDesk,
    _ place: OutputFile
  ) throws {
    guard format == .pixels else {
      let export = try ExportFile(nil, format.target, options: options)
      do {
        for part in parts { try export.add(try page(of: part, format.target, options, desk)) }
      } catch ExportError.severalPages(let name, _) {
        throw ToolError.badInput(
          "--output -: expected one page for \(name), found more; name a file")
      }
      try export.finish()
      guard format.target.isText else {
        return try FileHandle.standardOutput.write(contentsOf: Data(export.bytes))
      }
      return try place.write(String(decoding: export.bytes, as: UTF8.self))
    }
    for (index, part) in parts.enumerated() {
      let page = try page(of: part, .svg, options, desk)
      let svg = String(
        decoding: try ExportFormat.svg.bytes(of: page, title: options.title ?? "", options),
        as: UTF8.self)
      let target = parts.count > 1 ? ExportFile.numbered(output, index + 1) : output
      if place.isStandardOutput, parts.count > 1 {
        throw ToolError.badInput(
          "--output -: expected one page for pixels, found more; name a file")
      }
      try OutputFile(path: target, option: "--output")
        .write(PixelDrawing.converted(svg, dpi: options.dpi))
    }
  }

  /// Returns the parts that become pages.
  private func parts(
    of package: ContentPackage, _ target: ExportFormat
  ) throws -> [ContentPart] {
    if let part { return [try package.part(at: part)] }
    guard let pages else {
      return target.isOfOnePage || block != nil ? [try package.part(at: 0)] : package.allParts
    }
    let all = package.allParts
    return try pages.numbers(upTo: all.count).map { all[$0 - 1] }
  }

  private func page(
    of part: ContentPart, _ target: ExportFormat, _ options: ExportOptions, _ desk: DocumentDesk
  ) throws -> ExportPage {
    let editor = try desk.editor(on: part)
    try editor.waitUntilIdle()
    let chosen = try block.map { id in
      guard let found = editor.block(id: id) else {
        throw ToolError.badInput(
          "--block \(id): expected the id of a block of the part, found none; the "
            + "export to jiix shows them")
      }
      return found
    }
    let page = try ExportPage(of: editor, chosen, for: target, options)
    try editor.setPart(nil)
    // The package is open for reading: a long document must not fill the memory.
    part.unload()
    return page
  }
}
