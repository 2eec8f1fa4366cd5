import ArgumentParser
import InkDatasets

/// The ink that `ductus train glyphs` and `ductus train lines` train on.
package struct TrainingDataOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp("Training data, FORMAT:PATH[?key=value&...]; repeatable.", valueName: "data")
  )
  var data: [String]

  @Option(
    help: ArgumentHelp(
      "Validation data of other writers; default: the val part of --data.", valueName: "data"))
  var validation: [String] = []

  /// The data, parsed.
  func parsed() throws -> ChosenTrainingData { try ChosenTrainingData(data, validation) }
}

/// The training and the validation data of a command, and the way in which it divides them.
struct ChosenTrainingData {
  /// The training data with the selected parts.
  let training: [DataSpecification]
  /// The validation data with the selected parts: by default the validation part of the same data.
  /// Data without a split is split by writer.
  let validation: [DataSpecification]
  /// True if the data may be split by inks if it has too few writers: no split is specified.
  let maySplitInks: Bool
  /// True if some of the data is split by its writers: not by a table, by its owners or by its
  /// maker.
  let dividesWriters: Bool
  /// True if this command leaves a test part of the data: the user names no parts.
  let leavesTest: Bool

  /// Parses the data of the two options.
  ///
  /// - Throws: `DataError`.
  init(_ data: [String], _ validation: [String]) throws {
    let named = try data.map { try DataSpecification(parsing: $0) }
    guard validation.isEmpty else {
      training = named.map { $0.withDefaultSplit(.train) }
      self.validation = try validation.map {
        try DataSpecification(parsing: $0).withDefaultSplit(.val)
      }
      (maySplitInks, dividesWriters, leavesTest) = (false, false, false)
      return
    }
    training = named.map { $0.withSplit($0.split ?? .train) }
    self.validation = named.map { $0.withSplit(.val) }
    maySplitInks = named.allSatisfy {
      $0.split == nil && $0.splits == nil && $0.fold == nil && $0.splitUnit == .writer
    }
    dividesWriters = named.contains {
      $0.splits == nil && $0.splitUnit != .ink && $0.format != .starter
        && $0.virtualWriters == nil
        && ($0.format != .iamOnDB || $0.fold != nil)
    }
    leavesTest = named.allSatisfy { $0.split == nil }
  }
}
