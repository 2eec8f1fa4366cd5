import ArgumentParser
import Foundation
import InkDatasets
import InstalledModels
import Recognition
import Studio
import WebServer

/// `ductus studio`.
package struct StudioCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Open a local web page to write, collect, clean, train and compare.",
    discussion: """
      Serves a web app on a project folder and prints its address, with a token. Everything that \
      the app writes is in the folder; trainings run as 'ductus train' in processes of their own \
      and continue when the page or the studio is closed.

      By default, only this machine can open the address. With --host, other devices can, too: \
      the connection is not encrypted, so use it only in a network that you trust.

      Examples:
        ductus studio
        ductus studio mine --port 9000
        ductus studio mine --host 192.168.1.20
        ductus studio mine --notes Documents/Notes
      """)

  @Argument(help: "The folder of the project; it is made if it does not exist.")
  var folder = "."

  @Option(help: ArgumentHelp("The port; 0 selects a free one.", valueName: "number"))
  var port: UInt16 = 8766

  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(
    help: ArgumentHelp(
      """
      Data outside the folder that the pages may use, FORMAT:PATH[?key=value&...]. Repeatable.
      """, valueName: "data"))
  var data: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      A further model, in addition to the installed and shipped ones: a bundle or a name. The \
      first is the default. Repeatable.
      """, valueName: "model"))
  var model: [String] = []

  @Option(
    help: ArgumentHelp(
      "A folder of notes that the page Notes searches. Repeatable.", valueName: "folder"))
  var notes: [String] = []

  package func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    OpenFiles.raiseLimit()
    for folder in notes {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
        isFolder.boolValue
      else { throw ToolError.badInput("--notes \(folder): expected a folder of notes") }
    }
    for each in data { _ = try DataSpecification(parsing: each) }
    let url = URL(fileURLWithPath: folder)
    let configuration = StudioConfiguration(
      folder: url,
      library: StudioModels.library(
        of: url, others: try InstalledModels.library(with: model)),
      tool: Self.executable, host: host, port: port, data: data,
      notes: notes.map { URL(fileURLWithPath: $0) })
    let server = try StudioServer(configuration)
    let signals = Interruption.stopping { Task { await server.stop() } }
    defer { withExtendedLifetime(signals) {} }
    async let announced: Void = announce(server)
    do {
      try await server.run()
    } catch  where signals.isRaised {
      // Asked to: that is no failure.
    }
    _ = try? await announced
  }

  private func announce(_ server: StudioServer) async throws {
    guard let url = try await server.waitUntilListening() else { return }
    if !ServerAddress.isLoopback(host) {
      FileHandle.standardError.write(
        Data(
          """
          warning: other devices can reach this address. Everybody who has it can read and \
          change the project, and the connection is not encrypted.

          """.utf8))
    }
    // Write without the buffer of print: a program that started the studio reads this at once.
    FileHandle.standardOutput.write(Data("studio at \(url.absoluteString)\n".utf8))
  }

  /// This program, for trainings in processes of their own.
  private static var executable: URL {
    #if os(Linux)
      if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
        return URL(fileURLWithPath: path)
      }
    #endif
    return Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  }
}
