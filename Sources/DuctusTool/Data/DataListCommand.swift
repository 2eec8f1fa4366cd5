import ArgumentParser
import Foundation
import InkDatasets

/// `ductus data list`: lists the public datasets that this version can read, or shows one.
package struct DataListCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List public datasets and which are there, or show one.",
    discussion: """
      Prints one line for each dataset; the last column says whether its files are in the folder \
      of all datasets: all of them, some, or none. With a name, it prints the content, licence, \
      origin, citation and split of that dataset, how to get it, and how to name it as data.

      With --check, it says which files are missing below a folder. Exits with 0 even if files are \
      missing, and with 2 if the folder does not exist.

      Examples:
        ductus data list
        ductus data list unipen
        ductus data list --check ~/.cache/ink-datasets
      """)

  @Argument(help: ArgumentHelp("Show this dataset.", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("Say which files are missing below a folder.", valueName: "folder"))
  var check: String?

  @OptionGroup var output: JSONOutput

  /// A dataset of the list.
  struct Row: Encodable {
    /// Its short name, which `data install` takes.
    var name: String
    var title: String
    var content: String
    var licence: String
    /// Its name as data.
    var data: String
    /// `present`, `incomplete` or `missing`.
    var state: String
    /// True if `data install` can download it.
    var canBeInstalled: Bool
  }

  package func validate() throws {
    guard check == nil || !output.isAsked else {
      throw ValidationError("--check and --json exclude each other")
    }
  }

  package func run() async throws {
    let datasets = try name.map { [try PublicDataset.named($0)] } ?? PublicDataset.all()
    if let check {
      for dataset in datasets { print(try dataset.check(below: check)) }
      return
    }
    let folder = DatasetFolder.path
    let rows = datasets.map { Self.row(of: $0, in: folder) }
    if name != nil, let dataset = datasets.first, let row = rows.first {
      try output.write(row, text: Self.details(of: dataset, row, in: folder))
    } else {
      try output.write(rows, text: Self.table(rows, in: folder).joined(separator: "\n"))
    }
  }

  /// Looks for a dataset. Without the folder of all datasets, it is missing.
  static func row(of dataset: PublicDataset, in folder: String) -> Row {
    let state = (try? dataset.check(below: folder))?.state ?? .missing
    return Row(
      name: dataset.folder, title: dataset.name, content: dataset.content,
      licence: dataset.licence, data: dataset.specification, state: state.rawValue,
      canBeInstalled: !dataset.archives.isEmpty)
  }

  static func table(_ rows: [Row], in folder: String) -> [String] {
    let cells = rows.map { row in
      [row.name, cut(row.content, to: 36), cut(row.licence, to: 18), word(for: row)]
    }
    return TextTable.lines([["name", "content", "licence", "there"]] + cells, right: [])
      + [
        "",
        "In \(folder). 'ductus data list NAME' shows one; 'ductus data install NAME' gets it.",
        "Built in: starter:characters, starter:shapes, starter:gestures, starter:words, "
          + "starter:sketches, starter:hiragana, starter:katakana, starter:japanese",
        "Formats: " + DataFormat.allCases.map(\.rawValue).joined(separator: ", "),
      ]
  }

  /// The last column.
  private static func word(for row: Row) -> String {
    switch row.state {
    case DatasetCheck.State.present.rawValue: "yes"
    case DatasetCheck.State.incomplete.rawValue: "in part"
    default: row.canBeInstalled ? "no" : "no, by hand"
    }
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count > width ? text.prefix(width - 1) + "…" : text
  }

  private static func details(of dataset: PublicDataset, _ row: Row, in folder: String) -> String {
    """
    \(dataset.name): \(dataset.content)
      data      \(dataset.specification)
      origin    \(dataset.origin)
      licence   \(dataset.licence)
      citation  \(dataset.citation)
      split     \(dataset.split)
      shipping  \(dataset.shipping)
      access    \(dataset.access)
      there     \(word(for: row)), in \(folder)/\(dataset.folder)
    """
  }
}

/// The folder of all public datasets.
package enum DatasetFolder {
  /// `INK_DATASETS`, else `~/.cache/ink-datasets`.
  static var path: String {
    let environment = ProcessInfo.processInfo.environment["INK_DATASETS"] ?? ""
    return environment.isEmpty ? NSHomeDirectory() + "/.cache/ink-datasets" : environment
  }
}
