import ArgumentParser
import InkDatasets

/// The labelled ink that a command works on.
struct LabeledDataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Labelled ink, FORMAT:PATH[?key=value&...]; repeatable.", valueName: "data"))
  var data: [String]

  func validate() throws {
    guard !data.isEmpty else { throw ValidationError("--data: expected labelled ink") }
  }

  /// The data; where it names no split and has some, this part of it.
  func specifications(defaultSplit: DataSplit) throws -> [DataSpecification] {
    try data.map { try DataSpecification(parsing: $0).withDefaultSplit(defaultSplit) }
  }
}
