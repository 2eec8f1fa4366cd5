import FlyingFox
import Foundation
import Recognition
import WebServer

/// Answers the requests of the HTTP interface. The studio serves the same interface.
package struct WebAPIHandler: HTTPHandler {
  let service: RecognitionService
  let pages: WebPages?
  let configuration: WebAPIConfiguration
  let access: RequestGuard
  let queue: RecognitionQueue
  let metrics = WebMetrics()
  private let openAPI: Data

  /// Makes a handler; without pages, it has the interface alone.
  package init(
    service: RecognitionService, pages: WebPages?, configuration: WebAPIConfiguration
  ) {
    self.service = service
    self.pages = pages
    self.configuration = configuration
    access = RequestGuard(configuration: configuration)
    queue = RecognitionQueue(workers: configuration.workers, waiting: configuration.waiting)
    openAPI = Data(OpenAPIDocument.text(limits: configuration.limits).utf8)
  }

  /// The paths of the interface, with their methods.
  private static let methods: [String: [HTTPMethod]] = [
    "/v1/recognize": [.POST], "/v1/export": [.GET, .HEAD, .POST], "/v1/models": [.GET, .HEAD],
    "/v1/openapi.json": [.GET, .HEAD],
    "/healthz": [.GET, .HEAD], "/metrics": [.GET, .HEAD],
  ]

  package func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    var response = await answer(request)
    for (header, value) in access.crossOriginHeaders(for: request) {
      response.headers[header] = value
    }
    response.headers[HTTPHeader("X-Content-Type-Options")] = "nosniff"
    let path = Self.methods[request.path] == nil ? "other" : request.path
    metrics.count(path: path, status: response.statusCode.code)
    return response
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let page = pages?[request.path]
    let methods = Self.methods[request.path] ?? (page == nil ? nil : [.GET, .HEAD])
    // The pages of the server contain no secrets, and a browser cannot send the token for them.
    let needsToken = page == nil && request.path != "/healthz" && request.method != .OPTIONS
    if let refusal = access.refusal(of: request, needsToken: needsToken) {
      return await failure(refusal, of: request)
    }
    guard let methods else {
      return await failure(
        ExchangeError(.notFound, "expected a path of /v1/openapi.json, found another"),
        of: request)
    }
    if request.method == .OPTIONS, !access.crossOriginHeaders(for: request).isEmpty {
      return HTTPResponse(statusCode: .noContent)
    }
    guard methods.contains(request.method) else {
      var response = await failure(
        ExchangeError(
          .methodNotAllowed,
          "expected \(methods.map(\.rawValue).joined(separator: " or ")), found another method"),
        of: request)
      response.headers[HTTPHeader("Allow")] = methods.map(\.rawValue).joined(separator: ", ")
      return response
    }
    if let page { return Self.response(page.bytes, page.type, request) }
    switch request.path {
    case "/v1/recognize": return await recognize(request)
    case "/v1/export":
      guard request.method == .POST else {
        return Self.response(InkExportRequest.formats, Self.json, request)
      }
      return await export(request)
    case "/v1/models": return Self.response(modelList(), Self.json, request)
    case "/v1/openapi.json": return Self.response(openAPI, Self.json, request)
    case "/metrics":
      let text = metrics.text(load: queue.load)
      return Self.response(Data(text.utf8), "text/plain; version=0.0.4; charset=utf-8", request)
    default: return Self.response(Data(#"{"status":"ok"}"#.utf8), Self.json, request)
    }
  }

  // MARK: - Recognition

  private func recognize(_ request: HTTPRequest) async -> HTTPResponse {
    let start = ContinuousClock.now
    if let refusal = access.bodyRefusal(of: request) { return await failure(refusal, of: request) }
    do throws(ExchangeError) {
      let bytes = try await body(of: request)
      let service = service
      if RecognitionService.isBatch(bytes) {
        let answers = try await queue.run(seconds: configuration.seconds) {
          Result { () throws(ExchangeError) in try service.answers(bytes) }
        }.get()
        for answer in answers { count(answer.error) }
        metrics.count(seconds: Self.seconds(since: start), inks: answers.count)
        return Self.response(Data(RecognitionAnswer.json(answers)), Self.json, request)
      }
      let answer = try await queue.run(seconds: configuration.seconds) { service.answer(bytes) }
      count(answer.error)
      metrics.count(seconds: Self.seconds(since: start), inks: 1)
      return Self.response(
        Data(answer.json), Self.json, request, status: answer.error?.status ?? .ok)
    } catch {
      count(error)
      return error.response(isHead: false)
    }
  }

  // MARK: - Exports

  private func export(_ request: HTTPRequest) async -> HTTPResponse {
    if let refusal = access.bodyRefusal(of: request) { return await failure(refusal, of: request) }
    do throws(ExchangeError) {
      let bytes = try await body(of: request)
      let order = try InkExportRequest(request.query)
      let service = service
      let file = try await queue.run(seconds: configuration.seconds) {
        Result { () throws(ExchangeError) in try order.bytes(bytes, service) }
      }.get()
      return HTTPResponse.content(
        Data(file), type: order.format.mediaType, isHead: false,
        headers: [
          .cacheControl: "no-store",
          HTTPHeader("Content-Disposition"): order.disposition,
        ])
    } catch {
      count(error)
      return error.response(isHead: false)
    }
  }

  private func body(of request: HTTPRequest) async throws(ExchangeError) -> [UInt8] {
    do throws(RequestBodyError) {
      return [UInt8](try await request.body(atMost: configuration.limits.bytes))
    } catch {
      throw switch error {
      case .cutOff:
        ExchangeError(.malformedJSON, "the body is shorter than its length; send all of it")
      case .tooLong: .tooManyBytes(configuration.limits)
      }
    }
  }

  private func count(_ error: ExchangeError?) {
    if let error { metrics.count(error: error.code.rawValue) }
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
  }

  // MARK: - Answers

  private static let json = "application/json"

  /// Returns an error as an answer of the interface, after reading the body of the request.
  private func failure(_ error: ExchangeError, of request: HTTPRequest) async -> HTTPResponse {
    count(error)
    return await error.response(to: request)
  }

  private static func response(
    _ bytes: Data, _ type: String, _ request: HTTPRequest, status: HTTPStatusCode = .ok
  ) -> HTTPResponse {
    var headers: HTTPHeaders = [.cacheControl: "no-store"]
    if type.hasPrefix("text/html") {
      headers[HTTPHeader("Content-Security-Policy")] =
        "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
    return .content(
      bytes, type: type, isHead: request.method == .HEAD, status: status, headers: headers)
  }

  // MARK: - Models

  /// The answer to `GET /v1/models`.
  private struct ModelList: Encodable {
    struct Model: Encodable {
      var identifier: String
      var name: String
      var kind: String
      var version: Int
      var languages: [String]
    }

    var models: [Model]
    var defaultModel: String
    var lexicons: [String]
  }

  private func modelList() -> Data {
    let list = ModelList(
      models: service.library.models.sorted { $0.identifier < $1.identifier }.map {
        ModelList.Model(
          identifier: $0.identifier, name: $0.name, kind: $0.kind.rawValue, version: $0.version,
          languages: $0.languages.map { "\($0)" })
      },
      defaultModel: service.library.defaultModel,
      lexicons: service.configuration.lexicons.keys.sorted())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The list has only strings and numbers, so encoding it cannot fail.
    return (try? encoder.encode(list)) ?? Data()
  }
}

extension ExchangeError: HTTPError {
  package var json: Data { Data(RecognitionAnswer(id: nil, .failure(self)).json) }

  package var headers: HTTPHeaders {
    var headers: HTTPHeaders = [.cacheControl: "no-store"]
    switch code {
    case .unauthorized: headers[HTTPHeader("WWW-Authenticate")] = "Bearer"
    case .busy: headers[HTTPHeader("Retry-After")] = "1"
    default: break
    }
    return headers
  }

  package var status: HTTPStatusCode {
    switch code {
    case .malformedJSON: .badRequest
    case .missingField, .unknownField, .invalidValue: .unprocessableContent
    case .tooLarge: .payloadTooLarge
    case .unknownModel, .unknownLexicon, .notFound: .notFound
    case .unusableModel: .conflict
    case .methodNotAllowed: .methodNotAllowed
    case .unsupportedMediaType: .unsupportedMediaType
    case .forbidden: .forbidden
    case .unauthorized: .unauthorized
    case .busy: .serviceUnavailable
    case .timedOut: .gatewayTimeout
    case .failed: .internalServerError
    }
  }
}
