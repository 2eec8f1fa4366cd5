import FlyingFox
import Foundation

/// A group of requests that the studio answers: collecting, cleaning, training and so on.
protocol StudioSection: Sendable {
  /// The requests of the section.
  var routes: [StudioRoute] { get }
}

/// A request that the studio answers: a method, a path, and the code for it.
package struct StudioRoute: Sendable {
  /// The method; GET routes answer HEAD too.
  let method: HTTPMethod
  /// The parts of the path. One that begins with ":" matches any single part and is a parameter;
  /// a last one that begins with "*" matches all parts that are left.
  let pattern: [String]
  /// The most bytes of the body.
  let mostBytes: Int
  let answer: @Sendable (StudioRequest) async throws -> StudioAnswer

  /// The most bytes of a body, unless a route says otherwise.
  package static let mostBytes = 8 << 20

  /// Makes a route.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path, such as `/v1/collect/:name/samples/:index`.
  ///   - answer: Answers the request. Errors become answers, see `StudioError.of`.
  package init(
    _ method: HTTPMethod, _ path: String, mostBytes: Int = Self.mostBytes,
    _ answer: @escaping @Sendable (StudioRequest) async throws -> StudioAnswer
  ) {
    self.method = method
    pattern = path.split(separator: "/").map(String.init)
    self.mostBytes = mostBytes
    self.answer = answer
  }

  /// Returns the parameters of a path that the pattern matches; nil for any other path.
  package func parameters(of parts: [String]) -> [String: String]? {
    var result: [String: String] = [:]
    for (index, expected) in pattern.enumerated() {
      if expected.hasPrefix("*") {
        guard index < parts.count else { return nil }
        result[String(expected.dropFirst())] = parts[index...].joined(separator: "/")
        return result
      }
      guard index < parts.count else { return nil }
      if expected.hasPrefix(":") {
        result[String(expected.dropFirst())] = parts[index]
      } else if expected != parts[index] {
        return nil
      }
    }
    return parts.count == pattern.count ? result : nil
  }
}

/// A request with its parameters and its whole body.
package struct StudioRequest: Sendable {
  /// The parameters of the path, by their names in the route.
  var parameters: [String: String]
  /// The parameters of the query.
  var query: [String: String]
  /// The body; empty if there is none.
  var body: Data
  /// The request of the HTTP library, whose body has been read.
  var http: HTTPRequest

  /// Returns a parameter of the path.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// Returns a parameter of the path that is a whole number, at least 0.
  ///
  /// - Throws: ``StudioError``.
  func number(_ name: String) throws(StudioError) -> Int {
    guard let value = Int(parameter(name)), value >= 0 else {
      throw StudioError(.invalidValue, "expected a whole number, at least 0", field: name)
    }
    return value
  }

  /// Returns a whole number of the query, or nil if it is not there.
  ///
  /// - Throws: ``StudioError`` for another text or a number outside of the range.
  func queryNumber(
    _ name: String, in range: ClosedRange<Int> = 0...Int.max
  ) throws(StudioError) -> Int? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw StudioError(
        .invalidValue, "expected a whole number in \(range.lowerBound) ... \(range.upperBound)",
        field: name)
    }
    return value
  }

  /// Returns the body as a value.
  ///
  /// - Throws: `DecodingError`, which becomes a ``StudioError`` that names the member.
  func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: body)
  }
}

/// The answer to a request.
package struct StudioAnswer: Sendable {
  /// The content of an answer.
  enum Content: Sendable {
    case bytes(Data, type: String)
    case file(URL, type: String)
    case webSocket(any WSHandler)
    case nothing
  }

  var content: Content
  var status = HTTPStatusCode.ok
  /// Headers in addition to those that every answer has.
  var headers: [HTTPHeader: String] = [:]

  /// An answer without a body.
  package static var nothing: StudioAnswer { StudioAnswer(content: .nothing, status: .noContent) }

  /// Returns a value as JSON.
  static func json(
    _ value: some Encodable, status: HTTPStatusCode = .ok
  ) throws -> StudioAnswer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return StudioAnswer(
      content: .bytes(try encoder.encode(value), type: "application/json"), status: status)
  }

  /// Returns bytes of a type.
  static func bytes(_ bytes: Data, type: String) -> StudioAnswer {
    StudioAnswer(content: .bytes(bytes, type: type))
  }

  /// Returns an upgrade to a WebSocket (RFC 6455).
  static func webSocket(_ handler: some WSMessageHandler) -> StudioAnswer {
    StudioAnswer(content: .webSocket(MessageFrameWSHandler(handler: handler)))
  }
}
