import ArgumentParser
import Exports
import Foundation
import InkCore
import InkDatasets
import InkEditor
import InkFormats
import Recognition

/// `ductus convert`.
package struct ConvertCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Read ink and write it as PDF, text, HTML, docx, pictures or other ink.",
    discussion: """
      <ink> is a file of any format that 'ductus recognize' reads, a folder of such files, or data, \
      FORMAT:PATH[?key=value&...]. Each file becomes one file, beside it unless --output names \
      another place; a folder becomes a folder. PDF holds the ink as lines and the text behind it, so \
      that a viewer finds and copies handwriting. Pictures are one file for each page, NAME-1.png and \
      so on. docs/Exports.md says what each format holds.

      The ink of Xournal++ keeps its size, InkML and JIIX are in millimetres, and other ink gets the \
      size of usual handwriting unless --scale is given. A file appears when it is complete. A PDF of \
      another program beside the ink is not replaced unless --output names it.

      Examples:
        ductus convert page.xopp --to pdf
        ductus convert notes --to pdf --output searchable
        ductus convert page.inkml --to markdown --output -
      """)

  @Argument(help: ArgumentHelp("Files or folders of ink, or data.", valueName: "ink"))
  var inks: [String]

  @Option(
    help: ArgumentHelp(
      "The format: \(ExportFormat.list). Default: the ending of --output.", valueName: "format"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "The file; a folder for several files; or - for standard output.", valueName: "file|folder|-")
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The model, as of 'ductus recognize'. Default: latin-lines, in the best of the languages whose "
        + "packs are there.", valueName: "model"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "The language of the writing, which selects the model instead of --model.", valueName: "tag"))
  var language: String?

  @OptionGroup var layout: LayoutOption

  @Option(help: ArgumentHelp("Millimetres of a unit of the ink.", valueName: "number"))
  var scale: Double?

  @Option(help: ArgumentHelp("The pixels of an inch of PNG and JPEG.", valueName: "number"))
  var dpi = 150.0

  @Flag(help: "Do not read the ink: PDF and HTML have no text.")
  var unread = false

  @Flag(help: "Leave out words that are struck through.")
  var withoutStruckWords = false

  @Flag(help: "HTML and Markdown: also draw the ink of each page.")
  var withInk = false

  package func validate() throws {
    if let scale, !(scale > 0 && scale.isFinite) {
      throw ValidationError("--scale: expected a number above 0")
    }
    guard dpi.isFinite, dpi > 0 else { throw ValidationError("--dpi: expected a number above 0") }
    if inks.isEmpty { throw ValidationError("expected files of ink, found none") }
    let target = try target()
    if unread, target.isMadeOfText {
      throw ValidationError("--unread: \(target.rawValue) is made of what is read")
    }
    if inks.contains("-") {
      throw ValidationError("expected a file, found -; 'ductus recognize -' reads requests")
    }
  }

  /// The format to write.
  private func target() throws -> ExportFormat {
    if let to {
      guard let target = ExportFormat(named: to) else {
        throw ValidationError("--to: expected \(ExportFormat.list), found \(to)")
      }
      return target
    }
    let ending = output.flatMap { path in
      let stem = ConvertPlaces.withoutEnding(path)
      return stem.count < path.count ? String(path.dropFirst(stem.count + 1)) : nil
    }
    guard let ending else { throw ValidationError("--to: expected \(ExportFormat.list)") }
    guard let target = ExportFormat(named: ending) else {
      throw ValidationError(
        "--output: the ending: expected \(ExportFormat.list), found \(ending)")
    }
    return target
  }

  package func run() throws {
    let target = try target()
    let places = try ConvertPlaces(inks, output: output, ending: target.ending)
    if target.isPicture { try LibraryPainter.check(target) }
    let reader = try PageMaker(target, options(), readsInk: !unread, scale: scale)
    var failures = FailurePrinter()
    var isFailed = false
    let watch = ConvertWatch(files: places.jobs.count)
    for job in places.jobs {
      do {
        try convert(job, target, reader, watch, &failures)
      } catch let error where places.jobs.count > 1 && ConvertCommand.concernsOneFile(error) {
        // The other files do not suffer from it.
        let outcome = Outcome(of: error)
        watch.clear()
        DocumentDesk.note(outcome.message ?? "failed", about: job.input)
        isFailed = true
      }
      watch.endFile()
    }
    watch.clear()
    failures.finish()
    if places.leftOut > 0 {
      DocumentDesk.note("\(TerminalText.count(places.leftOut, "file")) without ink left out")
    }
    if failures.count > 0 || isFailed { throw ExitCode(Outcome.Code.badInput) }
  }

  /// False for errors of the machine, after which the next file would fail, too.
  private static func concernsOneFile(_ error: any Error) -> Bool {
    (error as? any BadInputError)?.isBadInput ?? false
  }

  /// The defaults of requests.
  private func options() -> RecognitionRequest {
    var defaults = RecognitionRequest(ink: Ink())
    defaults.model = model
    defaults.language = language
    defaults.layout = layout.layout
    defaults.maximumCandidates = 1
    defaults.includesSpans = true
    return defaults
  }

  private func convert(
    _ job: ConvertJob, _ target: ExportFormat, _ maker: PageMaker, _ watch: ConvertWatch,
    _ failures: inout FailurePrinter
  ) throws {
    if target == .pdf, output == nil, let place = job.output, ConvertPlaces.isForeignPDF(place) {
      throw ToolError.badInput(
        "\(place): is a PDF of another program; name it with --output to replace it")
    }
    let source = try ConvertSource(job.input, scale: scale)
    if let output = job.output {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: output).deletingLastPathComponent(),
        withIntermediateDirectories: true)
    }
    let file = try ExportFile(
      job.output, target, title: job.title,
      options: ExportOptions(
        withoutStruckWords: withoutStruckWords, drawsInk: withInk, dpi: dpi),
      pagePath: job.path(ofPage:))
    watch.begin(file, job.input)
    let failuresBefore = failures.count
    for element in source.records {
      try watch.check()
      let record: InkRecord
      do throws(InkFormatError) {
        record = try element.get()
        failures.warn(of: record)
      } catch {
        watch.clear()
        failures.add(error)
        continue
      }
      do {
        let (page, language) = try maker.page(record, source, !withoutStruckWords)
        try file.add(page, language: language)
      } catch ExportError.severalPages(let format, _) {
        throw ToolError.badInput(
          "--output -: expected one page for \(format), found more; name a file")
      }
      watch.show(file.pageCount)
    }
    guard file.pageCount > 0 else {
      guard failures.count == failuresBefore else { return }
      throw ToolError.badInput("\(job.input): expected pages with ink, found none")
    }
    try watch.check()
    try file.finish()
    watch.clear()
    watch.note(missingLetters: file.missingLetters)
    for path in file.written { print(path) }
    if job.output == nil {
      try FileHandle.standardOutput.write(contentsOf: Data(file.bytes))
    }
  }
}
