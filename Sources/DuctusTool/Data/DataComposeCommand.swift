import ArgumentParser
import Foundation
import InkCore
import InkDatasets
import InkFormats
import ModelFormat
import Training

/// `ductus data compose`: writes texts with the single letters of real writers.
package struct DataComposeCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "compose",
    abstract: "Write texts of any language with single characters of real writers.",
    discussion: """
      Each line has the letters of one writer; at least 20 of the letters from a to z are needed. \
      Marks are drawn on them, and letters that the writer never wrote come from the \
      synthesiser. Signs that look alike get the label that models read: “ and ” become ", a \
      dash becomes a hyphen. Licence and attribution go to FILE.sources.json.

      Figures on such ink compare languages with each other. Train with --templates even and \
      measure with --templates odd and other writers.

      With --arrangement rows or columns the characters of any data are put beside or below each \
      other as they are, as in Japanese and Chinese.

      Examples:
        ductus data compose --data 'unipen:unipen?category=1a,1b,1c,1d&area=text&split=test' \\
          --text czech.txt --templates odd --count 500 --output lines.jsonl
        ductus data compose --data 'kanjivg:kanjivg?population=20&compose=kana' \\
          --text japanese.txt --arrangement rows --length 20 --output rows.jsonl
      """)

  @OptionGroup var labeled: LabeledDataOptions

  @Option(
    help: ArgumentHelp(
      "A text file, one sentence a line; repeatable. Each gives the same number of lines.",
      valueName: "file"))
  var text: [String]

  @Option(help: ArgumentHelp("The number of lines to write.", valueName: "number"))
  var count = 1000

  @Option(help: ArgumentHelp("The most characters of a line.", valueName: "number"))
  var length = 44

  @Option(
    help: """
      letters: words of letters on a line; rows: characters beside each other; columns: characters \
      below each other.
      """)
  var arrangement: Arrangement = .letters

  @Option(help: "The templates of marks and synthetic letters: all, even or odd ones.")
  var templates: InkMarker.Templates = .all

  @Option(
    help: """
      The gaps of --arrangement letters: normal ones, narrow ones, or wide ones with letters far \
      apart.
      """)
  var spacing: TextAssembler.Spacing = .normal

  @Option(
    help: ArgumentHelp(
      """
      The share of lines, for each of r, z, x, G and Q, in which the letter has a form of the \
      synthesiser, not of the writer, and in which 11 is one stroke, with --arrangement letters: 0 to 1.
      """, valueName: "share"))
  var otherForms = 0.0

  @Option(help: "The seed of the texts, writers and marks.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  package func validate() throws {
    try InkJSONLinesWriter.check(output: output)
    guard count > 0 else { throw ValidationError("--count: expected 1 or more") }
    guard (8...200).contains(length) else { throw ValidationError("--length: expected 8 to 200") }
    guard arrangement == .letters || templates == .all else {
      throw ValidationError(
        "--templates: rows and columns have no marks of their own; leave it out")
    }
    guard (0...1).contains(otherForms) else {
      throw ValidationError("--other-forms: expected 0 to 1")
    }
    guard arrangement == .letters || otherForms == 0 else {
      throw ValidationError("--other-forms: rows and columns keep characters; leave it out")
    }
    guard arrangement == .letters || spacing == .normal else {
      throw ValidationError("--spacing: rows and columns have gaps of their own; leave it out")
    }
  }

  /// The ways to put the characters of a text together.
  enum Arrangement: String, ExpressibleByArgument, CaseIterable {
    case letters, rows, columns
  }

  package func run() async throws {
    let specifications = try labeled.specifications()
    let origins = try specifications.origins()
    let scribe = try scribe(of: try text.map(Self.text), specifications)
    do {
      try write(scribe, from: origins)
    } catch let error as InkFormatError where error.code == .unwritableFile {
      throw ToolError.failed(String(describing: error))
    }
  }

  /// The writer of the lines.
  private struct Scribe {
    var writers: Int
    /// The characters that can be written, in words.
    var known: String
    var piece: (_ text: Int, _ generator: inout SeededGenerator) -> String?
    var line: (_ piece: String, _ writer: Int, _ seed: UInt64) throws -> LabeledInk?
  }

  private func scribe(of texts: [String], _ data: [DataSpecification]) throws -> Scribe {
    let lengths = min(8, length)...length
    guard arrangement == .letters else {
      let pieces = TextPieces(of: texts, length: lengths, unit: .character)
      let assembler = CharacterAssembler(characters: try data.labeledInk())
      let isColumn = arrangement == .columns
      return Scribe(
        writers: assembler.writers.count, known: "the labels of the data are known",
        piece: { pieces.piece(ofText: $0, using: &$1) },
        line: { assembler.line($0, writer: $1, isColumn: isColumn, seed: $2) })
    }
    let pieces = TextPieces(of: texts, length: lengths)
    let assembler = try TextAssembler(
      letters: data.labeledInk(), templates: templates, spacing: spacing,
      otherForms: otherForms)
    guard !assembler.writers.isEmpty else {
      throw ToolError.badInput(
        "\(labeled.data.joined(separator: " ")): no writer has 20 of the letters from a to z with "
          + "writing areas; take more data, or area=text for UNIPEN")
    }
    return Scribe(
      writers: assembler.writers.count,
      known: "the letters of the Latin script, digits and common signs are known",
      piece: { pieces.piece(ofText: $0, using: &$1) },
      line: { try assembler.line($0, writer: $1, seed: $2) })
  }

  private static func text(_ path: String) throws -> String {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw ToolError.badInput("\(path): cannot be read; give a text file with a sentence per line")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(_ scribe: Scribe, from origins: [DataOrigin]) throws {
    guard scribe.writers > 0 else { throw ToolError.noLabelledInk(labeled.data) }
    let writer = try InkJSONLinesWriter(path: output)
    let interruption = writer.listenForInterruption()
    var progress = EvaluationProgress(unit: "lines")
    var generator = SeededGenerator(seed: seed, 0xC0_4905E)
    var (written, tries) = (0, 0)
    // Texts may have characters that nobody can write; they are passed over.
    while written < count, tries < 20 * count {
      if interruption?.isRaised == true {
        progress.clear()
        throw ToolError.interrupted(output)
      }
      tries += 1
      guard let piece = scribe.piece(written, &generator) else { break }
      let hand = generator.index(below: scribe.writers)
      let own = SeededGenerator.value(seed, UInt64(tries))
      guard let line = try scribe.line(piece, hand, own) else { continue }
      try writer.write(line)
      written += 1
      progress.show(written)
    }
    progress.clear()
    guard written > 0 else {
      throw ToolError.badInput(
        "\(text.joined(separator: " ")): no line consists of known characters; \(scribe.known)")
    }
    try writer.finish(output, from: origins)
    writer.say("\(output): \(written) lines of \(scribe.writers) writers")
  }
}

extension TextAssembler.Spacing: ExpressibleByArgument {}
