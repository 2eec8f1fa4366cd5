import ArgumentParser
import Files
import Foundation
import InkCore
import InkFormats
import InkSearch
import Recognition

/// The options of reading notes.
package struct NotesReadingOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The model, as of 'ductus recognize', or 'default'. Default: that of the folder.",
      valueName: "model"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "The language of the writing, which selects the model instead of --model.", valueName: "tag"))
  var language: String?

  @Option(
    help: ArgumentHelp("The pages that are read at once. Default: one for each processor."))
  var workers: Int?

  package func validate() throws {
    if let workers, workers < 1 { throw ValidationError("--workers: expected 1 or more") }
  }

  /// The request for a page.
  var request: RecognitionRequest { Self.request(of: choice ?? ReadingChoice()) }

  /// The request for a page with a model.
  private static func request(of choice: ReadingChoice) -> RecognitionRequest {
    var request = NotesIndexer.request
    request.model = choice.model
    request.language = choice.language
    return request
  }

  /// The name of the model that is used where none is named.
  private static let defaultModel = "default"

  /// The model and the language that are named; nil if none is.
  private var choice: ReadingChoice? {
    guard model != nil || language != nil else { return nil }
    guard let model, model != Self.defaultModel else { return ReadingChoice(language: language) }
    // A file is the same from wherever the command runs.
    let path = URL(fileURLWithPath: model).standardizedFileURL.path
    return ReadingChoice(
      model: FileManager.default.fileExists(atPath: path) ? path : model, language: language)
  }

  /// Makes the indexer.
  func indexer(_ index: InkIndex) throws -> NotesIndexer {
    let choice = choice
    // A wrong name is an error before any folder is looked at.
    if let choice { _ = try Self.reader(choice) }
    return NotesIndexer(
      index, workers: workers ?? ProcessInfo.processInfo.activeProcessorCount, choice: choice,
      makeReader: Self.reader)
  }

  /// Makes the reader of pages with a model.
  private static func reader(_ choice: ReadingChoice) throws -> NotesIndexer.Reader {
    let request = request(of: choice)
    let service = RecognitionService.ofCommandLine(request, lexicon: nil)
    try service.readerOfCommandLine()
    return NotesIndexer.reader(service, request)
  }
}

/// `ductus notes index`.
package struct NotesIndexCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Read the notes of folders, or what has changed in them.",
    discussion: """
      Only pages that changed are read again. Files that moved are followed, and those that are gone \
      leave the index. A file that cannot be read costs itself; 'ductus notes list' says why. Another \
      --model or --language reads all pages of a folder again; without both, a folder keeps its own. \
      Without a folder, all folders of the index are brought up to date. What is indexed stays if the command \
      is stopped.

      Example:
        ductus notes index Documents/Notes
      """)

  @Argument(help: "The folders.")
  var folders: [String] = []

  @OptionGroup var index: NotesIndexOption
  @OptionGroup var reading: NotesReadingOptions
  @OptionGroup var output: JSONOutput

  package func run() throws {
    let index = try InkIndex(at: index.file, isWritten: true)
    let names = folders.isEmpty ? try index.folders().map(\.path) : folders
    guard !names.isEmpty else {
      throw ToolError.badInput("expected a folder, found none: 'ductus notes index FOLDER'")
    }
    let flag = Interruption.listen()
    let indexer = try reading.indexer(index)
    let summaries = try NotesWork.update(names, indexer, flag)
    try output.write(summaries, text: summaries.map(\.text).joined(separator: "\n"))
  }
}

/// Brings folders up to date with one line of progress.
enum NotesWork {
  /// The work that was done in a folder.
  struct FolderSummary: Encodable {
    var folder: String
    var summary: NotesIndexer.Summary

    var text: String {
      var parts = [
        TerminalText.count(summary.files, "file"),
        TerminalText.count(summary.pagesRead, "page") + " read",
      ]
      if summary.pagesKept > 0 { parts.append("\(summary.pagesKept) unchanged") }
      if summary.moved > 0 { parts.append("\(summary.moved) moved") }
      if summary.removed > 0 { parts.append("\(summary.removed) removed") }
      if summary.isOtherModel { parts.append("all again with another model") }
      if summary.failed > 0 {
        parts.append("\(summary.failed) with errors, see 'ductus notes list'")
      }
      return "\(folder): " + parts.joined(separator: ", ")
    }
  }

  static func update(
    _ folders: [String], _ indexer: NotesIndexer, _ flag: InterruptionFlag
  ) throws -> [FolderSummary] {
    var line = ProgressLine()
    defer { line.clear() }
    return try folders.map { folder in
      let summary = try indexer.update(folder, isCancelled: { flag.isRaised }) { progress in
        line.show(
          progress.allFiles > 0 ? Double(progress.files) / Double(progress.allFiles) : nil,
          "\(progress.files) of \(TerminalText.count(progress.allFiles, "file")), "
            + TerminalText.count(progress.pages, "page")
            + (progress.secondsLeft.map { ", \(Int($0)) s left" } ?? ""))
      }
      return FolderSummary(folder: folder, summary: summary)
    }
  }
}
