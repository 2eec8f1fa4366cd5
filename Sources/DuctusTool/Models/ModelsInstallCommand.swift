import ArgumentParser
import Foundation
import ModelStore

/// `ductus models install`.
struct ModelsInstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Install a model from a catalogue or a folder.",
    discussion: """
      An interrupted download continues where it stopped. A download needs a catalogue that is \
      signed with a trusted key; a folder NAME.ductus may be unsigned.

      Example:
        ductus models install latin-lines --catalog https://example.org/models \\
          --trust publisher.pub
      """)

  @Argument(help: ArgumentHelp("A model's name, a language, or a bundle.", valueName: "model"))
  var model: String

  @OptionGroup var options: ModelStoreOptions

  func run() async throws {
    let manager = try options.manager()
    let manifest = URL(fileURLWithPath: model).appendingPathComponent("manifest.json").path
    let isFolder =
      model.hasSuffix(".ductus") || model.contains("/")
      || FileManager.default.fileExists(atPath: manifest)
    let installed =
      isFolder
      ? try manager.install(from: URL(fileURLWithPath: model))
      : try await DownloadConsole.follow(manager.download(model))
    print(DownloadConsole.text(installed))
  }
}

/// `ductus models update`.
struct ModelsUpdateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Update installed models from a catalogue, never to lower versions.",
    discussion: """
      Example:
        ductus models update --catalog https://example.org/models \\
          --trust publisher.pub
      """)

  @Argument(help: ArgumentHelp("Models to update; default: all.", valueName: "model"))
  var models: [String] = []

  @OptionGroup var options: ModelStoreOptions

  func run() async throws {
    let manager = try options.manager()
    let updates = try await manager.availableUpdates().map(\.identifier)
    let named = try models.map { name in
      guard let model = try manager.installedModel(name) else {
        throw ModelStoreError.notFound(name)
      }
      return model.identifier
    }
    let wanted = named.isEmpty ? updates : named
    for model in wanted {
      print(DownloadConsole.text(try await DownloadConsole.follow(manager.update(model))))
    }
    if wanted.isEmpty { print("all models are current") }
  }
}

/// `ductus models delete`.
struct ModelsDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete an installed model.",
    discussion: """
      Parts that other models share are kept.

      Example:
        ductus models delete latin-lines
      """)

  @Argument(help: ArgumentHelp("The model's name.", valueName: "model"))
  var model: String

  @OptionGroup var options: ModelStoreOptions

  func run() throws {
    try options.manager().deleteNow(model)
    print("\(model): deleted")
  }
}

/// Shows downloads on the console.
enum DownloadConsole {
  /// Shows a download until it ends.
  static func follow(_ download: ModelDownload) async throws -> InstalledModel {
    var line = ProgressLine()
    defer { line.clear() }
    for try await event in download {
      switch event.state {
      case .waiting(let obstacle): line.show(nil, "\(event.model): waiting, \(obstacle.rawValue)")
      case .downloading(let progress):
        line.show(
          progress.fraction,
          "\(event.model)  \(progress.completedBytes) of \(progress.totalBytes) bytes"
            + String(format: "  %.1f MB/s", progress.bytesPerSecond / 1e6))
      case .installed(let model): return model
      }
    }
    throw ModelStoreError.cancelled
  }

  static func text(_ model: InstalledModel) -> String {
    "\(model.identifier) version \(model.description.version): installed, \(model.byteCount) bytes, "
      + model.url.path
  }
}
