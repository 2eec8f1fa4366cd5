import ArgumentParser
import InkDatasets

/// The ink that `ductus train glyphs` and `ductus train lines` learn from.
struct TrainingDataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Training data, FORMAT:PATH[?key=value&...]; repeatable.", valueName: "data")
  )
  var data: [String]

  @Option(
    help: ArgumentHelp(
      "Validation data of other writers; default: the val part of --data.", valueName: "data"))
  var validation: [String] = []

  /// Training and validation data with the parts to use.
  func specifications() throws -> (training: [DataSpecification], validation: [DataSpecification]) {
    let named = try data.map { try DataSpecification(parsing: $0) }
    guard validation.isEmpty else {
      return (
        named.map { $0.withDefaultSplit(.train) },
        try validation.map { try DataSpecification(parsing: $0).withDefaultSplit(.val) }
      )
    }
    // The same data's validation part; data without a split is split by its writers.
    return (
      named.map { $0.withSplit($0.split ?? .train) }, named.map { $0.withSplit(.val) }
    )
  }

  /// Whether the data may be split by inks where its writers are too few: nothing says how it is to
  /// be split.
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

  /// Whether some of the data is parted by its writers: not by a table, by its owners or by its maker.
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

  /// Whether a part for a test is left of the data by this command: the user names no parts.
  var leavesTest: Bool {
    get throws {
      try validation.isEmpty && data.allSatisfy { try DataSpecification(parsing: $0).split == nil }
    }
  }
}
