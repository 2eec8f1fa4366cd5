import ArgumentParser
import InkDatasets

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
