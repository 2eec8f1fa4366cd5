import ArgumentParser
import InkDatasets

/// The ink that `ductus train glyphs` and `ductus train lines` train on.
struct TrainingDataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Training data, FORMAT:PATH[?key=value&...]; repeatable.", valueName: "data")
  )
  var data: [String]

  @Option(
    help: ArgumentHelp(
      "Validation data of other writers; default: the val part of --data.", valueName: "data"))
  var validation: [String] = []

  /// Training and validation data with the selected parts.
  func specifications() throws -> (training: [DataSpecification], validation: [DataSpecification]) {
    let named = try data.map { try DataSpecification(parsing: $0) }
    guard validation.isEmpty else {
      return (
        named.map { $0.withDefaultSplit(.train) },
        try validation.map { try DataSpecification(parsing: $0).withDefaultSplit(.val) }
      )
    }
    // The validation part of the same data. Data without a split is split by writer.
    return (
      named.map { $0.withSplit($0.split ?? .train) }, named.map { $0.withSplit(.val) }
    )
  }

  /// True if the data may be split by inks if it has too few writers: no split is specified.
  var maySplitInks: Bool {
    get throws {
      try validation.isEmpty
        && data.allSatisfy {
          let named = try DataSpecification(parsing: $0)
          return named.split == nil && named.splits == nil && named.fold == nil
            && named.splitUnit == .writer
        }
    }
  }

  /// True if some of the data is split by its writers: not by a table, by its owners or by its
  /// maker.
  var dividesWriters: Bool {
    get throws {
      try validation.isEmpty
        && data.contains {
          let named = try DataSpecification(parsing: $0)
          return named.splits == nil && named.splitUnit != .ink && named.format != .starter
            && (named.format != .iamOnDB || named.fold != nil)
        }
    }
  }

  /// True if this command leaves a test part of the data: the user names no parts.
  var leavesTest: Bool {
    get throws {
      try validation.isEmpty && data.allSatisfy { try DataSpecification(parsing: $0).split == nil }
    }
  }
}
