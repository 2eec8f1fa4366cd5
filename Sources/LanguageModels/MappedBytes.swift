import Foundation

/// Bytes that never change: a file mapped into memory, memory of its own, or that of an owner.
final class MappedBytes: @unchecked Sendable {
  // Unchecked because of the pointer: the bytes are written before the object is made, never after.

  /// The bytes; valid while the object lives.
  let bytes: UnsafeRawBufferPointer
  private let memory: Memory

  /// What becomes of the bytes at the end.
  private enum Memory {
    case mapped
    case allocated
    case owned(by: AnyObject)
  }

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
    guard count > 0 else {
      memory = .allocated
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      address != MAP_FAILED
    else { throw LanguageModelError(.system(operation: "mapping", code: errno), file: path) }
    memory = .mapped
    bytes = UnsafeRawBufferPointer(start: address, count: count)
  }

  /// Shares bytes that live as long as their owner and never change.
  init(_ bytes: UnsafeRawBufferPointer, of owner: AnyObject) {
    memory = .owned(by: owner)
    self.bytes = bytes
  }

  /// Copies bytes.
  init(_ source: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 64)
    copy.copyBytes(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    memory = .allocated
  }

  deinit {
    switch memory {
    case .mapped: munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    case .allocated: bytes.deallocate()
    case .owned: break
    }
  }
}
