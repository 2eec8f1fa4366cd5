import ArgumentParser
import InkCore
import InkDatasets
import InkFormats
import ModelFormat
import Recognition
import Training

/// `ductus data mark`: draws the marks of other languages on labelled ink.
struct DataMarkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
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
  var model = ModelLocation.defaultModel

  @Option(
    help: ArgumentHelp(
      "The letters with marks to make; capitals are added. Default: those of 39 languages.",
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

  func validate() throws {
    try InkJSONLinesWriter.check(output: output)
    guard (0...1).contains(share) else { throw ValidationError("--share: expected 0 to 1") }
  }

  func run() async throws {
    let opened = try OpenModel.open(ModelLocation.url(of: model))
    guard case .line(let lines) = opened.content else {
      throw ToolError.badInput("\(model): this is a glyph model; marking needs a line model")
    }
    let marker = InkMarker(
      recognizer: try LineRecognizer(model: lines), letters: letters.map { $0 + $0.uppercased() },
      share: share, templates: templates)
    let specifications = try labeled.specifications()
    let origins = try specifications.origins()
    let sources = try specifications.map { try $0.records() }
    do {
      try write(sources, marker, from: origins)
    } catch let error as InkFormatError where error.code == .unwritableFile {
      throw ToolError.failed(String(describing: error))
    }
  }

  private func write(
    _ sources: [DataRecords], _ marker: InkMarker, from origins: [DataOrigin]
  ) throws {
    let writer = try InkJSONLinesWriter(path: output)
    let interruption = writer.listenForInterruption()
    var progress = EvaluationProgress(unit: "inks")
    var failures = FailurePrinter()
    var (inks, unreadable, marked) = (0, 0, 0)
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
          let own = SeededGenerator.value(seed, UInt64(inks))
          if let result = try marker.mark(labeled, seed: own) {
            try writer.write(result)
            marked += 1
          }
        } catch is InkError {
          unreadable += 1
        }
        progress.show(inks)
      }
    }
    progress.clear()
    failures.finish()
    sources.forEach { $0.tellMismatches() }
    guard marked > 0 else {
      throw ToolError.nothingToWrite(
        output, data: self.labeled.data, unit: "lines", leftOut: failures.count + unreadable)
    }
    try writer.finish(output, from: origins)
    writer.say(
      "\(output): \(marked) of \(inks) inks, \(failures.count + unreadable) bad records left out")
  }
}

extension InkMarker.Templates: ExpressibleByArgument {}
