/// Files that belong to a dataset.
public struct ExpectedFiles: Hashable, Sendable, Codable {
  /// A file, or the folder that the files lie below, relative to the dataset's folder; empty is
  /// the dataset's folder itself.
  public let path: String
  /// How the names of the files end, or nil where the path is one file.
  public let suffix: String?
  /// How many there are, or nil where copies differ and one is enough.
  public let count: Int?

  /// Makes a description of files.
  public init(path: String, suffix: String? = nil, count: Int? = nil) {
    self.path = path
    self.suffix = suffix
    self.count = count
  }
}
