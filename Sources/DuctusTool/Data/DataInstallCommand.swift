import ArgumentParser
import Downloads
import Files
import Foundation
import InkDatasets

/// `ductus data install`.
package struct DataInstallCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Download a public dataset and unpack it below the folder of all datasets.",
    discussion: """
      Downloads the files that the dataset's card names, and checks their length and SHA-256 if the \
      card has them. Unpacks them with the system's tar and unzip into a new folder, and checks that \
      the dataset is complete, as `data list --check` does. An interrupted download resumes. If the \
      owner requires registration, the command says what to do instead. Read the licence first: \
      `ductus data list NAME` prints it.

      Example:
        ductus data install omniglot
      """)

  @Argument(help: ArgumentHelp("The dataset, as `data list` names it.", valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "The folder of all datasets; else INK_DATASETS, else ~/.cache/ink-datasets.",
      valueName: "folder"))
  var folder: String?

  package func run() async throws {
    let dataset = try PublicDataset.named(name)
    let installer = DatasetInstaller(root: root)
    let console = InstallConsole(dataset.name)
    defer { console.end() }
    let outcome = try await installer.install(dataset) { console.show($0) }
    console.end()
    for source in outcome.sources where !source.wasChecked {
      Outcome.writeToStandardError(
        """
        \(source.address): the card has no length and SHA-256, so the file was not checked; found \
        \(source.bytes) bytes, SHA-256 \(source.sha256) (kept in \(DatasetInstaller.recordName))

        """)
    }
    if outcome.sources.isEmpty { print("\(dataset.name): installed already") }
    print("licence: \(dataset.licence). \(dataset.shipping)")
    print(outcome.check)
  }

  private var root: String { folder ?? DatasetFolder.path }
}

extension DatasetInstallError: BadInputError {
  /// A name or folder that is not right; not the fault of a server or an archive.
  package var isBadInput: Bool {
    switch self {
    case .unknown, .needsOwner, .folderInTheWay: true
    case .download, .missingProgram, .unpacking, .unsafeEntry, .incomplete, .storage: false
    }
  }
}

/// The progress of an installation on the console.
private final class InstallConsole: Sendable {
  private let dataset: String
  private let line = Guarded(ProgressLine())
  private let started = ContinuousClock.now

  init(_ dataset: String) {
    self.dataset = dataset
  }

  func show(_ progress: DatasetInstaller.Progress) {
    line.withLock { line in
      switch progress {
      case .downloading(let archive, let count, let bytes, let total):
        let seconds = max((ContinuousClock.now - started) / .seconds(1), 1e-6)
        let whole = total.map { " of \($0)" } ?? ""
        line.show(
          total.map { $0 == 0 ? 1 : Double(bytes) / Double($0) },
          "\(dataset), file \(archive) of \(count)  \(bytes)\(whole) bytes"
            + String(format: "  %.1f MB/s", Double(bytes) / seconds / 1e6))
      case .unpacking(let archive, let count):
        line.show(nil, "\(dataset), file \(archive) of \(count)  unpacking")
      }
    }
  }

  func end() {
    line.withLock { $0.clear() }
  }
}
