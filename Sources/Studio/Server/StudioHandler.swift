import FlyingFox
import Foundation
import WebAPI

/// Answers all requests of the studio: its pages, its sections, and the `/v1` interface that it
/// shares with `ductus serve`.
struct StudioHandler: HTTPHandler {
  let access: StudioAccess
  let pages: StudioPages
  let interface: WebAPIHandler
  let routes: [StudioRoute]

  /// The paths of the shared interface.
  private static let shared: Set<String> = ["/v1/recognize", "/v1/models", "/v1/openapi.json"]

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    var response = await answer(request)
    for (header, value) in StudioAccess.headers where response.headers[header] == nil {
      response.headers[header] = value
    }
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let page = pages[request.path]
    if StudioPages.views.contains(request.path), request.method == .GET,
      access.refusal(of: request, needsToken: false) == nil, access.hasTokenInAddress(request)
    {
      var response = HTTPResponse(statusCode: .seeOther)
      for (header, value) in access.signIn(request) { response.headers[header] = value }
      return response
    }
    // Files of the app hold no secrets, and a link from elsewhere may open its pages.
    if let refusal = access.refusal(of: request, needsToken: page == nil) {
      return await failure(refusal, of: request)
    }
    if let page { return await file(page, request) }
    if Self.shared.contains(request.path) {
      if let answer = try? await interface.handleRequest(request) { return answer }
      return await failure(
        StudioError(.failed, "the interface failed; please report it"), of: request)
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
        return failure(StudioError.of(error), isHead: request.method == .HEAD)
      }
    }
    guard methods.isEmpty else {
      let allowed = methods.sorted().joined(separator: ", ")
      var response = await failure(
        StudioError(.methodNotAllowed, "expected \(allowed), found another method"), of: request)
      response.headers[HTTPHeader("Allow")] = allowed
      return response
    }
    return await failure(
      StudioError(.notFound, "expected a path of the studio, found another"), of: request)
  }

  /// Returns the decoded parts of a path. A part with a slash stays undecoded, so that it matches
  /// no name. The path of the HTTP library is decoded already, and would be decoded twice.
  static func parts(of request: HTTPRequest) -> [String] {
    request.target.path().split(separator: "/").map { part in
      let text = String(part).removingPercentEncoding ?? String(part)
      return text.contains("/") || text.contains("\0") ? String(part) : text
    }
  }

  private func body(
    of request: HTTPRequest, for route: StudioRoute
  ) async throws(StudioError) -> Data {
    var bytes = Data()
    var isTooLong = false
    do {
      // A body that is too long is still read to its end, so that the connection stays usable.
      for try await chunk in request.bodySequence where !isTooLong {
        bytes.append(contentsOf: chunk)
        if bytes.count > route.mostBytes { (isTooLong, bytes) = (true, Data()) }
      }
    } catch {
      throw StudioError(.invalidValue, "the body is shorter than its length; send all of it")
    }
    guard !isTooLong else {
      throw StudioError(.tooLarge, "expected at most \(route.mostBytes) bytes, found more")
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
      response = Self.response(bytes, type, isHead, answer.status)
    case .file(let url, let type):
      response = Self.response(try Data(contentsOf: url), type, isHead, answer.status)
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

  private static func response(
    _ bytes: Data, _ type: String, _ isHead: Bool, _ status: HTTPStatusCode
  ) -> HTTPResponse {
    var headers: HTTPHeaders = [.contentType: type]
    guard isHead else {
      return HTTPResponse(statusCode: status, headers: headers, body: bytes)
    }
    headers[.contentLength] = "\(bytes.count)"
    return HTTPResponse(statusCode: status, headers: headers, body: HTTPBodySequence())
  }

  private func file(_ page: StudioPages.Page, _ request: HTTPRequest) async -> HTTPResponse {
    guard request.method == .GET || request.method == .HEAD else {
      return await failure(
        StudioError(.methodNotAllowed, "expected GET, found another method"), of: request)
    }
    // The browser asks whether a file has changed, so a new version of the studio is seen at once.
    let headers: HTTPHeaders = [.cacheControl: "no-cache", .eTag: page.entityTag]
    if request.headers[.ifNoneMatch] == page.entityTag {
      return HTTPResponse(statusCode: .notModified, headers: headers)
    }
    var response = Self.response(page.bytes, page.type, request.method == .HEAD, .ok)
    for (header, value) in headers { response.headers[header] = value }
    return response
  }

  /// Returns an error as an answer, after reading the body of the request.
  private func failure(_ error: StudioError, of request: HTTPRequest) async -> HTTPResponse {
    do {
      for try await _ in request.bodySequence {}
    } catch {
      // The connection is closed, so there is nobody to answer.
    }
    return failure(error, isHead: request.method == .HEAD)
  }

  /// Returns an error as an answer to a request whose body was read. A long body can be read once
  /// only: reading it again would wait for bytes that do not come.
  private func failure(_ error: StudioError, isHead: Bool) -> HTTPResponse {
    struct Answer: Encodable {
      struct Fault: Encodable {
        var code: String
        var message: String
        var field: String?
      }
      var error: Fault
    }
    let answer = Answer(
      error: .init(code: error.code.rawValue, message: error.message, field: error.field))
    // Texts and nothing else, so encoding cannot fail.
    let bytes = (try? JSONEncoder().encode(answer)) ?? Data()
    return Self.response(bytes, "application/json", isHead, Self.status(of: error.code))
  }

  private static func status(of code: StudioError.Code) -> HTTPStatusCode {
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
