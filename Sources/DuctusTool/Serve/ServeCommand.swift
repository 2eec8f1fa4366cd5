import ArgumentParser
import Foundation
import InstalledModels
import LanguageModels
import Recognition
import WebAPI
import WebServer

/// `ductus serve`.
package struct Serve: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Serve recognition over HTTP on this machine.",
    discussion: """
      POST /v1/recognize takes one request of 'recognize -' or an array; GET /v1/models lists \
      the models, GET /v1/openapi.json describes the interface, GET /healthz and GET /metrics \
      report its state. The page at / is a surface to write on.

      By default, only programs on this machine can reach the server. With --host, others can, \
      too: they must send the token in DUCTUS_TOKEN, or the one that is printed at the start.

      Examples:
        ductus serve --port 8765
        curl -H 'Content-Type: application/json' --data @request.json \\
          localhost:8765/v1/recognize
      """)

  @Option(help: ArgumentHelp("The port; 0 selects a free one.", valueName: "number"))
  var port: UInt16 = 8765

  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(
    help: ArgumentHelp(
      """
      A further model for requests, in addition to the installed and shipped ones: a bundle or a \
      name. The first is the default. Repeatable.
      """, valueName: "model"))
  var model: [String] = []

  @Option(
    help: ArgumentHelp(
      "A lexicon that requests may name: its name and a file with one word per line. Repeatable.",
      valueName: "name=file"))
  var lexicon: [String] = []

  @Option(
    help: ArgumentHelp(
      "A web origin whose pages may use the server, such as https://notes.example. Repeatable.",
      valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    help: ArgumentHelp(
      "Requests that are read at the same time; default: the number of cores.",
      valueName: "number"))
  var workers: Int?

  @Flag(help: "Print the OpenAPI document of the interface, and exit.")
  var openapi = false

  /// The environment variable that holds the token.
  static let tokenVariable = "DUCTUS_TOKEN"

  package func validate() throws {
    if let workers, workers < 1 { throw ValidationError("--workers: expected 1 or more") }
    for each in lexicon where each.split(separator: "=", maxSplits: 1).count != 2 {
      throw ValidationError("--lexicon \(each): expected NAME=FILE")
    }
    for each in allowOrigin {
      guard let url = URL(string: each), url.scheme != nil, url.host != nil, url.path.isEmpty else {
        throw ValidationError(
          "--allow-origin \(each): expected scheme, host and port, such as https://notes.example")
      }
    }
  }

  package func run() async throws {
    if openapi { return print(OpenAPIDocument.text()) }
    signal(SIGPIPE, SIG_IGN)
    OpenFiles.raiseLimit()
    var configuration = WebAPIConfiguration(
      host: host, port: port,
      token: ProcessInfo.processInfo.environment[Self.tokenVariable].flatMap {
        $0.isEmpty ? nil : $0
      }, allowedOrigins: Set(allowOrigin))
    if let workers { configuration.workers = workers }
    let isTokenNew = !configuration.isLoopback && configuration.token == nil
    if isTokenNew { configuration.token = AccessToken.random() }
    let server = try WebAPIServer(
      service: try Self.service(
        InstalledModels.library(with: model), lexicons: lexicon, limits: configuration.limits),
      configuration: configuration)
    let signals = Interruption.stopping { Task { await server.stop() } }
    defer { withExtendedLifetime(signals) {} }
    async let announced: Void = announce(server, token: isTokenNew ? configuration.token : nil)
    do {
      try await server.run()
    } catch  where signals.isRaised {
      // Asked to: that is no failure.
    }
    _ = try? await announced
  }

  private func announce(_ server: WebAPIServer, token: String?) async throws {
    guard let url = try await server.waitUntilListening() else { return }
    // Write without the buffer of print: a program that started the server reads this at once.
    let lines = ["listening on \(url.absoluteString)"] + (token.map { ["token \($0)"] } ?? [])
    FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }

  /// Makes the service of the server, with its default model open.
  ///
  /// - Parameters:
  ///   - library: The models that requests may name.
  ///   - lexicons: The lexicons that requests may name, as NAME=FILE.
  ///   - limits: The limits of a request.
  package static func service(
    _ library: ModelLibrary, lexicons: [String], limits: ExchangeLimits
  ) throws -> RecognitionService {
    var configuration = RecognitionService.Configuration(limits: limits)
    for each in lexicons {
      let parts = each.split(separator: "=", maxSplits: 1).map(String.init)
      configuration.lexicons[parts[0]] = try Lexicon(words: WordList.words(of: parts[1]))
    }
    let service = RecognitionService(library: library, configuration: configuration)
    try service.readerOfCommandLine()
    return service
  }
}
