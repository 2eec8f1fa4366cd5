import ArgumentParser
import EditorStorage
import Foundation
import InkCore
import InkEditor
import InkFormats

/// `ductus doc`.
package struct DocCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "doc",
    abstract: "Make, fill, read and check documents of ink.",
    discussion: """
      A document is one file, NAME.ductusdoc: parts with their ink, what was read in it, metadata \
      and objects. Opening one reads no ink again. docs/DocumentFormat.md describes the format. \
      Without a command, the documents of the current folder are listed.

      Examples:
        ductus doc new notes.ductusdoc --part Text
        ductus doc add notes.ductusdoc ink.jsonl
        ductus doc export notes.ductusdoc --output notes.pdf
      """,
    subcommands: [
      DocListCommand.self, DocNewCommand.self, DocInfoCommand.self, DocAddCommand.self,
      DocTypesetCommand.self, DocExportCommand.self, DocCheckCommand.self, DocReplayCommand.self,
    ],
    defaultSubcommand: DocListCommand.self)
}

/// `ductus doc new`.
package struct DocNewCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make a document with an empty part.",
    discussion: """
      An existing file is kept: the command fails.

      Example:
        ductus doc new notes.ductusdoc --part 'Raw Content'
      """)

  @Argument(help: ArgumentHelp("The document, NAME.ductusdoc.", valueName: "file"))
  var file: String

  @Option(
    help: ArgumentHelp(
      "The type of the part: \(PartType.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "type"))
  var part = "Text"

  package func run() throws {
    let engine = Engine(models: LoadedModels())
    // Before the package is made.
    _ = try engine.makePart(type: part)
    let package = try engine.createPackage(at: URL(fileURLWithPath: file))
    do {
      _ = try package.makePart(type: part)
      try package.save()
    } catch {
      try? package.discardUnsavedChanges()
      try? package.close()
      throw error
    }
    try package.close()
  }
}

/// `ductus doc add`.
package struct DocAddCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add ink to a part of a document, and read it.",
    discussion: """
      <ink> is a file of any format that 'ductus recognize' reads. JIIX keeps its words and \
      candidates; JIIX and InkML are in millimetres, Xournal++ in points, and other ink in tenths \
      of a millimetre unless --scale is given. A text is the transcript of the ink that is there; \
      in an empty part it becomes typed text. A picture (PNG, JPEG, SVG) is put below what is there. \
      With --pages, each page of the file becomes a part of its own.

      Each stroke is stored as soon as it is written, and the document is saved at the end. \
      Unsaved work from an interrupted session is also saved.

      Example:
        ductus doc add notes.ductusdoc page.inkml --part 0
      """)

  @Argument(help: ArgumentHelp("The document, NAME.ductusdoc.", valueName: "file"))
  var file: String

  @Argument(help: ArgumentHelp("A file of ink, or a text.", valueName: "ink"))
  var ink: String

  @Option(help: ArgumentHelp("The part, from 0; the last one by default.", valueName: "number"))
  var part: Int?

  @Option(help: ArgumentHelp("Millimetres of a unit of the ink.", valueName: "number"))
  var scale: Double?

  @Flag(help: "Make a part of each page of the file, behind those that are there.")
  var pages = false

  @Flag(help: "Do not read the ink now; it is read when the part is opened.")
  var unread = false

  @Option(
    help: ArgumentHelp(
      "Save after every N strokes, too, and print each stored one.", valueName: "n"))
  var saveEvery: Int?

  package func validate() throws {
    if let scale, !(scale > 0 && scale.isFinite) {
      throw ValidationError("--scale: expected a number above 0")
    }
    if let saveEvery, saveEvery < 1 { throw ValidationError("--save-every: expected 1 or more") }
    if pages, part != nil || saveEvery != nil {
      throw ValidationError("--pages: expected neither --part nor --save-every beside it")
    }
  }

  package func run() throws {
    let desk = try DocumentDesk(readsInk: !unread)
    let package = try desk.engine.openPackage(at: URL(fileURLWithPath: file))
    if package.isRecovered { DocumentDesk.note("\(file): continues unsaved work") }
    if let aside = package.unsavedWorkSetAside {
      DocumentDesk.note("\(aside.path): unsaved work that does not belong to \(file)")
    }
    if pages { return try addPages(package, desk) }
    let index = part ?? package.partCount - 1
    let editor = try desk.editor(on: try package.part(at: index))
    let before = editor.rootBlock?.items.count ?? 0
    if saveEvery != nil {
      print("opened \(before)")
      fflush(nil)
    }
    try add(to: editor, package)
    if !unread { try editor.waitUntilIdle() }
    try package.save()
    let count = editor.rootBlock?.items.count ?? 0
    print(
      "\(file): part \(index) has \(TerminalText.count(count, "stroke")), \(count - before) new")
    try editor.setPart(nil)
    try package.close()
  }

  /// Adds a part of mixed content for each page of the file.
  private func addPages(_ package: ContentPackage, _ desk: DocumentDesk) throws {
    var count = 0
    for strokes in try DocumentInk.pages(ink, scale: scale) {
      let editor = try desk.editor(on: try package.makePart(type: PartType.rawContent.rawValue))
      for stroke in strokes { try editor.write(stroke) }
      if !unread { try editor.waitUntilIdle() }
      try package.flush()
      try editor.setPart(nil)
      count += 1
    }
    try package.save()
    print("\(file): \(TerminalText.count(count, "part")) new, \(package.partCount) in all")
    try package.close()
  }

  /// The endings of pictures.
  private static let pictures: Set<String> = ["png", "jpg", "jpeg", "svg"]

  private func add(to editor: Editor, _ package: ContentPackage) throws {
    let url = URL(fileURLWithPath: ink)
    if Self.pictures.contains(url.pathExtension.lowercased()), scale == nil,
      !url.pathExtension.lowercased().hasPrefix("svg") || !DocumentInk.isInk(ink)
    {
      let bottom = editor.rootBlock?.box.map { $0.maxY + 5 } ?? 10
      try editor.addImage(contentsOf: url, x: 15, y: bottom)
      return
    }
    if let type = ExportType(endingOf: URL(fileURLWithPath: ink)), type != .svg, scale == nil,
      saveEvery == nil
    {
      try editor.importDocument(try DocumentInk.bytes(ink), as: type)
      return
    }
    let strokes = try DocumentInk.strokes(ink, scale: scale)
    if scale == nil, let hint = DocumentInk.sizeHint(strokes, path: ink) {
      DocumentDesk.note(hint)
    }
    for (index, stroke) in strokes.enumerated() {
      try editor.write(stroke)
      guard let saveEvery else { continue }
      try package.flush()
      if (index + 1).isMultiple(of: saveEvery) { try package.save() }
      print("stroke \(index + 1)")
      fflush(nil)
    }
  }
}

/// `ductus doc check`.
package struct DocCheckCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a document, or save what is left of a damaged one.",
    discussion: """
      Verifies the pages of the file, the checksum of each record, and that all content fits \
      together. The file is never changed. With --repair, what can be saved is written to a new \
      file.

      Example:
        ductus doc check notes.ductusdoc --repair --output saved.ductusdoc
      """)

  @Argument(help: ArgumentHelp("The document, NAME.ductusdoc.", valueName: "file"))
  var file: String

  @Flag(help: "Write what can be saved to the file of --output.")
  var repair = false

  @Option(help: ArgumentHelp("The new document, with --repair.", valueName: "file"))
  var output: String?

  @OptionGroup var json: JSONOutput

  package func validate() throws {
    guard repair == (output != nil) else {
      throw ValidationError("--repair and --output need each other")
    }
  }

  package func run() throws {
    let check = PackageCheck(of: URL(fileURLWithPath: file))
    if let output {
      let result = try check.repair(to: URL(fileURLWithPath: output))
      let rebuilt =
        result.rebuiltParts > 0 ? ", \(result.rebuiltParts) of them to be read again" : ""
      try json.write(
        result,
        text: """
          \(output): saved \(TerminalText.count(result.strokes, "stroke")) in \
          \(TerminalText.count(result.parts, "part"))\(rebuilt), \
          \(TerminalText.count(result.lostStrokes, "stroke")) lost
          """)
      return
    }
    let report = try check.report()
    let summary =
      "\(TerminalText.count(report.strokes, "stroke")) in "
      + TerminalText.count(report.parts, "part")
    let lines =
      report.isClean
      ? ["\(file): intact, \(summary)"]
      : report.problems.map { "\(file): \($0)" }
        + ["\(file): damaged; \(summary) can be saved with --repair --output NEW"]
    try json.write(report, text: lines.joined(separator: "\n"))
    if !report.isClean { throw ExitCode(Outcome.Code.failed) }
  }
}
