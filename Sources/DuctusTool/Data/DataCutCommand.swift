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
    abstract: "Cut words into characters, lines into words, or pages into lines.",
    discussion: """
      The model aligns each text with its ink; the pieces that are whole strokes are written as \
      labelled-ink JSON Lines, with their writers and writing areas. Ink that the model reads \
      quite differently is left out. Licence and attribution of the data, where they are known, go to \
      FILE.sources.json beside the file. For training only: what a model cut says nothing about how \
      well others read.

      Example:
        ductus data cut --data 'unipen:unipen?category=7&splits=unipen&split=train' \
      --output letters.jsonl
      """)

  @OptionGroup var labeled: LabeledDataOptions

  @Option(help: "The line model, NAME.ductus, or the name of one that is installed or ships.")
  var model = ModelLocation.defaultModel

  @Option(help: "What to cut into: characters, words or lines.")
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
    var (inks, unreadable, pieces) = (0, 0, 0)
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
          for piece in try cutter.cut(labeled, into: into) {
            try writer.write(piece)
            pieces += 1
          }
        } catch is InkError {
          unreadable += 1
        }
        progress.show(inks)
      }
    }
    progress.clear()
    failures.finish()
    sources.forEach { $0.tellSplitFileUse() }
    guard pieces > 0 else {
      throw ToolError.nothingToWrite(
        output, data: self.labeled.data, unit: into.rawValue,
        leftOut: failures.count + unreadable)
    }
    try writer.finish(output, from: origins)
    writer.say(
      "\(output): \(pieces) \(into.rawValue) of \(inks) inks, "
        + "\(failures.count + unreadable) bad records left out")
  }
}

extension InkCutter.Piece: ExpressibleByArgument {}

extension ToolError {
  /// The error for a model that is not a line model and cannot locate characters.
  fileprivate static func cuttingNeedsLines(_ model: String) -> ToolError {
    .badInput("\(model): this is a glyph model; cutting needs a line model")
  }
}
