import Foundation

/// A reason why a request of the studio, or its start, fails.
///
/// It names the place and the remedy, and contains neither ink nor text of users.
package struct StudioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    /// The body or a value is not what the request needs.
    case invalidValue
    /// The path, the file or the record does not exist.
    case notFound
    /// The path does not accept this HTTP method.
    case methodNotAllowed
    /// Another page or process changed the same thing, or it exists already.
    case conflict
    /// The request comes from another page, names another host, or asks for a file outside the
    /// project.
    case forbidden
    /// The token is missing or wrong.
    case unauthorized
    /// The body is too long.
    case tooLarge
    /// The content type is not JSON.
    case unsupportedMediaType
    /// Too much work at once.
    case busy
    /// A file or folder cannot be read or written.
    case unusableFile
    /// The studio cannot start.
    case unusableAddress
    /// An internal error: please report it.
    case failed
  }

  /// The kind of error.
  package var code: Code
  /// The message: what happened and what to do.
  package var message: String
  /// The member of the request, such as `strokes[0].x`; nil for the request as a whole.
  package var field: String?

  /// Makes an error.
  package init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }

  /// The place and the message.
  package var description: String { field.map { "\($0): \(message)" } ?? message }

  /// Returns an error as one of the studio. Errors of other modules keep their text.
  package static func of(_ error: any Error) -> StudioError {
    switch error {
    case let error as StudioError: error
    case let error as DecodingError: decoding(error)
    default: StudioError(.invalidValue, "\(error)")
    }
  }

  private static func decoding(_ error: DecodingError) -> StudioError {
    func field(_ path: [any CodingKey]) -> String? {
      let text = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return text.isEmpty ? nil : String(text.hasPrefix(".") ? text.dropFirst() : text[...])
    }
    switch error {
    case .keyNotFound(let key, let context):
      return StudioError(
        .invalidValue, "expected the member \(key.stringValue), found none",
        field: field(context.codingPath))
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return StudioError(
        .invalidValue, "expected \(type), found another type", field: field(context.codingPath))
    case .dataCorrupted(let context):
      return StudioError(
        .invalidValue,
        context.codingPath.isEmpty ? "expected JSON (RFC 8259)" : context.debugDescription,
        field: field(context.codingPath))
    @unknown default: return StudioError(.invalidValue, "expected JSON of another form")
    }
  }
}

extension StudioError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
