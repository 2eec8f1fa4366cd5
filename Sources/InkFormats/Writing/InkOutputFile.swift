import Files
import Foundation

/// A file that is written piece by piece and appears at its path when it is complete.
///
/// Until ``finish()``, the bytes go to a temporary file next to it, which is removed if the object
/// is released before. Links are followed and kept. Bytes for a device, a pipe or a socket are
/// written directly. Not thread-safe.
package final class InkOutputFile {
  /// An incomplete file and its final path.
  private struct Partial {
    let temporaryPath: String
    let path: String
  }

  private static let bufferSize = 1 << 18

  /// The path that the file appears at.
  package let path: String
  /// Nil if the bytes go to a device, a pipe or a socket.
  private let partial: Partial?
  private var descriptor: Int32
  /// The bytes that were not yet written: append to them, then call ``flushIfFull()``.
  package var buffer: [UInt8] = []

  /// The temporary file until ``finish()``; nil for a device, a pipe or a socket.
  package var temporaryPath: String? { partial?.temporaryPath }

  /// Opens a temporary file next to the path, or the device, pipe or socket at the path.
  ///
  /// - Throws: ``InkFormatError`` of code `unwritableFile`.
  package init(path: String) throws(InkFormatError) {
    self.path = path
    do throws(FileError) {
      switch try OutputPath(path) {
      case .file(let target):
        let temporaryPath = "\(target).\(UInt64.random(in: .min ... .max)).partial"
        partial = Partial(temporaryPath: temporaryPath, path: target)
        descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      case .special:
        partial = nil
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
      }
    } catch {
      throw Self.failure(path, String(cString: strerror(error.code)))
    }
    guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
    buffer.reserveCapacity(2 * Self.bufferSize)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if let partial { unlink(partial.temporaryPath) }
  }

  /// Writes the buffer if it is large.
  package func flushIfFull() throws(InkFormatError) {
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the remaining bytes, syncs the file and moves it to its path. Nothing can be written
  /// afterwards.
  ///
  /// - Throws: ``InkFormatError`` of code `unwritableFile`; an existing file is then unchanged.
  package func finish() throws(InkFormatError) {
    try flush()
    if let partial {
      guard fsync(descriptor) == 0 else { throw failure() }
      do throws(FileError) {
        try AtomicFile.move(partial.temporaryPath, to: partial.path)
      } catch {
        throw failure(String(cString: strerror(error.code)))
      }
    }
    close(descriptor)
    descriptor = -1
    // The rename is permanent only when the folder is on disk.
    if let partial { try? AtomicFile.sync(folder: OutputPath.folder(of: partial.path)) }
  }

  private func flush() throws(InkFormatError) {
    guard descriptor >= 0 else { throw failure("a finished writer") }
    let code = buffer.withUnsafeBytes { Descriptor.writeAll(descriptor, $0) }
    guard code == 0 else { throw failure(String(cString: strerror(code))) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func failure(_ found: String? = nil) -> InkFormatError {
    Self.failure(path, found ?? String(cString: strerror(errno)))
  }

  private static func failure(_ path: String, _ found: String) -> InkFormatError {
    InkFormatError(
      .unwritableFile, at: SourceLocation(path: path), expected: "a writable file", found: found,
      advice: "check that the folder exists, its permissions and the free space")
  }
}
