import Files
import Foundation

/// The reason why a download failed.
public enum DownloadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server cannot be reached, the connection broke, or no data came for too long.
  case noNetwork(url: String, reason: String)
  /// The server has no such file.
  case notFound(url: String)
  /// The server refused, with its HTTP status.
  case serverError(url: String, status: Int)
  /// The server's answer does not fit the request.
  case malformedResponse(url: String, expected: String, found: String)
  /// The volume has too little space. Sizes are in bytes; `available` is nil if unknown.
  case noSpace(needed: Int, available: Int?)
  /// The bytes do not have the expected hash.
  case hashMismatch(url: String, expected: String, found: String)
  /// More or fewer bytes came than expected.
  case lengthMismatch(url: String, expected: Int, found: Int)
  /// The caller cancelled.
  case cancelled
  /// The operating system refused an operation on a file, with its `errno`.
  case storage(path: String, operation: String, code: Int32)

  /// The message: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .noNetwork(let url, let reason): "\(url): \(reason); try again when there is a network"
    case .notFound(let url): "\(url): not found; check the address"
    case .serverError(let url, let status):
      "\(url): the server answered \(status); try again later or tell the publisher"
    case .malformedResponse(let url, let expected, let found):
      "\(url): expected \(expected), found \(found); try again or tell the publisher"
    case .noSpace(let needed, let available):
      "not enough space: expected \(needed) bytes, found "
        + (available.map(String.init) ?? "too few") + "; delete something and try again"
    case .hashMismatch(let url, let expected, let found):
      "\(url): expected SHA-256 \(expected), found \(found); try again or tell the publisher"
    case .lengthMismatch(let url, let expected, let found):
      "\(url): expected \(expected) bytes, found \(found); try again or tell the publisher"
    case .cancelled: "cancelled; downloaded bytes are kept for the next time"
    case .storage(let path, let operation, let code):
      "\(path): \(operation) failed: \(String(cString: strerror(code)))"
    }
  }

  /// True if the same download may succeed if it is tried again at once.
  package var isTransient: Bool {
    switch self {
    case .noNetwork: true
    case .serverError(_, let status): status >= 500
    case .notFound, .malformedResponse, .noSpace, .hashMismatch, .lengthMismatch, .cancelled,
      .storage:
      false
    }
  }

  /// Returns the error for `errno`: too little space, or a refused operation.
  package static func failure(
    _ operation: String, _ path: String, code: Int32 = errno
  ) -> DownloadError {
    code == ENOSPC || code == EDQUOT
      ? .noSpace(needed: 0, available: nil)
      : .storage(path: path, operation: operation, code: code)
  }

  /// Converts an error of a file operation.
  package init(_ error: FileError) {
    self = .failure(error.operation.rawValue, error.path, code: error.code)
  }
}

extension DownloadError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
