import ArgumentParser
import ExternalModels
import Foundation
import InkDatasets

/// The kind of answers of an outside program.
enum ProgramKind: String, ExpressibleByArgument, CaseIterable {
  case glyphs
  case lines
}

/// The options for outside programs, which are named by `exec:COMMAND`.
package struct ProgramOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      exec: models: glyphs (one label for each ink) or lines (a text); default: lines if most labels \
      of the data are texts.
      """, valueName: "kind"))
  var kind: ProgramKind?

  @Option(
    help: ArgumentHelp(
      """
      exec: models: the time that an answer may take; the first includes the start of the program. \
      (default: 30)
      """, valueName: "seconds"))
  var timeLimit: Double?

  package func validate() throws {
    guard let timeLimit else { return }
    guard timeLimit > 0, timeLimit <= 86_400 else {
      throw ValidationError("--time-limit: expected more than 0 and at most 86400 seconds")
    }
  }

  /// Checks that no option is given if no model is a program.
  func check(models: [String]) throws {
    guard kind == nil && timeLimit == nil || models.contains(where: Self.isProgram) else {
      throw ValidationError("--kind and --time-limit are for exec: models; leave them out")
    }
  }

  /// The prefix of a model that is a program.
  private static let prefix = "exec:"

  /// True if the name of a model is a command.
  static func isProgram(_ model: String) -> Bool { model.hasPrefix(prefix) }

  /// The command of a model; nil if it is no program.
  ///
  /// - Throws: ``ToolError`` if there is no command.
  static func command(of model: String) throws(ToolError) -> String? {
    guard isProgram(model) else { return nil }
    let command = String(model.dropFirst(prefix.count))
    guard !command.allSatisfy(\.isWhitespace) else {
      throw .badInput("\(model): expected a command, found none; example: exec:./recognizer")
    }
    return command
  }

  /// Starts a program.
  ///
  /// - Parameter labels: The labels that it may answer with; nil for a program that reads texts.
  func start(_ command: String, labels: [String]?) throws -> ExternalRecognizer {
    try ExternalRecognizer(
      command, labels: labels, timeLimit: timeLimit ?? ExternalRecognizer.usualTimeLimit)
  }
}

/// The labels of data, which decide about the kind of a program. They are read once more before the
/// evaluation, because a program does not list its labels.
struct DataLabels {
  private(set) var labels: Set<String> = []
  private var records = 0
  private var longest = 0
  private var hasSpaces = false

  /// Reads the data.
  init(of data: [DataSpecification]) throws {
    for specification in data {
      for case .success(let record) in try specification.records() {
        let label = record.labeled.label
        records += 1
        longest = max(longest, label.count)
        hasSpaces = hasSpaces || label.contains(" ")
        labels.insert(label)
      }
    }
  }

  /// Lines if most labels occur once or twice and some have several characters.
  var kind: ProgramKind {
    guard longest > 1 else { return .glyphs }
    return 2 * labels.count > records || hasSpaces && 10 * labels.count > records ? .lines : .glyphs
  }
}
