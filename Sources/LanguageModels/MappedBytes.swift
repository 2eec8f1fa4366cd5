import Foundation

/// Bytes that never change: a file mapped into memory, or memory of its own.
final class MappedBytes: @unchecked Sendable {
  // Unchecked because of the pointer: the bytes are written before the object is made, never after.

  /// The bytes; valid while the object lives.
  let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// Maps a regular file. Whoever shortens the file while it is mapped ends the process; replace
  /// files by renaming.
  init(path: String) throws(LanguageModelError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw LanguageModelError(.system(operation: "opening", code: errno), file: path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw LanguageModelError(.system(operation: "reading", code: errno), file: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LanguageModelError(.notARegularFile, file: path)
    }
    let count = Int(status.st_size)
    isMapped = count > 0
    guard count > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      address != MAP_FAILED
    else { throw LanguageModelError(.system(operation: "mapping", code: errno), file: path) }
    bytes = UnsafeRawBufferPointer(start: address, count: count)
  }

  /// Copies bytes.
  init(_ source: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 64)
    copy.copyBytes(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    isMapped = false
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    } else {
      bytes.deallocate()
    }
  }
}
