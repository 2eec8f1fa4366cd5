/// Why a request from another program gets no candidates: the error object of its answer.
///
/// Carries the place in the request and never its ink or text.
public struct ExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of error it is, for programs.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// The line or body is not JSON, or not UTF-8.
    case malformedJSON
    /// A member of the request is missing.
    case missingField
    /// The request has a member that requests do not have.
    case unknownField
    /// A member has another type or value than it may have.
    case invalidValue
    /// The request has more bytes, strokes, points or words than are read.
    case tooLarge
    /// No model goes with the name.
    case unknownModel
    /// No lexicon has the name.
    case unknownLexicon
    /// The model cannot be opened, or cannot do what was asked.
    case unusableModel
    /// The place of the server does not exist.
    case notFound
    /// The place does not take this HTTP method.
    case methodNotAllowed
    /// The content type of the request is not JSON.
    case unsupportedMediaType
    /// A web page of another origin, or a host name that is not the server's.
    case forbidden
    /// The token is missing or wrong.
    case unauthorized
    /// Too many requests wait.
    case busy
    /// Reading took longer than is allowed.
    case timedOut
    /// A defect of the recogniser: worth a report.
    case failed
  }

  /// What kind of error it is.
  public var code: Code
  /// What was expected, what was found, what to do.
  public var message: String
  /// The member of the request, as `strokes[0].x[3]`; nil for the request as a whole.
  public var field: String?

  /// Makes an error.
  public init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }

  /// The place and the message.
  public var description: String {
    field.map { "\($0): \(message)" } ?? message
  }

  /// The same error inside a member or an element: `x` within `strokes[0]` is `strokes[0].x`.
  func within(_ outer: String) -> ExchangeError {
    var result = self
    result.field = field.map { $0.hasPrefix("[") ? outer + $0 : "\(outer).\($0)" } ?? outer
    return result
  }
}

extension ExchangeError {
  /// The text is not JSON at a byte, counted from 0.
  static func malformedJSON(offset: Int, expected: String) -> ExchangeError {
    ExchangeError(
      .malformedJSON, "byte \(offset): expected \(expected); send one JSON object (RFC 8259)")
  }

  /// An object has a key twice.
  static var duplicateKey: ExchangeError {
    ExchangeError(.malformedJSON, "expected each key once, found one twice", field: nil)
  }
}
