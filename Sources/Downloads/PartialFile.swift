import Crypto
import Files
import Foundation

/// The downloaded beginning of a file, on disk and locked.
final class PartialFile: @unchecked Sendable {
  // Unchecked because one download at a time uses it: the holder of the lock.

  /// The longest entity tag that is kept; tags are usually short.
  private static let longestTag = 1024

  private(set) var count = 0
  private(set) var entityTag: String?
  private let lock: FileLock
  private let place: DownloadPlace
  private var hasher = SHA256()
  private var tagPath: String { place.partial + ".etag" }

  init(lock: FileLock, place: DownloadPlace) {
    self.lock = lock
    self.place = place
  }

  /// Reads and hashes the bytes so far. O(bytes).
  func load() throws(DownloadError) {
    hasher = SHA256()
    count = 0
    entityTag = storedTag()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    guard lseek(lock.descriptor, 0, SEEK_SET) == 0 else {
      throw .failure("reading", place.partial)
    }
    while true {
      let read = buffer.withUnsafeMutableBytes { Descriptor.read(lock.descriptor, into: $0) }
      guard read >= 0 else { throw .failure("reading", place.partial) }
      if read == 0 { break }
      count += read
      buffer.withUnsafeBytes { hasher.update(bufferPointer: .init(rebasing: $0[..<read])) }
    }
  }

  private func storedTag() -> String? {
    let descriptor = open(tagPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.longestTag)
    let (count, code) = bytes.withUnsafeMutableBytes { Descriptor.readAll(descriptor, into: $0) }
    return code == 0 && count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// Discards the bytes so far.
  func restart() throws(DownloadError) {
    guard ftruncate(lock.descriptor, 0) == 0, lseek(lock.descriptor, 0, SEEK_SET) == 0 else {
      throw .failure("writing", place.partial)
    }
    unlink(tagPath)
    entityTag = nil
    count = 0
    hasher = SHA256()
  }

  /// Keeps the entity tag for later. A weak tag is ignored, because it does not identify bytes.
  func note(entityTag tag: String?) throws(DownloadError) {
    guard let tag, tag.hasPrefix("\""), tag.utf8.count < Self.longestTag else { return }
    let temporary = "\(tagPath).\(String(UInt64.random(in: 0 ... .max), radix: 36)).writing"
    do throws(FileError) {
      try AtomicFile.replace(
        tagPath, with: Data(tag.utf8), temporary: temporary, folderSync: .required)
    } catch {
      throw DownloadError(error)
    }
    entityTag = tag
  }

  func append(_ chunk: Data) throws(DownloadError) {
    let code = chunk.withUnsafeBytes { Descriptor.writeAll(lock.descriptor, $0) }
    guard code == 0 else { throw .failure("writing", place.partial, code: code) }
    hasher.update(data: chunk)
    count += chunk.count
  }

  func digest() -> String { hasher.finalize().hexadecimal }

  /// Gives the file its final name.
  func finish() throws(DownloadError) {
    guard fsync(lock.descriptor) == 0 else { throw .failure("syncing", place.partial) }
    do throws(FileError) {
      try AtomicFile.move(place.partial, to: place.finished)
      unlink(tagPath)
      try AtomicFile.syncFolder(of: place.finished)
    } catch {
      throw DownloadError(error)
    }
  }
}

extension SHA256.Digest {
  /// The digest as 64 lowercase hexadecimal digits.
  var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
