import FlyingFox
import Foundation
import Recognition
import WebServer

/// Serves recognition over HTTP: `POST /v1/recognize`, `GET /v1/models`, and a page to try it.
///
/// Requests and answers are the same as those of `ductus recognize -`; ``OpenAPIDocument``
/// describes the interface. Over HTTP, a model is an identifier or a language, never a path.
///
///     let server = try WebAPIServer(service: service)
///     try await server.run()
package struct WebAPIServer: Sendable {
  private let server: HTTPServer
  private let configuration: WebAPIConfiguration
  private let handler: WebAPIHandler
  /// Runs the work of the requests.
  package var queue: RecognitionQueue { handler.queue }

  /// Makes a server that does not listen yet.
  ///
  /// - Parameters:
  ///   - service: Answers the requests. `GET /v1/models` lists the models of its library.
  ///   - configuration: The address, the clients and the limits.
  /// - Throws: ``WebAPIError``, or FlyingFox's error for an invalid address.
  package init(
    service: RecognitionService, configuration: WebAPIConfiguration = WebAPIConfiguration()
  ) throws {
    guard configuration.isLoopback || configuration.token?.isEmpty == false else {
      throw WebAPIError.tokenMissing(host: configuration.host)
    }
    self.configuration = configuration
    handler = WebAPIHandler(
      service: service, pages: try WebPages(), configuration: configuration)
    let address = ServerAddress(host: configuration.host, port: configuration.port)
    do throws(ServerAddress.Malformed) {
      // The limit of the whole exchange. It is longer than that of reading, whose error says more.
      server = HTTPServer(
        config: try address.configuration(timeout: configuration.seconds + 30), handler: handler)
    } catch {
      throw WebAPIError.malformedHost(configuration.host)
    }
  }

  /// Serves until the task is cancelled or ``stop(seconds:)`` is called.
  ///
  /// - Throws: FlyingFox's error if the port is in use, or `CancellationError`.
  package func run() async throws {
    // For a method that FlyingFox does not know, its own answer would not list the allowed methods.
    await server.appendRoute(HTTPRoute(methods: [HTTPMethod("QUERY")], path: "*"), to: handler)
    try await server.run(throughOverload: configuration.port)
  }

  /// Stops accepting connections, and waits for the answers under way.
  ///
  /// - Parameter seconds: The longest time to wait for these answers.
  package func stop(seconds: Double = 10) async {
    await server.stop(timeout: seconds)
  }

  /// Waits until the server answers requests.
  ///
  /// - Returns: The URL of the server.
  package func waitUntilListening() async throws -> URL? {
    try await server.waitUntilListening(timeout: 300)
    return await server.listeningURL
  }
}
