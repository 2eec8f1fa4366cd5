import Foundation

/// Immutable bytes: a mapped file, memory of its own, or memory of an owner.
package final class MappedBytes: @unchecked Sendable {
  // Unchecked because of the pointer: the bytes are written before the object is made, never after.

  /// The bytes; valid while the object lives.
  package let bytes: UnsafeRawBufferPointer
  private let memory: Memory

  /// The owner of the memory, which decides how it is released.
  private enum Memory {
    case mapped
    case allocated
    case owned(by: AnyObject)
  }

  /// Maps a regular file and follows links. If the file is shortened while it is mapped, the
  /// process ends, so replace files by renaming.
  ///
  /// - Throws: ``FileError``; its operation is `checking` if the path is not that of a regular
  ///   file.
  package convenience init(path: String) throws(FileError) {
    // O_NONBLOCK, because opening a pipe would otherwise block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(.opening, path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(.reading, path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(.checking, path, code: 0) }
    try self.init(descriptor: descriptor, count: Int(status.st_size), path: path)
  }

  /// Maps the first bytes of an open file. Errors contain the path.
  ///
  /// - Throws: ``FileError`` of the operation `mapping`.
  package init(descriptor: Int32, count: Int, path: String) throws(FileError) {
    guard count > 0 else {
      memory = .allocated
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      address != MAP_FAILED
    else { throw FileError(.mapping, path, code: errno) }
    memory = .mapped
    bytes = UnsafeRawBufferPointer(start: address, count: count)
  }

  /// Writes bytes to a file without a name in a folder, and maps it. Its space is free when the
  /// object is gone, however the process ends.
  ///
  /// - Throws: ``FileError``.
  package convenience init(
    unnamed bytes: UnsafeRawBufferPointer, in folder: String
  ) throws(FileError) {
    var template = Array((folder + "/ductus-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw FileError(.creating, folder, code: errno) }
    defer { close(descriptor) }
    unlink(template)
    let code = Descriptor.writeAll(descriptor, bytes)
    guard code == 0 else { throw FileError(.writing, folder, code: code) }
    try self.init(descriptor: descriptor, count: bytes.count, path: folder)
  }

  /// Shares bytes that live as long as their owner and never change.
  package init(_ bytes: UnsafeRawBufferPointer, of owner: AnyObject) {
    memory = .owned(by: owner)
    self.bytes = bytes
  }

  /// Copies bytes.
  package init(_ source: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 64)
    copy.copyBytes(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    memory = .allocated
  }

  /// Lets the system take back the memory of a mapped file. Bytes that are used again come from the
  /// file, or from its cache.
  package func release() {
    guard case .mapped = memory else { return }
    madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
  }

  /// The bytes without a copy. The data keeps this object alive.
  package var data: Data {
    guard let address = bytes.baseAddress else { return Data() }
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: address), count: bytes.count,
      deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }

  deinit {
    switch memory {
    case .mapped: munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    case .allocated: bytes.deallocate()
    case .owned: break
    }
  }
}
