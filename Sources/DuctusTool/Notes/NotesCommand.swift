import ArgumentParser
import Foundation
import InkSearch

/// `ductus notes`.
package struct NotesCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "notes",
    abstract: "Find what is written in folders of notes.",
    discussion: """
      'index' reads the notes of folders, 'search' finds words in them: handwritten words, also \
      those that were misread if another reading has them, and typed ones. Files of Xournal++, \
      reMarkable, Rnote, Wacom, Saber, Butterfly and Supernote, InkML, JIIX, SVG, Excalidraw, tldraw \
      and PDF with ink are read; docs/NoteFiles.md says what of each.

      The index is one SQLite file that only you can read: --index names it, else $DUCTUS_NOTES, \
      else notes.sqlite in the user's data folder.

      Examples:
        ductus notes index Documents/Notes
        ductus notes search 'meeting paris'
        ductus notes search '"next week" -cancelled in:work' --html hits.html
        ductus notes list
      """,
    subcommands: [
      NotesIndexCommand.self, NotesSearchCommand.self, NotesListCommand.self,
      NotesWatchCommand.self, NotesForgetCommand.self, NotesDeleteCommand.self,
      NotesExportCommand.self,
    ])
}

/// The option that names the index.
package struct NotesIndexOption: ParsableArguments {
  package init() {}

  @Option(
    name: .customLong("index"),
    help: ArgumentHelp(
      "The index. Default: $DUCTUS_NOTES, or notes.sqlite in the user's data folder.",
      valueName: "file"))
  var path: String?

  var file: URL { path.map { URL(fileURLWithPath: $0) } ?? InkIndex.defaultFile }
}

extension InkSearchError: BadInputError {
  /// False if the system refused to read or write.
  package var isBadInput: Bool {
    switch self {
    case .unusable, .full, .busy, .cancelled: false
    case .newer, .missing, .badQuery, .unknownFolder, .badFolder: true
    }
  }
}

/// `ductus notes list`.
package struct NotesListCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the folders of the index, and the files that could not be read.",
    discussion: """
      Example:
        ductus notes list
      """)

  @OptionGroup var index: NotesIndexOption
  @OptionGroup var output: JSONOutput

  package func run() throws {
    let index = try InkIndex(at: index.file)
    let folders = try index.folders()
    try output.write(folders, text: Self.text(folders, index))
  }

  private static func text(_ folders: [InkIndex.Folder], _ index: InkIndex) -> String {
    let format = ISO8601DateFormatter()
    var lines: [String] = []
    for folder in folders {
      lines.append(
        "\(folder.path): \(TerminalText.count(folder.files, "file")), "
          + "\(TerminalText.count(folder.pages, "page")), "
          + (folder.indexed.map { "indexed \(format.string(from: $0))" } ?? "not finished")
          + (folder.model.map { ", model \($0)" } ?? "")
          + (folder.language.map { ", language \($0)" } ?? ""))
      for problem in folder.problems { lines.append("  \(problem.file): \(problem.reason)") }
    }
    lines.append("\(index.file.path): \(index.byteCount / 1000) kB")
    return lines.joined(separator: "\n")
  }
}

/// `ductus notes forget`.
package struct NotesForgetCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Take a folder out of the index.",
    discussion: """
      The notes themselves stay. What the index held of them is overwritten.

      Example:
        ductus notes forget Documents/Notes
      """)

  @Argument(help: "The folder, as 'ductus notes list' shows it, or relative to the current one.")
  var folder: String

  @OptionGroup var index: NotesIndexOption

  package func run() throws {
    guard FileManager.default.fileExists(atPath: index.file.path) else {
      throw InkSearchError.missing(path: index.file.path)
    }
    let index = try InkIndex(at: index.file, isWritten: true)
    try index.forget(URL(fileURLWithPath: folder).standardizedFileURL.path)
  }
}

/// `ductus notes delete`.
package struct NotesDeleteCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete the index.",
    discussion: """
      The notes themselves stay.

      Example:
        ductus notes delete
      """)

  @OptionGroup var index: NotesIndexOption

  package func run() throws { try InkIndex.delete(at: index.file) }
}

/// `ductus notes export`.
package struct NotesExportCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write whole folders of notes as PDF, Markdown or another format.",
    discussion: """
      The same as 'ductus convert' on the folders that are named, or on all folders of the index. \
      PDF holds the ink with its text behind it, so that a viewer finds handwriting.

      Example:
        ductus notes export Documents/Notes --to pdf --output searchable
      """)

  @Argument(help: "The folders; all of the index if none is named.")
  var folders: [String] = []

  @Option(help: ArgumentHelp("The format, as of 'ductus convert'.", valueName: "format"))
  var to = "pdf"

  @Option(help: ArgumentHelp("The folder to write to.", valueName: "folder"))
  var output: String

  @OptionGroup var index: NotesIndexOption

  package func run() throws {
    let names =
      folders.isEmpty ? try InkIndex(at: index.file).folders().map(\.path) : folders
    guard !names.isEmpty else { throw ToolError.badInput("the index has no folder") }
    for name in names {
      let folder = names.count == 1 ? output : output + "/" + (name as NSString).lastPathComponent
      let command = try ConvertCommand.parse([name, "--to", to, "--output", folder])
      try command.run()
    }
  }
}
