import ArgumentParser
import Exports
import Files
import Foundation

/// Shows the progress of conversions on a terminal, and stops them at Ctrl-C without half a file.
final class ConvertWatch {
  private let flag: InterruptionFlag
  private let files: Int
  private let temporary = Guarded<String?>(nil)
  private var line = ProgressLine()
  private var done = 0
  private var name = ""

  /// The exit code in shells of a process that Ctrl-C ended.
  private static let interrupted: Int32 = 128 + SIGINT

  /// Starts listening.
  ///
  /// - Parameter files: The number of files to convert.
  init(files: Int) {
    self.files = files
    let temporary = temporary
    flag = Interruption.listen {
      // A second signal ends the program at once.
      if let path = temporary.withLock({ $0 }) { unlink(path) }
    }
  }

  /// Begins a file.
  func begin(_ file: ExportFile, _ input: String) {
    temporary.withLock { $0 = file.temporaryPath }
    name = URL(fileURLWithPath: input).lastPathComponent
  }

  /// Ends a file.
  func endFile() {
    done += 1
    temporary.withLock { $0 = nil }
  }

  /// Shows the pages that are done.
  func show(_ pages: Int) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let fraction = files > 1 ? Double(done) / Double(files) : nil
    line.show(fraction, "\(TerminalText.count(pages, "page"))  \(name)")
  }

  /// Names the letters of typed text that a PDF has as boxes, by their numbers.
  func note(missingLetters: Set<Character>) {
    guard !missingLetters.isEmpty else { return }
    clear()
    let names = missingLetters.sorted().prefix(Self.mostLetters).map { letter in
      letter.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
        .joined(separator: " ")
    }
    DocumentDesk.note(
      "the fonts of PDF lack \(TerminalText.count(missingLetters.count, "letter")) of typed text, "
        + "which are boxes: \(names.joined(separator: ", "))")
  }

  /// The most letters that are named.
  private static let mostLetters = 10

  /// Removes the line, before other output.
  func clear() { line.clear() }

  /// Ends the program if the user asked for it; files that are incomplete are gone then.
  func check() throws {
    guard flag.isRaised else { return }
    clear()
    DocumentDesk.note("stopped; files that were complete stay")
    throw ExitCode(Self.interrupted)
  }
}
