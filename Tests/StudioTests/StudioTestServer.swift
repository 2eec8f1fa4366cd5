import Foundation
import FoundationNetworking
import PretrainedModels
import Recognition
import Studio
import Testing

/// A project folder that goes with its owner.
final class TemporaryProject {
  /// The folder around the project, for files outside of it.
  let outside: URL
  /// The folder of the project.
  let folder: URL

  init() throws {
    outside = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-studio-\(UUID().uuidString)", isDirectory: true)
    folder = outside.appendingPathComponent("project", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: outside) }
}

/// A studio on a free port, with its project and the shipped models.
struct StudioTestServer {
  /// The address without token.
  let base: URL
  let token: String
  let project: TemporaryProject

  /// Runs a test against a studio of an empty project.
  static func run(_ body: (StudioTestServer) async throws -> Void) async throws {
    let project = try TemporaryProject()
    let models = try PretrainedModels()
    let server = try StudioServer(
      StudioConfiguration(
        folder: project.folder, library: ModelLibrary([models]),
        tool: URL(fileURLWithPath: "/nonexistent"), port: 0))
    let task = Task { try await server.run() }
    defer { task.cancel() }
    let address = try #require(try await server.waitUntilListening())
    let parts = try #require(URLComponents(url: address, resolvingAgainstBaseURL: false))
    let token = try #require(parts.queryItems?.first { $0.name == "token" }?.value)
    try await body(
      StudioTestServer(
        base: try #require(URL(string: "/", relativeTo: address)), token: token, project: project))
    await server.stop(seconds: 1)
  }

  /// An answer: its status, its headers and its body.
  struct Answer {
    var status: Int
    var headers: HTTPURLResponse
    var text: String

    /// Returns the value of a header.
    func header(_ name: String) -> String? { headers.value(forHTTPHeaderField: name) }
  }

  /// Sends a request. Redirects are not followed, and cookies are not kept.
  func send(
    _ path: String, _ method: String = "GET", body: Data? = nil, type: String? = "application/json",
    token: String? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: path, relativeTo: base)))
    request.httpMethod = method
    request.httpShouldHandleCookies = false
    request.timeoutInterval = 30
    if let body {
      request.httpBody = body
      request.setValue(type, forHTTPHeaderField: "Content-Type")
    }
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let session = URLSession(configuration: .ephemeral, delegate: NoRedirects(), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    return Answer(
      status: answer.statusCode, headers: answer, text: String(decoding: data, as: UTF8.self))
  }

  private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }
}
