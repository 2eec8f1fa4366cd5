import ArgumentParser
import InkDatasets

/// `ductus data list`: lists the public datasets that this version can read.
struct DataListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List public datasets: content, licence, origin, how to name them.",
    discussion: """
      With --check, it says which datasets are below a folder and which files are missing. Exits \
      with 0 even if files are missing, and with 2 if the folder does not exist.

      Example:
        ductus data list --check ~/.cache/ink-datasets
      """)

  @Option(help: ArgumentHelp("Look for the datasets below a folder.", valueName: "folder"))
  var check: String?

  func run() async throws {
    if let check {
      for dataset in try PublicDataset.all() { print(try dataset.check(below: check)) }
      return
    }
    for dataset in try PublicDataset.all() {
      print(
        """
        \(dataset.name): \(dataset.content)
          data      \(dataset.specification)
          origin    \(dataset.origin)
          licence   \(dataset.licence)
          citation  \(dataset.citation)
          split     \(dataset.split)
          shipping  \(dataset.shipping)
          access    \(dataset.access)
        """)
    }
    print(
      "Built in: starter:characters, starter:shapes, starter:gestures, starter:words, "
        + "starter:sketches")
    print("Formats: " + DataFormat.allCases.map(\.rawValue).joined(separator: ", "))
  }
}
