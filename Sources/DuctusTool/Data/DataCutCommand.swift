import ArgumentParser
import InkCore
import InkDatasets
import InkFormats
import ModelFormat
import Recognition
import Training

/// `ductus data cut`: cuts labelled ink into characters, words or lines.
package struct DataCutCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "cut",
    abstract: "Segment labelled words, lines or pages with a line model.",
    discussion: """
      The model aligns each text with its ink. Pieces that consist of whole strokes are written \
      as JSON Lines, with writers and writing areas. Ink that the model reads very differently \
      is left out. Licence and attribution go to FILE.sources.json.

      Lines of a page are found in its ink, and the words of its label are divided among them, \
      whether or not the label has line breaks.

      Use the result for training only: figures on ink that a model has segmented say nothing \
      about how well others are read.

      Example:
        ductus data cut --data 'unipen:unipen?category=7&splits=unipen&split=train' \\
          --output letters.jsonl
      """)

  @OptionGroup var labeled: LabeledDataOptions

  @Option(help: "The line model, NAME.ductus, or the name of an installed or shipped one.")
  var model = ModelLibrary.usualModel

  @Option(help: "Pieces to write: characters, words or lines.")
  var into: InkCutter.Piece = .characters

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  package func validate() throws { try InkJSONLinesWriter.check(output: output) }

  package func run() async throws {
    let opened = try ModelLibrary.local.open(model)
    guard case .line(let lines) = opened.content else { throw ToolError.cuttingNeedsLines(model) }
    let cutter = InkCutter(recognizer: try LineRecognizer(model: lines))
    let derivation = InkDerivation(output: output, data: labeled.data, unit: into.rawValue)
    try derivation.run(try labeled.specifications()) { counts in
      " \(into.rawValue) of \(counts.inks) inks"
        + (counts.unused > 0 ? ", \(counts.unused) read as other texts" : "")
    } _: { ink, _ in
      try cutter.cut(ink, into: into)
    }
  }
}

extension InkCutter.Piece: ExpressibleByArgument {}

extension ToolError {
  /// The error for a model that is not a line model and cannot locate characters.
  fileprivate static func cuttingNeedsLines(_ model: String) -> ToolError {
    .badInput("\(model): this is a glyph model; cutting needs a line model")
  }
}
