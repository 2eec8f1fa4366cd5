import Downloads
import Files
import Foundation
import ModelFormat

/// A reason why models cannot be found, downloaded or stored.
public enum ModelStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server cannot be reached, the connection broke, or no data came for too long.
  case noNetwork(url: String, reason: String)
  /// The conditions exclude the current network.
  case conditionsNotMet(model: String, reason: String)
  /// The server or the catalogue does not have the requested item.
  case notFound(String)
  /// The server refused, with its HTTP status.
  case serverError(url: String, status: Int)
  /// The server's answer is not the expected one.
  case malformedResponse(url: String, expected: String, found: String)
  /// The volume of the store has too little space. Sizes are in bytes; `available` is nil if
  /// unknown.
  case noSpace(needed: Int, available: Int?)
  /// The downloaded bytes differ from those in the signed catalogue.
  case hashMismatch(url: String, expected: String, found: String)
  /// More or fewer bytes were downloaded than the signed catalogue specifies.
  case lengthMismatch(url: String, expected: Int, found: Int)
  /// A signature is missing, invalid, or made by an untrusted key.
  case signatureInvalid(String, reason: String)
  /// The catalogue has a valid signature, but this version cannot read its content.
  case malformedCatalog(url: String, reason: String)
  /// The catalogue expired at this date, ISO 8601.
  case expired(url: String, date: String)
  /// The offered version of a model or catalogue is lower than the known one.
  case downgradeRefused(String, known: Int, offered: Int)
  /// The download was cancelled.
  case cancelled
  /// The model is intact, but this program cannot use it.
  case incompatible(model: String, reason: String)
  /// The manager has no catalogue to download from, or no key to trust.
  case noCatalog
  /// An installed or given model is damaged.
  case damaged(ModelFormatError)
  /// The operating system refused an operation on the store, with its `errno`.
  case storage(path: String, operation: String, code: Int32)

  /// The message: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .notFound(let what): "\(what): not found; check the name and the catalogue"
    case .conditionsNotMet(let model, let reason):
      "\(model): \(reason), which the conditions of the download forbid; wait or allow it"
    default: downloadError?.description ?? trustDescription
    }
  }

  /// The equivalent error of `Downloads`, whose message is used; nil for the other errors.
  private var downloadError: DownloadError? {
    switch self {
    case .noNetwork(let url, let reason): .noNetwork(url: url, reason: reason)
    case .serverError(let url, let status): .serverError(url: url, status: status)
    case .malformedResponse(let url, let expected, let found):
      .malformedResponse(url: url, expected: expected, found: found)
    case .noSpace(let needed, let available): .noSpace(needed: needed, available: available)
    case .hashMismatch(let url, let expected, let found):
      .hashMismatch(url: url, expected: expected, found: found)
    case .lengthMismatch(let url, let expected, let found):
      .lengthMismatch(url: url, expected: expected, found: found)
    case .cancelled: .cancelled
    case .storage(let path, let operation, let code):
      .storage(path: path, operation: operation, code: code)
    default: nil
    }
  }

  private var trustDescription: String {
    switch self {
    case .signatureInvalid(let what, let reason):
      "\(what): \(reason); do not use it, and tell the publisher"
    case .malformedCatalog(let url, let reason): "\(url): \(reason)"
    case .expired(let url, let date):
      "\(url): the catalogue expired on \(date); try again later or tell the publisher"
    case .downgradeRefused(let what, let known, let offered):
      "\(what): version \(offered) is lower than the known version \(known); "
        + "versions never go back"
    case .incompatible(let model, let reason): "\(model): \(reason)"
    case .noCatalog:
      "no catalogue and trusted key to download from; pass the catalogue's URL and its public key"
    case .damaged(let error): error.description
    default: ""
    }
  }
}

extension ModelStoreError {
  /// Returns the error for `errno`: too little space, or a refused operation.
  static func failure(_ operation: String, _ path: String, code: Int32 = errno) -> ModelStoreError {
    ModelStoreError(DownloadError.failure(operation, path, code: code))
  }

  /// Converts an error of a download.
  init(_ error: DownloadError) {
    self =
      switch error {
      case .noNetwork(let url, let reason): .noNetwork(url: url, reason: reason)
      case .notFound(let url): .notFound(url)
      case .serverError(let url, let status): .serverError(url: url, status: status)
      case .malformedResponse(let url, let expected, let found):
        .malformedResponse(url: url, expected: expected, found: found)
      case .noSpace(let needed, let available): .noSpace(needed: needed, available: available)
      case .hashMismatch(let url, let expected, let found):
        .hashMismatch(url: url, expected: expected, found: found)
      case .lengthMismatch(let url, let expected, let found):
        .lengthMismatch(url: url, expected: expected, found: found)
      case .cancelled: .cancelled
      case .storage(let path, let operation, let code):
        .storage(path: path, operation: operation, code: code)
      }
  }

  /// Converts an error of a file operation.
  init(_ error: FileError) {
    self = .failure(error.operation.rawValue, error.path, code: error.code)
  }

  /// Converts a problem of a model's format, with the path of the file.
  init(_ reason: ModelFormatError.Reason, path: String) {
    if case .system(let operation, let code) = reason {
      self = .failure(operation, path, code: code)
    } else {
      self = .damaged(ModelFormatError(reason, path: path))
    }
  }
}

extension ModelStoreError: LocalizedError {
  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}
