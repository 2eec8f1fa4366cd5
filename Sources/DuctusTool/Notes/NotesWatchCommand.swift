import ArgumentParser
import Foundation
import InkSearch

/// `ductus notes watch`.
package struct NotesWatchCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Keep the index, and searchable PDF files, up to date while notes are written.",
    discussion: """
      Looks at the folders from time to time until it is stopped. Without a folder, those of the index \
      are watched. With --pdf, each notebook has a PDF beside it in which viewers find and copy the \
      handwriting: lecture-searchable.pdf beside lecture.xopp.

      Examples:
        ductus notes watch Documents/Notes --every 30
        ductus notes watch Documents/Notes --pdf
      """)

  @Argument(help: "The folders.")
  var folders: [String] = []

  @Option(help: ArgumentHelp("The seconds between two looks.", valueName: "seconds"))
  var every = 10.0

  @Flag(help: "Keep a searchable PDF beside each notebook.")
  var pdf = false

  @OptionGroup var index: NotesIndexOption
  @OptionGroup var reading: NotesReadingOptions

  package func validate() throws {
    guard every >= 1, every <= 86_400 else {
      throw ValidationError("--every: expected 1 to 86400 seconds")
    }
  }

  package func run() throws {
    let flag = Interruption.listen()
    let pdfs = pdf ? try SearchablePDFs(reading.request) : nil
    while !flag.isRaised {
      do {
        let folders = try look(flag)
        if let pdfs { try write(pdfs, folders, flag) }
      } catch InkSearchError.cancelled {
        break
      } catch InkSearchError.busy {
        // Another process writes the index; the next look is soon enough.
      }
      let end = Date().addingTimeInterval(every)
      while !flag.isRaised, Date() < end { Thread.sleep(forTimeInterval: 0.2) }
    }
  }

  /// Brings the index up to date, and closes it, because others may write it between two looks.
  ///
  /// - Returns: The folders.
  private func look(_ flag: InterruptionFlag) throws -> [String] {
    let opened = try InkIndex(at: index.file, isWritten: true)
    let names = folders.isEmpty ? try opened.folders().map(\.path) : folders
    guard !names.isEmpty else {
      throw ToolError.badInput("expected a folder, found none: 'ductus notes watch FOLDER'")
    }
    for summary in try NotesWork.update(names, try reading.indexer(opened), flag)
    where summary.summary.pagesRead + summary.summary.removed + summary.summary.moved > 0 {
      Self.say(summary.text)
    }
    return names
  }

  private func write(
    _ pdfs: SearchablePDFs, _ folders: [String], _ flag: InterruptionFlag
  ) throws {
    var line = ProgressLine()
    defer { line.clear() }
    for folder in folders {
      let folder = URL(fileURLWithPath: folder).standardizedFileURL.path
      let summary = try pdfs.update(folder, isCancelled: { flag.isRaised }) { notebook in
        line.show(nil, notebook)
      }
      line.clear()
      for path in summary.written { Self.say(path) }
      for (file, reason) in summary.problems { DocumentDesk.note(reason, about: file) }
    }
  }

  /// Writes a line at once, also to a file or a pipe.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
