/// A file operation that the system refused. Modules convert it to their own errors.
package struct FileError: Error, Hashable, Sendable {
  /// The refused operation.
  package enum Operation: String, Hashable, Sendable {
    case opening, creating, reading, writing, closing, syncing, renaming, locking, mapping
    /// The path is not that of a regular file.
    case checking
  }

  /// The refused operation.
  package let operation: Operation
  /// The file or folder.
  package let path: String
  /// The code, as in `errno`.
  package let code: Int32

  /// Makes an error.
  package init(_ operation: Operation, _ path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }
}
