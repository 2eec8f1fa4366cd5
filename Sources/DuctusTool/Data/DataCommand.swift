import ArgumentParser
import InkCore
import InkDatasets
import InkFormats

/// `ductus data`: lists data, shows its content, and converts it to our own format.
package struct DataCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "data",
    abstract: "Install, inspect, check, convert, segment and synthesise labelled ink.",
    discussion: """
      Data is named FORMAT:PATH[?key=value&...]. Formats are ink, inkml, jiix, xopp, svg, \
      excalidraw, tldraw, zinnia, tegaki, ndjson, unipen, iam-ondb, dollar, quickdraw, omniglot, \
      tomoe, kanjivg, flowchart and starter. Values are percent-encoded. Relative paths that do not exist are \
      looked up in the folder that INK_DATASETS names.

      Keys of most formats: split=train|val|test|all, splits=FILE, fold=K/N, labels=REGEX, \
      writers=REGEX, relabel=A:B, decisions=FILE, unit=page|line|word, every=N, limit=N, \
      area=form|text|guides|none, y=up|down, licence=, attribution=. docs/Data.md describes all \
      of them. Without a command, the public datasets are listed.

      Examples:
        ductus data inspect 'unipen:unipen?category=1a,1b&splits=unipen&split=train'
        ductus data doctor --data ink:mine.jsonl --report check
      """,
    subcommands: [
      DataListCommand.self, DataInstallCommand.self, DataInspectCommand.self,
      DataDoctorCommand.self, DataConvertCommand.self, DataCutCommand.self, DataMarkCommand.self,
      DataComposeCommand.self, DataFormulasCommand.self, DataSynthCommand.self,
    ],
    defaultSubcommand: DataListCommand.self)
}

extension DataError: BadInputError {}
extension InkFormatError: BadInputError {}

extension DataRecords {
  /// Reports on standard error how files of splits and of decisions do not fit the data, after all
  /// of it was read.
  func tellMismatches() {
    for problem in [splitFileUse?.problem, decisionUse?.problem] {
      if let problem { Outcome.writeToStandardError(problem + "\n") }
    }
  }
}

extension [DataSpecification] {
  /// Reads all labelled ink, and reports bad records on standard error.
  ///
  /// - Throws: `DataError` if there is nothing to read.
  func labeledInk() throws -> [LabeledInk] {
    var failures = FailurePrinter()
    var inks: [LabeledInk] = []
    for source in try map({ try $0.records() }) {
      for element in source {
        do throws(InkFormatError) {
          inks.append(try element.get().labeled)
        } catch {
          failures.add(error)
        }
      }
      source.tellMismatches()
    }
    failures.finish()
    return inks
  }
}

/// Prints the first bad records to standard error and counts the rest. Consecutive failures for the
/// same reason in the same place, such as the segments of one missing file, are printed once.
package struct FailurePrinter {
  /// The most failures to print.
  static let most = 20

  private(set) var count = 0
  private var printed = 0
  private var last: InkFormatError?
  private var warned: Set<InkFormatError> = []

  /// Counts a failure, and prints it if it is one of the first.
  mutating func add(_ error: InkFormatError) {
    count += 1
    guard printed < Self.most, error != last else { return }
    Outcome.writeToStandardError("\(error)\n")
    printed += 1
    last = error
  }

  /// Prints what is wrong with the file of a record but costs no ink of it, each defect once.
  mutating func warn(of record: InkRecord) {
    for warning in record.warnings
    where warned.count < Self.most && warned.insert(warning).inserted {
      Outcome.writeToStandardError("warning: \(warning)\n")
    }
  }

  /// Says how many were not printed.
  func finish() {
    guard count > printed else { return }
    Outcome.writeToStandardError("… and \(count - printed) more bad records\n")
  }
}

/// The labelled ink for a command.
package struct LabeledDataOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Labelled ink, FORMAT:PATH[?key=value&...]; repeatable. area=form, the default, estimates the "
        + "writing areas of UNIPEN characters; area=guides uses recorded guide lines.",
      valueName: "data"))
  var data: [String]

  /// The data, as named on the command line.
  func specifications() throws -> [DataSpecification] {
    try data.map { try DataSpecification(parsing: $0) }
  }

  /// The data. Data with splits but no selected split uses this part.
  func specifications(defaultSplit: DataSplit) throws -> [DataSpecification] {
    try specifications().map { $0.withDefaultSplit(defaultSplit) }
  }
}
