import ArgumentParser
import InkCore
import InkDatasets
import InkFormats
import ModelFormat
import Recognition
import Training

/// `ductus data mark`: draws the marks of other languages on labelled ink.
package struct DataMarkCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Draw accents and other marks on labelled lines of English.",
    discussion: """
      A line model finds the letters; some are replaced by letters with marks, drawn at the size \
      and slant of the line. The result trains models of other languages of the Latin script, also \
      with 'train lines --from'. Licence and attribution go to FILE.sources.json.

      Figures on such ink tell how well drawn marks are read. Train with --templates even and \
      measure with --templates odd and other writers.

      Example:
        ductus data mark --data 'unipen:unipen?category=7&splits=unipen&split=train' \\
          --letters áčďéěíňóřšťúůýž --templates even --output czech.jsonl
      """)

  @OptionGroup var labeled: LabeledDataOptions

  @Option(help: "The line model, NAME.ductus, or the name of an installed or shipped one.")
  var model = ModelLibrary.usualModel

  @Option(
    help: ArgumentHelp(
      "The letters with marks to make; capitals are added. Default: those of the languages that ship.",
      valueName: "letters"))
  var letters: String?

  @Option(help: ArgumentHelp("The share of letters to replace, 0 to 1.", valueName: "share"))
  var share = 0.5

  @Option(help: "The templates of marks: all, even or odd ones.")
  var templates: InkMarker.Templates = .all

  @Option(help: "The seed of the choices.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  package func validate() throws {
    try InkJSONLinesWriter.check(output: output)
    guard (0...1).contains(share) else { throw ValidationError("--share: expected 0 to 1") }
  }

  package func run() async throws {
    let opened = try ModelLibrary.local.open(model)
    guard case .line(let lines) = opened.content else {
      throw ToolError.badInput("\(model): this is a glyph model; marking needs a line model")
    }
    let marker = InkMarker(
      recognizer: try LineRecognizer(model: lines), letters: letters.map { $0 + $0.uppercased() },
      share: share, templates: templates)
    let derivation = InkDerivation(output: output, data: labeled.data, unit: "lines")
    try derivation.run(try labeled.specifications()) { counts in
      " of \(counts.inks) inks"
    } _: { ink, number in
      let own = SeededGenerator.value(seed, UInt64(number))
      return try marker.mark(ink, seed: own).map { [$0] } ?? []
    }
  }
}

extension InkMarker.Templates: ExpressibleByArgument {}
