import ArgumentParser
import Foundation
import ModelFormat
import ModelServer
import ModelStore

/// `ductus models publish`.
package struct ModelsPublishCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Write a signed catalogue of models for any web server.",
    discussion: """
      Models that the catalogue already has stay in it. A given model replaces the one of the \
      same name and must have a higher version. Without models, the catalogue is signed again \
      with a new expiry date.

      Example:
        ductus models publish latin-lines.ductus shapes.ductus --output site \\
          --key publisher
      """)

  @Argument(help: ArgumentHelp("Bundles, NAME.ductus.", valueName: "model"))
  var models: [String] = []

  @Option(help: ArgumentHelp("The folder of the catalogue.", valueName: "dir"))
  var output: String

  @Option(help: ArgumentHelp("The private key.", valueName: "key"))
  var key: String

  @Option(help: ArgumentHelp("Days until the catalogue expires.", valueName: "n"))
  var days = 90

  package func validate() throws {
    guard 1...36_500 ~= days else { throw ValidationError("--days \(days): expected 1 to 36500") }
  }

  package func run() throws {
    let key = try SigningKey(contentsOf: URL(fileURLWithPath: key))
    let folder = URL(fileURLWithPath: output)
    let before = CatalogPublisher.signer(of: folder)
    let publisher = CatalogPublisher(key: key, lifetime: Double(days) * 86_400)
    let catalog = try publisher.publish(models.map { URL(fileURLWithPath: $0) }, to: folder)
    let count = TerminalText.count(catalog.entries.count, "model")
    print("\(output): catalogue version \(catalog.version), \(count), expires \(catalog.expires)")
    if let before, before != key.verifyingKey {
      print(
        "now signed by \(key.verifyingKey.fingerprint), before by \(before.fingerprint): apps that "
          + "trust only the old key will refuse it")
    }
  }
}

/// `ductus models serve`.
package struct ModelsServeCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a published catalogue on this machine, for development.",
    discussion: """
      Listens on 127.0.0.1 until it is interrupted.

      Example:
        ductus models serve site --port 8080
      """)

  @Argument(help: ArgumentHelp("The folder of the catalogue.", valueName: "dir"))
  var folder: String

  @Option(help: ArgumentHelp("The port; 0 selects a free one.", valueName: "n"))
  var port: UInt16 = 8080

  package func run() async throws {
    let url = URL(fileURLWithPath: folder)
    let catalog = url.appendingPathComponent(Catalog.fileName)
    guard FileManager.default.fileExists(atPath: catalog.path) else {
      throw ModelStoreError.notFound(catalog.path)
    }
    let server = try CatalogServer(folder: url, port: port, logsRequests: true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      if let address = try await server.waitUntilListening() {
        print("serving \(folder) at \(address.absoluteString)")
        fflush(nil)
      }
      try await group.waitForAll()
    }
  }
}
