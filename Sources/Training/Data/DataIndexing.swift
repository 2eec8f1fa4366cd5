import Foundation

/// The place of the indexes of large data.
///
/// An index holds what a reading gave, packed: the next start maps it and parses nothing. It is used
/// only for the very same data, keys and program, see ``GlyphTrainingData``.
public enum DataIndexing: Hashable, Sendable {
  /// No index is read or made.
  case off
  /// Indexes are in a folder beside the data, whose name ends in `.ductus-index`.
  case beside
  /// Indexes are in a folder.
  case folder(String)

  /// The choice of the environment variable `DUCTUS_INDEX`: `off`, a folder, or beside the data where
  /// it is not set.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    switch environment["DUCTUS_INDEX"] {
    case nil, "": self = .beside
    case "off": self = .off
    case let path?: self = .folder(path)
    }
  }
}

/// The outcome of looking for the index of a reading.
public enum DataIndexUse: Hashable, Sendable {
  /// The data is small, or its files cannot be told; or no index was wanted.
  case none
  /// The reading came from an index.
  case used(path: String)
  /// The data was read, and an index made.
  case made(path: String, bytes: Int)
  /// The data was read, and no index could be made.
  case failed(path: String, reason: String)
}
