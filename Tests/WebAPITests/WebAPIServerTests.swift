import Foundation
import FoundationNetworking
import InkCore
import LanguageModels
import PretrainedModels
import Recognition
import Testing
import WebAPI

/// A server of the shipped models on a free port, while a test runs.
private func withServer(
  _ change: (inout WebAPIConfiguration) -> Void = { _ in },
  _ body: (URL, WebAPIServer) async throws -> Void
) async throws {
  let models = try PretrainedModels()
  var configuration = WebAPIConfiguration(port: 0)
  change(&configuration)
  let service = RecognitionService(
    library: ModelLibrary([models]),
    configuration: RecognitionService.Configuration(
      limits: configuration.limits, lexicons: ["pets": try Lexicon(words: ["cat", "dog"])]))
  let server = try WebAPIServer(service: service, configuration: configuration)
  let task = Task { try await server.run() }
  defer { task.cancel() }
  try await body(try #require(try await server.waitUntilListening()), server)
  await server.stop(seconds: 1)
}

/// Sends a request; the status, the body and the headers of the answer.
private func send(
  _ url: URL, _ path: String, _ method: String = "GET", body: String? = nil,
  headers: [String: String] = [:]
) async throws -> (status: Int, text: String, headers: HTTPURLResponse) {
  var request = URLRequest(url: try #require(URL(string: path, relativeTo: url)))
  request.httpMethod = method
  if let body {
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  }
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  let (data, response) = try await URLSession.shared.data(for: request)
  let answer = try #require(response as? HTTPURLResponse)
  return (answer.statusCode, String(decoding: data, as: UTF8.self), answer)
}

/// Sends a request and checks the status of its answer.
private func expect(
  _ status: Int, _ url: URL, _ path: String, _ method: String = "GET", body: String? = nil,
  headers: [String: String] = [:]
) async throws {
  let answer = try await send(url, path, method, body: body, headers: headers)
  #expect(answer.status == status, "\(method) \(path): \(answer.text)")
}

/// A ring of 41 points as a request.
private let ring: String = {
  let angles = (0...40).map { Double($0) * 2 * .pi / 40 }
  let x = angles.map { "\(50 + 30 * sin($0))" }.joined(separator: ",")
  let y = angles.map { "\(50 - 30 * cos($0))" }.joined(separator: ",")
  return #"{"id":1,"spans":true,"strokes":[{"x":[\#(x)],"y":[\#(y)]}]}"#
}()

@Suite(.serialized) struct WebAPIServerTests {
  @Test("One request and an array of requests are answered, with their errors")
  func recognition() async throws {
    try await withServer { url, _ in
      let one = try await send(url, "/v1/recognize", "POST", body: ring)
      #expect(one.status == 200)
      #expect(one.text.hasPrefix(#"{"id":1,"model":"latin-lines","candidates":[{"text":""#))
      #expect(one.text.contains(#""lines":[{"#))
      let two = try await send(
        url, "/v1/recognize", "POST", body: #"[\#(ring),{"id":2},{"id":3,"strokes":[]}]"#)
      #expect(two.status == 200)
      #expect(two.text.contains(#"{"id":2,"error":{"code":"missingField""#))
      #expect(two.text.contains(#"{"id":3,"model":"latin-lines","candidates":[]"#))
    }
  }

  @Test("Ink becomes a file of any format, several inks become pages")
  func export() async throws {
    try await withServer { url, _ in
      let list = try await send(url, "/v1/export")
      #expect(list.status == 200 && list.text.contains(#""name":"docx""#), "\(list.text)")
      let two = "[\(ring),\(ring)]"
      let pdf = try await send(
        url, "/v1/export?format=pdf&title=Gr%C3%B6%C3%9Fe%20%22x%22", "POST", body: two)
      #expect(pdf.status == 200 && pdf.text.hasPrefix("%PDF"))
      #expect(pdf.text.components(separatedBy: "/MediaBox").count == 3)
      #expect(pdf.headers.value(forHTTPHeaderField: "Content-Type") == "application/pdf")
      #expect(
        pdf.headers.value(forHTTPHeaderField: "Content-Disposition")
          == #"attachment; filename="ink.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22x%22.pdf"#)
      let svg = try await send(url, "/v1/export?format=svg&scale=0.5", "POST", body: ring)
      #expect(svg.text.contains(#"width="50mm""#), "\(svg.text.prefix(200))")
      for format in ["html", "inkml", "jiix", "text", "markdown", "jsonl", "unipen"] {
        let answer = try await send(url, "/v1/export?format=\(format)", "POST", body: ring)
        #expect(answer.status == 200 && !answer.text.isEmpty, "\(format): \(answer.text)")
      }
    }
  }

  @Test("Exports that are not possible are refused with the name of the parameter")
  func refusedExports() async throws {
    try await withServer { url, _ in
      for (query, field) in [
        ("", "format"), ("?format=doc", "format"), ("?format=pdf&dpi=0", "dpi"),
        ("?format=png&dpi=1e9", "dpi"), ("?format=pdf&scale=-1", "scale"),
        ("?format=pdf&scale=nan", "scale"), ("?format=pdf&ink=maybe", "ink"),
        ("?format=pdf&such=1", "query"),
        ("?format=pdf&title=\(String(repeating: "x", count: 300))", "title"),
      ] {
        let answer = try await send(url, "/v1/export" + query, "POST", body: ring)
        #expect(answer.status == 422, "\(query): \(answer.text)")
        #expect(answer.text.contains(#""field":"\#(field)""#), "\(query): \(answer.text)")
      }
      let pages = try await send(
        url, "/v1/export?format=svg", "POST", body: "[\(ring),\(ring)]")
      #expect(pages.status == 422 && pages.text.contains("expected one page for svg, found 2"))
      let model = try await send(
        url, "/v1/export?format=jiix", "POST",
        body: #"{"model":"none","strokes":[{"x":[1],"y":[1]}]}"#)
      #expect(model.status == 404, "\(model.text)")
      try await expect(400, url, "/v1/export?format=pdf", "POST", body: "no")
      try await expect(422, url, "/v1/export?format=pdf", "POST", body: "[]")
      try await expect(405, url, "/v1/export?format=pdf", "DELETE")
    }
  }

  @Test("Errors have the status that says whose they are")
  func statuses() async throws {
    try await withServer({ $0.limits.bytes = 5000 }) { url, _ in
      let cases: [(String, Int)] = [
        ("{", 400), ("[{]", 400), (#"{"strokes":[{"x":[NaN]}]}"#, 400), (#"{"id":1}"#, 422),
        (#"{"strokes":[],"extra":1}"#, 422), (#"{"strokes":[],"model":"none"}"#, 404),
        (#"{"strokes":[],"model":"../shapes"}"#, 404),
        (#"{"strokes":[],"model":"/etc/passwd"}"#, 404),
        (#"{"strokes":[],"lexicon":"/etc/passwd"}"#, 404),
        (#"{"strokes":[],"lexicon":"pets"}"#, 200),
        (#"{"strokes":[],"model":"shapes","alphabet":"a"}"#, 422),
        (#"{"strokes":[],"model":"de,shapes"}"#, 409),
        (String(repeating: " ", count: 6000), 413),
        (String(repeating: " ", count: 600_000), 413),
      ]
      for (body, status) in cases {
        let answer = try await send(url, "/v1/recognize", "POST", body: body)
        #expect(answer.status == status, "\(body.prefix(60)): \(answer.text)")
      }
      try await expect(405, url, "/v1/recognize")
      try await expect(404, url, "/v2")
      let form = try await send(
        url, "/v1/recognize", "POST", body: ring, headers: ["Content-Type": "text/plain"])
      #expect(form.status == 415)
    }
  }

  @Test("Pages of other origins and names that are rebound are refused")
  func origins() async throws {
    try await withServer({ $0.allowedOrigins = ["https://notes.example"] }) { url, _ in
      let other = try await send(
        url, "/v1/recognize", "POST", body: ring, headers: ["Origin": "https://evil.example"])
      #expect(other.status == 403)
      #expect(other.headers.value(forHTTPHeaderField: "Access-Control-Allow-Origin") == nil)
      let host = try await send(url, "/v1/models", headers: ["Host": "evil.example"])
      #expect(host.status == 403)
      let allowed = try await send(
        url, "/v1/recognize", "POST", body: ring, headers: ["Origin": "https://notes.example"])
      #expect(allowed.status == 200)
      #expect(
        allowed.headers.value(forHTTPHeaderField: "Access-Control-Allow-Origin")
          == "https://notes.example")
      let asked = try await send(
        url, "/v1/recognize", "OPTIONS", headers: ["Origin": "https://notes.example"])
      #expect(asked.status == 204)
      let refused = try await send(
        url, "/v1/recognize", "OPTIONS", headers: ["Origin": "https://evil.example"])
      #expect(refused.status == 403)
    }
  }

  @Test("A server with a token answers nobody without it")
  func token() async throws {
    try await withServer({ $0.token = "secret" }) { url, _ in
      try await expect(401, url, "/v1/models")
      let wrong = ["Authorization": "Bearer secreT"]
      try await expect(401, url, "/v1/models", headers: wrong)
      let right = ["Authorization": "Bearer secret"]
      try await expect(200, url, "/v1/models", headers: right)
      try await expect(200, url, "/healthz")
      try await expect(200, url, "/")
    }
    #expect(throws: WebAPIError.tokenMissing(host: "0.0.0.0")) {
      let models = try PretrainedModels()
      _ = try WebAPIServer(
        service: RecognitionService(library: ModelLibrary([models])),
        configuration: WebAPIConfiguration(host: "0.0.0.0"))
    }
  }

  @Test("Models, health, metrics, pages and the OpenAPI document are served")
  func places() async throws {
    try await withServer { url, _ in
      _ = try await send(url, "/v1/recognize", "POST", body: ring)
      _ = try await send(url, "/v1/recognize", "POST", body: "{")
      let models = try await send(url, "/v1/models").text
      #expect(models.contains(#""identifier":"latin-lines""#))
      let health = try await send(url, "/healthz").text
      #expect(health == #"{"status":"ok"}"#)
      let metrics = try await send(url, "/metrics").text
      #expect(metrics.contains(#"ductus_requests_total{path="/v1/recognize",status="200"} 1"#))
      #expect(metrics.contains(#"ductus_errors_total{code="malformedJSON"} 1"#))
      #expect(metrics.contains("ductus_recognition_seconds_count 2"))
      let page = try await send(url, "/").text
      #expect(page.contains("<canvas"))
      try await expect(200, url, "/ductus-handwriting.js")
      let document = try await send(url, "/v1/openapi.json")
      let json = try JSONSerialization.jsonObject(with: Data(document.text.utf8))
      #expect((json as? [String: Any])?["openapi"] as? String == "3.1.0")
    }
  }

  @Test("The committed OpenAPI document is the one that is served")
  func committedDocument() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("openapi.json")
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(
      committed == OpenAPIDocument.text() + "\n",
      "renew it: ductus serve --openapi > Tests/WebAPITests/openapi.json")
  }

  @Test("Requests beyond the queue are refused and not kept waiting")
  func busy() async throws {
    try await withServer({
      $0.workers = 1
      $0.waiting = 1
    }) { url, server in
      try await holding(server.queue, jobs: 2) {
        try await expect(503, url, "/v1/recognize", "POST", body: ring)
        try await expect(503, url, "/v1/recognize", "POST", body: "[\(ring)]")
        try await expect(200, url, "/healthz")
      }
      try await expect(200, url, "/v1/recognize", "POST", body: ring)
    }
  }

  @Test("A request that takes too long is answered in time")
  func timeout() async throws {
    try await withServer({
      $0.workers = 1
      $0.seconds = 0.01
    }) { url, server in
      try await holding(server.queue, jobs: 1) {
        try await expect(504, url, "/v1/recognize", "POST", body: ring)
        try await expect(504, url, "/v1/recognize", "POST", body: "[\(ring)]")
      }
    }
  }

  @Test("Work that takes too long ends for who asked, and its worker goes on after it")
  func lateWork() async throws {
    let server = try WebAPIServer(service: RecognitionService(library: ModelLibrary([])))
    let gate = DispatchSemaphore(value: 0)
    let late = await #expect(throws: ExchangeError.self) {
      try await server.queue.run(seconds: 0.01) { gate.wait() }
    }
    #expect(late?.code == .timedOut)
    gate.signal()
    #expect(try await server.queue.run(seconds: 3600) { 7 } == 7)
  }

  /// Occupies the workers and places of a queue while a body runs.
  private func holding(
    _ queue: RecognitionQueue, jobs: Int, _ body: () async throws -> Void
  ) async throws {
    let gate = DispatchSemaphore(value: 0)
    let held = (0..<jobs).map { _ in
      Task { try await queue.run(seconds: 3600) { gate.wait() } }
    }
    while queue.load < jobs { try await Task.sleep(for: .milliseconds(5)) }
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await body())
    } catch {
      outcome = .failure(error)
    }
    for _ in held { gate.signal() }
    for task in held { try await task.value }
    try outcome.get()
  }
}
