import ArgumentParser
import InkDatasets
import InkFormats

/// `ductus data`: what data there is, what it holds, and turning it into our own form.
struct DataCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "data",
    abstract: "List, install, inspect, examine, convert, cut and make labelled ink.",
    discussion: """
      Data is named FORMAT:PATH[?key=value&...], for example \
      'unipen:unipen?category=1a,1b&splits=unipen&split=train'. Relative paths that \
      do not exist here are looked for in the folder that INK_DATASETS names.

      Writing areas of UNIPEN are estimated for characters by default, area=form; words and texts have \
      none then. Those of its guide lines, of words and texts too, are area=guides.
      """,
    subcommands: [
      DataListCommand.self, DataInstallCommand.self, DataInspectCommand.self,
      DataDoctorCommand.self, DataConvertCommand.self, DataCutCommand.self,
      DataSynthCommand.self,
    ])
}

extension DataError: BadInputError {}
extension InkFormatError: BadInputError {}

extension DataRecords {
  /// Says on standard error how a split file does not fit the data, after all of it was read.
  func tellSplitFileUse() {
    if let problem = splitFileUse?.problem { Outcome.writeToStandardError(problem + "\n") }
  }
}

/// Prints the first bad records to standard error and counts the rest. What fails for the same
/// reason at the same place as the one before, as the segments of one missing file do, is printed
/// once.
struct FailurePrinter {
  /// How many are printed.
  static let most = 20

  private(set) var count = 0
  private var printed = 0
  private var last: InkFormatError?

  /// Counts a failure, and prints it if it is one of the first.
  mutating func add(_ error: InkFormatError) {
    count += 1
    guard printed < Self.most, error != last else { return }
    Outcome.writeToStandardError("\(error)\n")
    printed += 1
    last = error
  }

  /// Says how many were not printed.
  func finish() {
    guard count > printed else { return }
    Outcome.writeToStandardError("… and \(count - printed) more bad records\n")
  }
}

/// The labelled ink that a command works on.
struct LabeledDataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Labelled ink, FORMAT:PATH[?key=value&...]; repeatable. The default of area= is form: of UNIPEN, "
        + "areas of characters are estimated, and words and texts have none; area=guides has those "
        + "of its guide lines.", valueName: "data"))
  var data: [String]

  /// The data as it was named.
  func specifications() throws -> [DataSpecification] {
    try data.map { try DataSpecification(parsing: $0) }
  }

  /// The data; where it names no split and has some, this part of it.
  func specifications(defaultSplit: DataSplit) throws -> [DataSpecification] {
    try specifications().map { $0.withDefaultSplit(defaultSplit) }
  }
}
