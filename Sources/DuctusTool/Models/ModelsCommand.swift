import ArgumentParser
import Foundation
import ModelFormat
import ModelStore

/// `ductus models`: manages installed and published models.
package struct ModelsCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Install, verify, pack, convert, sign, publish and serve models.",
    discussion: """
      Without a command, the models that are there are listed.

      Example:
        ductus models install latin-lines --catalog https://example.org/models \\
          --trust publisher.pub
      """,
    subcommands: [
      ModelsListCommand.self, ModelsSearchCommand.self, ModelsInstallCommand.self,
      ModelsUpdateCommand.self, ModelsDeleteCommand.self, ModelsVerifyCommand.self,
      ModelsPackCommand.self, ModelsAverageCommand.self, ModelsExportCommand.self,
      ModelsFeaturesCommand.self,
      ModelsImportCommand.self, ModelsKeygenCommand.self,
      ModelsSignCommand.self, ModelsPublishCommand.self, ModelsServeCommand.self,
    ],
    defaultSubcommand: ModelsListCommand.self)
}

/// The store and the catalogue.
package struct ModelStoreOptions: ParsableArguments {
  package init() {}

  @Option(help: ArgumentHelp("The URL of a published catalogue.", valueName: "url"))
  var catalog: String?

  @Option(
    help: ArgumentHelp("The public key of the publisher; repeatable.", valueName: "KEY.pub"))
  var trust: [String] = []

  @Option(
    help: ArgumentHelp(
      "The folder of installed models; default: DUCTUS_MODELS, or the user's data folder.",
      valueName: "dir"))
  var store: String?

  func manager() throws -> ModelManager {
    let url = try catalog.map { text -> URL in
      guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil
      else { throw ValidationError("--catalog \(text): expected an http or https URL") }
      return url
    }
    return try ModelManager(
      storage: store.map { URL(fileURLWithPath: $0) } ?? ModelManager.defaultStorage,
      catalog: url, trustedKeys: try trustedKeys())
  }

  func trustedKeys() throws -> [VerifyingKey] {
    try trust.map { try VerifyingKey(contentsOf: URL(fileURLWithPath: $0)) }
  }
}
