import ArgumentParser
import Foundation
import ModelStore
import PretrainedModels
import Recognition
import Training

/// `ductus models install`.
package struct ModelsInstallCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Install a model from a catalogue or a folder.",
    discussion: """
      An interrupted download continues where it stopped. A download needs a catalogue that is \
      signed with a trusted key; a folder NAME.ductus may be unsigned.

      Models that come with ductus need no installation; 'ductus models list' names them.

      Examples:
        ductus models install latin-lines --catalog https://example.org/models \\
          --trust publisher.pub
        ductus models install fy.ductus
      """)

  @Argument(help: ArgumentHelp("A model's name, a language, or a bundle.", valueName: "model"))
  var model: String

  @OptionGroup var options: ModelStoreOptions

  package func run() async throws {
    let manager = try options.manager()
    let manifest = URL(fileURLWithPath: model).appendingPathComponent("manifest.json").path
    let isFolder =
      model.hasSuffix(".ductus") || model.contains("/")
      || FileManager.default.fileExists(atPath: manifest)
    if !isFolder, options.catalog == nil {
      return print(try Self.shipped(model))
    }
    let installed =
      isFolder
      ? try manager.install(from: URL(fileURLWithPath: model))
      : try await DownloadConsole.follow(manager.download(model))
    print(DownloadConsole.text(installed))
  }

  /// The text for a model without a catalogue: it comes with ductus, or it can be made.
  ///
  /// - Throws: ``ToolError`` if it does not come with ductus.
  private static func shipped(_ name: String) throws -> String {
    if let model = try? PretrainedModels().model(for: name) {
      return "\(model.identifier): comes with ductus, nothing to install"
    }
    var advice = "pass the catalogue's URL and its public key: --catalog URL --trust KEY.pub"
    if let tag = try? LanguageTag(parsing: name),
      (try? LanguageTable.cldr().row(for: tag)) != nil
    {
      advice += "; or make a pack from sentences: ductus language new \(tag) --text FILE"
    }
    throw ToolError.badInput(
      "\(name): expected a model that comes with ductus, or a catalogue, found neither; \(advice)")
  }
}

/// `ductus models update`.
package struct ModelsUpdateCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
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

  package func run() async throws {
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
package struct ModelsDeleteCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
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

  package func run() throws {
    try options.manager().deleteNow(model)
    print("\(model): deleted")
  }
}

/// Shows downloads on the console.
package enum DownloadConsole {
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
