import Foundation

/// The reason why a request from another program gets no candidates: the error object of its
/// answer.
///
/// It contains the place in the request, and never ink or text.
public struct ExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// The line or body is not JSON, or not UTF-8.
    case malformedJSON
    /// A member of the request is missing.
    case missingField
    /// The request has an unknown member.
    case unknownField
    /// A member has an invalid type or value.
    case invalidValue
    /// The request has more bytes, strokes, points or words than allowed.
    case tooLarge
    /// No model has the name.
    case unknownModel
    /// No lexicon has the name.
    case unknownLexicon
    /// The model cannot be opened, or cannot do what the request asks.
    case unusableModel
    /// The path does not exist on the server.
    case notFound
    /// The path does not accept this HTTP method.
    case methodNotAllowed
    /// The content type of the request is not JSON.
    case unsupportedMediaType
    /// The request comes from a web page of another origin, or names another host.
    case forbidden
    /// The token is missing or wrong.
    case unauthorized
    /// Too many requests wait.
    case busy
    /// Reading took longer than allowed.
    case timedOut
    /// An internal error of the recogniser: please report it.
    case failed
  }

  /// The kind of error.
  public var code: Code
  /// The message: what happened and what to do.
  public var message: String
  /// The member of the request, such as `strokes[0].x[3]`; nil for the request as a whole.
  package var field: String?

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

  /// Returns the same error inside a member or an element: `x` within `strokes[0]` is
  /// `strokes[0].x`.
  func within(_ outer: String) -> ExchangeError {
    var result = self
    result.field = field.map { $0.hasPrefix("[") ? outer + $0 : "\(outer).\($0)" } ?? outer
    return result
  }
}

extension ExchangeError {
  /// Returns the error of a text that is not JSON at a byte, counted from 0.
  static func malformedJSON(offset: Int, expected: String) -> ExchangeError {
    ExchangeError(
      .malformedJSON, "byte \(offset): expected \(expected); send one JSON object (RFC 8259)")
  }

  /// The error of an object that has a key twice.
  static var duplicateKey: ExchangeError {
    ExchangeError(.malformedJSON, "expected each key once, found one twice", field: nil)
  }
}

extension ExchangeError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
