import Foundation

/// An error of the index of notes. No text of notes is in it.
public enum InkSearchError: Error, Hashable, Sendable {
  /// The index cannot be read or written.
  case unusable(path: String, reason: String)
  /// The index was made by a later version.
  case newer(path: String)
  /// There is no index.
  case missing(path: String)
  /// Another process writes the index.
  case busy(path: String)
  /// The disk is full.
  case full(path: String)
  /// A query that means nothing.
  case badQuery(reason: String)
  /// A folder that the index does not have.
  case unknownFolder(path: String)
  /// A folder that cannot be indexed.
  case badFolder(path: String, reason: String)
  /// The work was stopped.
  case cancelled
}

extension InkSearchError: CustomStringConvertible {
  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "\(path): expected an index of notes, found \(reason); name another file, or delete it"
    case .newer(let path):
      "\(path): the index was made by a later version; use that version, or delete the index"
    case .missing(let path):
      "\(path): expected an index of notes, found nothing; make one with 'ductus notes index FOLDER'"
    case .busy(let path):
      "\(path): another process writes the index; wait until it has ended"
    case .full(let path):
      "\(path): the disk is full; what was indexed before is kept"
    case .badQuery(let reason):
      "query: \(reason)"
    case .unknownFolder(let path):
      "\(path): expected a folder of the index, found another; 'ductus notes list' shows them"
    case .badFolder(let path, let reason):
      "\(path): expected a folder that can be read, found \(reason)"
    case .cancelled:
      "stopped; what was indexed so far is kept"
    }
  }
}

extension InkSearchError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
