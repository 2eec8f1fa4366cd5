/// A file operation that the system refused. Modules turn it into their own errors.
package struct FileError: Error, Hashable, Sendable {
  /// What was tried.
  package enum Operation: String, Hashable, Sendable {
    case opening, creating, reading, writing, closing, syncing, renaming, locking, mapping
    /// The path names something else than a regular file.
    case checking
  }

  /// What was tried.
  package let operation: Operation
  /// The file or folder.
  package let path: String
  /// As in `errno`.
  package let code: Int32

  /// Makes an error.
  package init(_ operation: Operation, _ path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }
}
