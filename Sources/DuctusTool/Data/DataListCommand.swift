import ArgumentParser
import InkDatasets

/// `ductus data list`: lists the public datasets that this version can read.
struct DataListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the datasets that this version reads, their terms and how to name them.",
    discussion: """
      With --check, says which of them lie below a folder and what is missing there. Exits with 0 \
      whatever is missing, and with 2 where there is no such folder.
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
    print("Built in: starter:characters, starter:shapes, starter:gestures, starter:words")
    print("Formats: " + DataFormat.allCases.map(\.rawValue).joined(separator: ", "))
  }
}
