import FlyingFox
import Foundation
import Recognition
import WebAPI
import WebServer

/// A local web app on a project folder: write, collect ink, clean labels, train and compare models.
///
///     let server = try StudioServer(configuration)
///     async let address = server.waitUntilListening()
///     try await server.run()
package struct StudioServer: Sendable {
  private let server: HTTPServer
  private let token: String
  private let port: UInt16

  /// Makes a server that does not listen yet.
  ///
  /// - Throws: ``StudioError`` for a folder or an address that cannot be used.
  package init(_ configuration: StudioConfiguration) throws {
    let project = try Project(at: configuration.folder)
    token = try configuration.token ?? project.token()
    port = configuration.port
    let data = ProjectData(project: project, allowed: configuration.data)
    let context = StudioContext(
      configuration: configuration, project: project, data: data)
    let sections: [any StudioSection] = try StudioSections.all(context)
    let address = ServerAddress(host: configuration.host, port: configuration.port)
    let handler = StudioHandler(
      access: StudioAccess(token: token, isLoopback: address.isLoopback),
      files: try WebFiles(),
      interface: try Self.interface(configuration),
      routes: sections.flatMap(\.routes))
    do throws(ServerAddress.Malformed) {
      // Long enough for an upload over a slow line; a WebSocket has no limit.
      server = HTTPServer(config: try address.configuration(timeout: 120), handler: handler)
    } catch {
      throw StudioError(
        .unusableAddress,
        "\(configuration.host): expected an IPv4 or IPv6 address of this machine, such as "
          + "127.0.0.1 or ::1")
    }
  }

  /// The `/v1` interface of `ductus serve`. The studio checks host, origin and token first.
  private static func interface(_ configuration: StudioConfiguration) throws -> WebAPIHandler {
    let settings = WebAPIConfiguration(host: configuration.host, port: configuration.port)
    let service = RecognitionService(
      library: configuration.library,
      configuration: RecognitionService.Configuration(limits: settings.limits))
    return WebAPIHandler(service: service, pages: nil, configuration: settings)
  }

  /// Serves until the task is cancelled or ``stop(seconds:)`` is called. If there are too many
  /// connections, all are closed, and the server goes on.
  ///
  /// - Throws: FlyingFox's error if the port is in use, or `CancellationError`.
  package func run() async throws {
    try await server.run(throughOverload: port)
  }

  /// Stops accepting connections, and waits for the answers under way.
  ///
  /// - Parameter seconds: The longest time to wait for these answers.
  package func stop(seconds: Double = 2) async {
    await server.stop(timeout: seconds)
  }

  /// Waits until the server answers requests.
  ///
  /// - Returns: The address to open, with its token.
  package func waitUntilListening() async throws -> URL? {
    try await server.waitUntilListening(timeout: 300)
    let address = await server.listeningURL
    return address.flatMap { URL(string: "\($0.absoluteString)?\(StudioAccess.tokenKey)=\(token)") }
  }
}

/// The settings and the project that all sections of the studio share.
package struct StudioContext: Sendable {
  package let configuration: StudioConfiguration
  let project: Project
  package let data: ProjectData

  package init(configuration: StudioConfiguration, project: Project, data: ProjectData) {
    self.configuration = configuration
    self.project = project
    self.data = data
  }
}

/// The sections of the studio.
enum StudioSections {
  /// Makes all sections.
  ///
  /// - Throws: ``StudioError`` if the state of one cannot be read.
  static func all(_ context: StudioContext) throws -> [any StudioSection] {
    let jobs = Jobs(project: context.project, tool: context.configuration.tool)
    return [
      OverviewSection(context), SavedInkSection(context), CollectSection(context),
      CleanSection(context), IntensitySection(), NotesSection(context),
      PageSection(context), JobsSection(jobs),
      TrainSection(context, jobs: jobs), RunsSection(context),
      EvaluateSection(context, jobs: jobs), ReportsSection(context.project),
      ModelsSection(context, jobs: jobs),
    ]
  }
}
