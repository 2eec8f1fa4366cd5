import Downloads
import Files
import Foundation
import ModelFormat

/// A reason why models cannot be found, downloaded or stored.
public enum ModelStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The download failed or was cancelled, or the store cannot be written.
  case download(DownloadError)
  /// The conditions exclude the current network.
  case conditionsNotMet(model: String, reason: String)
  /// The server or the catalogue does not have the requested item.
  case notFound(String)
  /// A signature is missing, invalid, or made by an untrusted key.
  case signatureInvalid(String, reason: String)
  /// The catalogue has a valid signature, but this version cannot read its content.
  case malformedCatalog(url: String, reason: String)
  /// The catalogue expired at this date, ISO 8601.
  case expired(url: String, date: String)
  /// The offered version of a model or catalogue is lower than the known one.
  case downgradeRefused(String, known: Int, offered: Int)
  /// The model is intact, but this program cannot use it.
  case incompatible(model: String, reason: String)
  /// The manager has no catalogue to download from, or no key to trust.
  case noCatalog
  /// An installed or given model is damaged.
  case damaged(ModelFormatError)

  /// The download was cancelled.
  public static let cancelled = ModelStoreError.download(.cancelled)

  /// The message: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .download(let error): error.description
    case .notFound(let what): "\(what): not found; check the name and the catalogue"
    case .conditionsNotMet(let model, let reason):
      "\(model): \(reason), which the conditions of the download forbid; wait or allow it"
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
    }
  }
}

extension ModelStoreError {
  /// Returns the error for `errno`: too little space, or a refused operation.
  package static func failure(_ operation: String, _ path: String, code: Int32 = errno)
    -> ModelStoreError
  {
    ModelStoreError(DownloadError.failure(operation, path, code: code))
  }

  /// Converts an error of a download; a file that the server does not have is a model not found.
  init(_ error: DownloadError) {
    if case .notFound(let url) = error { self = .notFound(url) } else { self = .download(error) }
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
