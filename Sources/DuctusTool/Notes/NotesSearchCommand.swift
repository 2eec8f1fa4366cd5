import ArgumentParser
import Foundation
import InkSearch

/// `ductus notes search`.
package struct NotesSearchCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find pages with words, handwritten or typed.",
    discussion: """
      Pages come in the order of the hits that are expected on them: a word counts with the \
      probability that it is what was looked for. Upper and lower case are equal, and marks are \
      ignored where the language does not make other letters of them. Words that are spelled \
      nearly so and were read without certainty come behind.

        word               pages with the word; several words: pages with all of them
        wor*               words that begin so
        "two words"        the words one after the other; "word" is the word exactly as it is
        -word, NOT word    no pages with the word
        lang:de            pages in a language
        in:text            files whose path contains the text
        program:xopp       files of a format, as in docs/NoteFiles.md
        after:2026-01-31   files that were changed then: after:, before:, date:

      Without words, each line of standard input is a query, and each answer is a line of JSON.

      Examples:
        ductus notes search 'meeting paris'
        ductus notes search '"next week" -cancelled in:work' --html hits.html
      """)

  @Argument(help: "The query.")
  var words: [String] = []

  @Option(help: ArgumentHelp("The most pages.", valueName: "number"))
  var limit = 20

  @Option(
    help: ArgumentHelp("Write a page with the ink of each hit, marked.", valueName: "file"))
  var html: String?

  @Flag(help: "Open the file of the first hit with its program.")
  var open = false

  @Flag(help: "Count the best reading of each word alone; to compare.")
  var bestReading = false

  @OptionGroup var index: NotesIndexOption
  @OptionGroup var output: JSONOutput

  package func validate() throws {
    guard (1...100_000).contains(limit) else {
      throw ValidationError("--limit: expected 1 to 100000")
    }
  }

  private struct Answer: Encodable {
    var query: String
    var hits: [SearchHit]
    var seconds: Double
    var error: String?
  }

  package func run() throws {
    let index = try InkIndex(at: index.file)
    guard !words.isEmpty else { return try answerLines(index) }
    let text = words.joined(separator: " ")
    let hits = try search(text, index)
    if let html {
      try OutputFile(path: html, option: "--html").write(SearchPage.html(hits, query: text))
    }
    try output.write(hits, text: Self.text(hits))
    if open, let first = hits.first { try Self.open(first.path) }
  }

  private func search(_ text: String, _ index: InkIndex) throws(InkSearchError) -> [SearchHit] {
    try index.search(
      try SearchQuery(text), limit: limit, readings: bestReading ? .best : .all)
  }

  private func answerLines(_ index: InkIndex) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    while let text = readLine() {
      let start = ContinuousClock.now
      var answer = Answer(query: text, hits: [], seconds: 0)
      do throws(InkSearchError) {
        answer.hits = try search(text, index)
      } catch {
        answer.error = error.description
      }
      let time = (ContinuousClock.now - start).components
      answer.seconds = Double(time.seconds) + Double(time.attoseconds) * 1e-18
      try FileHandle.standardOutput.write(contentsOf: try encoder.encode(answer) + Data([0x0A]))
    }
  }

  private static func text(_ hits: [SearchHit]) -> String {
    guard !hits.isEmpty else { return "no page has it" }
    return hits.map { hit in
      "\(hit.path), page \(hit.page): \(hit.line)"
    }.joined(separator: "\n")
  }

  /// Opens a file with the program that the system has for it.
  private static func open(_ path: String) throws {
    let process = Process()
    #if canImport(Darwin)
      process.executableURL = URL(fileURLWithPath: "/usr/bin/open")
    #else
      process.executableURL = URL(fileURLWithPath: "/usr/bin/xdg-open")
    #endif
    process.arguments = [path]
    do {
      try process.run()
      process.waitUntilExit()
    } catch {
      throw ToolError.failed("--open: \(process.executableURL?.path ?? "") cannot be run")
    }
    guard process.terminationStatus == 0 else {
      throw ToolError.failed("--open: no program opened \(path)")
    }
  }
}
