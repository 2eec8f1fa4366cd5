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

  /// The readings of a line that alternatives come from.
  private static let readings = 40

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
    var defaults = RecognitionRequest(ink: Ink())
    defaults.model = choice.model
    defaults.language = choice.language
    defaults.layout = .page
    defaults.maximumCandidates = readings
    defaults.includesSpans = true
    let service = RecognitionService.ofCommandLine(defaults, lexicon: nil)
    try service.readerOfCommandLine()
    return { [defaults] record in
      guard !record.labeled.ink.strokes.isEmpty else {
        return (PageWord.words(of: [], ink: Ink(), texts: record.texts), nil)
      }
      var request = defaults
      request.ink = record.labeled.ink
      let reading = try service.read(request)
      let words = PageWord.words(of: reading.lines, ink: request.ink, texts: record.texts)
      return (words, reading.result.language)
    }
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

/// `ductus notes watch`.
package struct NotesWatchCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Keep the index up to date while notes are written.",
    discussion: """
      Looks at the folders from time to time until it is stopped. Without a folder, those of the index \
      are watched.

      Example:
        ductus notes watch Documents/Notes --every 30
      """)

  @Argument(help: "The folders.")
  var folders: [String] = []

  @Option(help: ArgumentHelp("The seconds between two looks.", valueName: "seconds"))
  var every = 10.0

  @OptionGroup var index: NotesIndexOption
  @OptionGroup var reading: NotesReadingOptions

  package func validate() throws {
    guard every >= 1, every <= 86_400 else {
      throw ValidationError("--every: expected 1 to 86400 seconds")
    }
  }

  package func run() throws {
    let flag = Interruption.listen()
    let file = index.file
    var indexer: (NotesIndexer, InkIndex)?
    while !flag.isRaised {
      // Others may write the index between two looks.
      do throws(InkSearchError) {
        let opened = try InkIndex(at: file, isWritten: true)
        let names = folders.isEmpty ? try opened.folders().map(\.path) : folders
        guard !names.isEmpty else {
          throw InkSearchError.badFolder(path: ".", reason: "no folder in the index")
        }
        indexer = nil
        do {
          indexer = (try reading.indexer(opened), opened)
        } catch {
          throw InkSearchError.unusable(path: file.path, reason: "\(error)")
        }
        if let indexer {
          do {
            for summary in try NotesWork.update(names, indexer.0, flag)
            where summary.summary.pagesRead + summary.summary.removed + summary.summary.moved > 0 {
              print(summary.text)
            }
          } catch let error as InkSearchError {
            throw error
          } catch {
            throw InkSearchError.unusable(path: file.path, reason: "\(error)")
          }
        }
      } catch {
        if error == .cancelled { break }
        guard case .busy = error else { throw error }
      }
      indexer = nil
      let end = Date().addingTimeInterval(every)
      while !flag.isRaised, Date() < end { Thread.sleep(forTimeInterval: 0.2) }
    }
  }
}
