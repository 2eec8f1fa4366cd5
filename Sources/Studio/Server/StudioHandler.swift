import FlyingFox
import Foundation
import WebAPI
import WebServer

/// Answers all requests of the studio: its pages, its sections, and the `/v1` interface that it
/// shares with `ductus serve`.
package struct StudioHandler: HTTPHandler {
  let access: StudioAccess
  let files: WebFiles
  let interface: WebAPIHandler
  let routes: [StudioRoute]

  /// The paths of the shared interface.
  private static let shared: Set<String> = ["/v1/recognize", "/v1/models", "/v1/openapi.json"]

  package func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    var response = await answer(request)
    for (header, value) in StudioAccess.headers where response.headers[header] == nil {
      response.headers[header] = value
    }
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let page = files[request.path]
    if WebFiles.views.contains(request.path), request.method == .GET,
      access.refusal(of: request, needsToken: false) == nil, access.hasTokenInAddress(request)
    {
      var response = HTTPResponse(statusCode: .seeOther)
      for (header, value) in access.signIn(request) { response.headers[header] = value }
      return response
    }
    // Files of the app hold no secrets, and a link from elsewhere may open its pages.
    if let refusal = access.refusal(of: request, needsToken: page == nil) {
      return await refusal.response(to: request)
    }
    if let page { return await file(page, request) }
    if Self.shared.contains(request.path) {
      if let answer = try? await interface.handleRequest(request) { return answer }
      return await StudioError(.failed, "the interface failed; please report it")
        .response(to: request)
    }
    return await route(request)
  }

  private func route(_ request: HTTPRequest) async -> HTTPResponse {
    let parts = Self.parts(of: request)
    var methods: Set<String> = []
    for route in routes {
      guard let parameters = route.parameters(of: parts) else { continue }
      methods.insert(route.method.rawValue)
      guard route.method == request.method || (route.method == .GET && request.method == .HEAD)
      else { continue }
      do {
        let body = try await body(of: request, for: route)
        let query = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
        let answer = try await route.answer(
          StudioRequest(parameters: parameters, query: query, body: body, http: request))
        return try await response(answer, request)
      } catch {
        return StudioError.of(error).response(isHead: request.method == .HEAD)
      }
    }
    guard methods.isEmpty else {
      let allowed = methods.sorted().joined(separator: ", ")
      var response = await StudioError(
        .methodNotAllowed, "expected \(allowed), found another method"
      ).response(to: request)
      response.headers[HTTPHeader("Allow")] = allowed
      return response
    }
    return await StudioError(.notFound, "expected a path of the studio, found another")
      .response(to: request)
  }

  /// Returns the decoded parts of a path. A part with a slash stays undecoded, so that it matches
  /// no name. The path of the HTTP library is decoded already, and would be decoded twice.
  package static func parts(of request: HTTPRequest) -> [String] {
    request.target.path().split(separator: "/").map { part in
      let text = String(part).removingPercentEncoding ?? String(part)
      return text.contains("/") || text.contains("\0") ? String(part) : text
    }
  }

  private func body(
    of request: HTTPRequest, for route: StudioRoute
  ) async throws(StudioError) -> Data {
    let bytes: Data
    do throws(RequestBodyError) {
      bytes = try await request.body(atMost: route.mostBytes)
    } catch {
      throw switch error {
      case .cutOff:
        StudioError(.invalidValue, "the body is shorter than its length; send all of it")
      case .tooLong:
        StudioError(.tooLarge, "expected at most \(route.mostBytes) bytes, found more")
      }
    }
    guard bytes.isEmpty || Self.isJSON(request.headers[.contentType]) else {
      throw StudioError(
        .unsupportedMediaType, "expected the content type application/json, found another")
    }
    return bytes
  }

  private static func isJSON(_ type: String?) -> Bool {
    type?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
      == "application/json"
  }

  // MARK: - Answers

  private func response(
    _ answer: StudioAnswer, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    var response: HTTPResponse
    let isHead = request.method == .HEAD
    switch answer.content {
    case .nothing: response = HTTPResponse(statusCode: answer.status)
    case .bytes(let bytes, let type):
      response = .content(bytes, type: type, isHead: isHead, status: answer.status)
    case .file(let url, let type):
      response = .content(
        try Data(contentsOf: url), type: type, isHead: isHead, status: answer.status)
    case .webSocket(let handler):
      return try await WebSocketHTTPHandler(handler: Upgrade(handler)).handleRequest(request)
    }
    for (header, value) in answer.headers { response.headers[header] = value }
    return response
  }

  /// Passes frames to a handler whose type is not known here.
  private struct Upgrade: WSHandler {
    let base: any WSHandler
    init(_ base: any WSHandler) { self.base = base }
    func makeFrames(
      for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> {
      try await base.makeFrames(for: client)
    }
  }

  private func file(_ page: WebFiles.File, _ request: HTTPRequest) async -> HTTPResponse {
    guard request.method == .GET || request.method == .HEAD else {
      return await StudioError(.methodNotAllowed, "expected GET, found another method")
        .response(to: request)
    }
    // The browser asks whether a file has changed, so a new version of the studio is seen at once.
    let headers: HTTPHeaders = [.cacheControl: "no-cache", .eTag: page.entityTag]
    if request.headers[.ifNoneMatch] == page.entityTag {
      return HTTPResponse(statusCode: .notModified, headers: headers)
    }
    return .content(
      page.bytes, type: page.type, isHead: request.method == .HEAD, headers: headers)
  }
}

extension StudioError: HTTPError {
  /// `{"error": {"code": …, "message": …, "field": …}}`.
  package var json: Data {
    struct Answer: Encodable {
      struct Fault: Encodable {
        var code: String
        var message: String
        var field: String?
      }
      var error: Fault
    }
    let answer = Answer(error: .init(code: code.rawValue, message: message, field: field))
    // Texts and nothing else, so encoding cannot fail.
    return (try? JSONEncoder().encode(answer)) ?? Data()
  }

  package var status: HTTPStatusCode {
    switch code {
    case .invalidValue: .unprocessableContent
    case .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .conflict: .conflict
    case .forbidden: .forbidden
    case .unauthorized: .unauthorized
    case .tooLarge: .payloadTooLarge
    case .unsupportedMediaType: .unsupportedMediaType
    case .busy: .serviceUnavailable
    case .unusableFile, .unusableAddress, .failed: .internalServerError
    }
  }
}
