import ArgumentParser
import InkCore
import InkDatasets
import InkFormats
import ModelFormat
import Recognition
import Training

/// `ductus data cut`: cuts labelled ink into characters, words or lines.
struct DataCutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
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
  var model = ModelLocation.defaultModel

  @Option(help: "Pieces to write: characters, words or lines.")
  var into: InkCutter.Piece = .characters

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  func validate() throws { try InkJSONLinesWriter.check(output: output) }

  func run() async throws {
    let opened = try OpenModel.open(ModelLocation.url(of: model))
    guard case .line(let lines) = opened.content else { throw ToolError.cuttingNeedsLines(model) }
    let cutter = InkCutter(recognizer: try LineRecognizer(model: lines))
    let specifications = try labeled.specifications()
    let origins = try specifications.origins()
    let sources = try specifications.map { try $0.records() }
    do {
      try write(sources, cutter, from: origins)
    } catch let error as InkFormatError where error.code == .unwritableFile {
      throw ToolError.failed(String(describing: error))
    }
  }

  private func write(
    _ sources: [DataRecords], _ cutter: InkCutter, from origins: [DataOrigin]
  ) throws {
    let writer = try InkJSONLinesWriter(path: output)
    let interruption = writer.listenForInterruption()
    var progress = EvaluationProgress(unit: "inks")
    var failures = FailurePrinter()
    var (inks, unreadable, pieces, misread) = (0, 0, 0, 0)
    for source in sources {
      for element in source {
        if interruption?.isRaised == true {
          progress.clear()
          throw ToolError.interrupted(output)
        }
        let labeled: LabeledInk
        do throws(InkFormatError) {
          labeled = try element.get().labeled
        } catch {
          failures.add(error)
          continue
        }
        inks += 1
        do {
          let found = try cutter.cut(labeled, into: into)
          for piece in found { try writer.write(piece) }
          pieces += found.count
          if found.isEmpty { misread += 1 }
        } catch is InkError {
          unreadable += 1
        }
        progress.show(inks)
      }
    }
    progress.clear()
    failures.finish()
    sources.forEach { $0.tellMismatches() }
    guard pieces > 0 else {
      throw ToolError.nothingToWrite(
        output, data: self.labeled.data, unit: into.rawValue,
        leftOut: failures.count + unreadable)
    }
    try writer.finish(output, from: origins)
    writer.say(
      "\(output): \(pieces) \(into.rawValue) of \(inks) inks, "
        + "\(failures.count + unreadable) bad records left out"
        + (misread > 0 ? ", \(misread) read as other texts" : ""))
  }
}

extension InkCutter.Piece: ExpressibleByArgument {}

extension ToolError {
  /// The error for a model that is not a line model and cannot locate characters.
  fileprivate static func cuttingNeedsLines(_ model: String) -> ToolError {
    .badInput("\(model): this is a glyph model; cutting needs a line model")
  }
}
