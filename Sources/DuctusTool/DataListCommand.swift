import ArgumentParser
import InkDatasets

/// `ductus data list`: the public datasets that this version reads.
struct DataListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the public datasets that this version reads, their terms and how to name them.")

  func run() async throws {
    for dataset in PublicDataset.all {
      print(
        """
        \(dataset.name): \(dataset.content)
          data      \(dataset.specification)
          licence   \(dataset.licence)
          citation  \(dataset.citation)
        """)
    }
    print("Formats: " + DataFormat.allCases.map(\.rawValue).joined(separator: ", "))
    print("Not in this version: " + DataFormat.unavailable.joined(separator: ", "))
  }
}
