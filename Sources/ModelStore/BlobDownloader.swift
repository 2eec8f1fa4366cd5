import Crypto
import Files
import Foundation
import ModelFormat

/// Downloads parts of models into the store, completely or not at all.
struct BlobDownloader: Sendable {
  let storage: ModelStorage
  let transport: any Transport
  let configuration: ModelManager.Configuration
  let conditions: DownloadConditions

  /// Downloads and checks bytes in memory.
  func data(_ blob: Catalog.Blob, at url: URL) async throws(ModelStoreError) -> Data {
    let bytes = try await data(at: url, maximumLength: blob.length)
    guard bytes.count == blob.length else {
      throw .lengthMismatch(url: url.absoluteString, expected: blob.length, found: bytes.count)
    }
    let hash = ModelBundle.sha256(bytes)
    guard hash == blob.sha256 else {
      throw .hashMismatch(url: url.absoluteString, expected: blob.sha256, found: hash)
    }
    return bytes
  }

  /// Downloads at most `maximumLength` bytes into memory; retries after transient errors.
  func data(at url: URL, maximumLength: Int) async throws(ModelStoreError) -> Data {
    try await retrying { () throws(ModelStoreError) in
      let response = try await transport.get(
        TransportRequest(
          url: url, maximumLength: maximumLength, stallTimeout: configuration.stallTimeout,
          conditions: conditions))
      try Self.check(response, url)
      var bytes = Data()
      try await Self.read(response, url) { chunk throws(ModelStoreError) in
        bytes.append(chunk)
        guard bytes.count <= maximumLength else {
          throw .lengthMismatch(
            url: url.absoluteString, expected: maximumLength, found: bytes.count)
        }
      }
      return bytes
    }
  }

  /// Downloads a part into the store. Bytes that were downloaded before, by this process or
  /// another, are kept. If another download of the same part is running, waits for it.
  ///
  /// - Parameter progress: Called with the bytes downloaded so far, and whether they have just come
  ///   from the network.
  func fetch(
    length: Int, hash: String, at url: URL, progress: @Sendable (Int, Bool) -> Void
  ) async throws(ModelStoreError) {
    let partial = storage.partial(hash).path
    while true {
      if storage.hasBlob(hash, length: length) { return progress(length, false) }
      guard !Task.isCancelled else { throw .cancelled }
      let lock: FileLock?
      do throws(FileError) {
        lock = try FileLock.attempt(partial)
      } catch {
        throw ModelStoreError(error)
      }
      if let lock {
        // The previous holder of the lock may just have finished.
        if storage.hasBlob(hash, length: length) {
          unlink(partial)
          continue
        }
        let part = PartialBlob(lock: lock, storage: storage, length: length, hash: hash)
        try await retrying { () throws(ModelStoreError) in
          try await complete(part, at: url, progress: progress)
        }
        return
      }
      try await Self.pause(.milliseconds(50))
    }
  }

  /// Downloads the missing bytes and gives the part its name.
  private func complete(
    _ part: PartialBlob, at url: URL, progress: @Sendable (Int, Bool) -> Void
  ) async throws(ModelStoreError) {
    try part.load()
    progress(part.count, false)
    let resumed = part.count > 0
    if part.count < part.length { try await receive(part, at: url, progress: progress) }
    guard part.count == part.length else {
      throw .noNetwork(
        url: url.absoluteString,
        reason: "the connection broke after \(part.count) of \(part.length) bytes")
    }
    let found = part.digest()
    guard found == part.hash else {
      try part.restart()
      // The earlier bytes may have been wrong, and not the new ones.
      if resumed { return try await complete(part, at: url, progress: progress) }
      throw .hashMismatch(url: url.absoluteString, expected: part.hash, found: found)
    }
    try part.finish()
  }

  private func receive(
    _ part: PartialBlob, at url: URL, progress: @Sendable (Int, Bool) -> Void
  ) async throws(ModelStoreError) {
    let response = try await transport.get(
      TransportRequest(
        url: url, offset: part.count, entityTag: part.entityTag,
        maximumLength: part.length, stallTimeout: configuration.stallTimeout,
        conditions: conditions))
    if response.statusCode == 416 {
      try part.restart()
      throw .noNetwork(url: url.absoluteString, reason: "the server has another file now")
    }
    if part.count > 0, response.statusCode == 206 {
      let expected = "bytes \(part.count)-\(part.length - 1)/\(part.length)"
      guard response.contentRange == expected else {
        try part.restart()
        throw .malformedResponse(
          url: url.absoluteString, expected: "Content-Range: \(expected)",
          found: response.contentRange ?? "none")
      }
    } else {
      try Self.check(response, url)
      // The whole file, although a range was requested.
      try part.restart()
      try part.note(entityTag: response.entityTag)
    }
    try await Self.read(response, url) { chunk throws(ModelStoreError) in
      guard part.count + chunk.count <= part.length else {
        let found = part.count + chunk.count
        try part.restart()
        throw .lengthMismatch(url: url.absoluteString, expected: part.length, found: found)
      }
      try part.append(chunk)
      progress(part.count, true)
    }
  }

  private static func check(_ response: TransportResponse, _ url: URL) throws(ModelStoreError) {
    switch response.statusCode {
    case 200: return
    case 404, 410: throw .notFound(url.absoluteString)
    default: throw .serverError(url: url.absoluteString, status: response.statusCode)
    }
  }

  private static func read(
    _ response: TransportResponse, _ url: URL, _ take: (Data) throws(ModelStoreError) -> Void
  ) async throws(ModelStoreError) {
    do {
      for try await chunk in response.body { try take(chunk) }
    } catch let error as ModelStoreError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .noNetwork(url: url.absoluteString, reason: "\(error)")
    }
    // A cancelled task gets the end of the body instead of an error.
    guard !Task.isCancelled else { throw .cancelled }
  }

  /// Retries after transient errors, with pauses that double.
  private func retrying<Result>(
    _ body: () async throws(ModelStoreError) -> Result
  ) async throws(ModelStoreError) -> Result {
    var attempt = 1
    while true {
      do throws(ModelStoreError) {
        return try await body()
      } catch {
        guard !Task.isCancelled else { throw .cancelled }
        guard error.isTransient, attempt < configuration.maximumAttempts else { throw error }
        try await Self.pause(configuration.retryPause * (1 << min(attempt - 1, 6)))
        attempt += 1
      }
    }
  }

  private static func pause(_ duration: Duration) async throws(ModelStoreError) {
    do {
      try await Task.sleep(for: duration)
    } catch {
      throw .cancelled
    }
  }
}

/// The locked, partial file of a blob on the disk.
private final class PartialBlob: @unchecked Sendable {
  // Unchecked because only the holder of the lock uses it.

  let length: Int
  let hash: String
  private(set) var count = 0
  private(set) var entityTag: String?
  private let lock: FileLock
  private let storage: ModelStorage
  private var hasher = SHA256()
  private var path: String { storage.partial(hash).path }
  private var tagPath: String { path + ".etag" }

  init(lock: FileLock, storage: ModelStorage, length: Int, hash: String) {
    self.lock = lock
    self.storage = storage
    self.length = length
    self.hash = hash
  }

  /// Reads and hashes the existing bytes. O(bytes).
  func load() throws(ModelStoreError) {
    hasher = SHA256()
    count = 0
    entityTag = (try? ModelStorage.contents(of: tagPath)).map {
      String(decoding: $0, as: UTF8.self)
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    guard lseek(lock.descriptor, 0, SEEK_SET) == 0 else { throw .failure("reading", path) }
    while true {
      let read = buffer.withUnsafeMutableBytes { Descriptor.read(lock.descriptor, into: $0) }
      guard read >= 0 else { throw .failure("reading", path) }
      if read == 0 { break }
      count += read
      buffer.withUnsafeBytes { hasher.update(bufferPointer: .init(rebasing: $0[..<read])) }
    }
    if count > length { try restart() }
  }

  /// Drops the existing bytes.
  func restart() throws(ModelStoreError) {
    guard ftruncate(lock.descriptor, 0) == 0, lseek(lock.descriptor, 0, SEEK_SET) == 0 else {
      throw .failure("writing", path)
    }
    unlink(tagPath)
    entityTag = nil
    count = 0
    hasher = SHA256()
  }

  /// Saves the entity tag. A weak tag does not identify bytes and is not saved.
  func note(entityTag tag: String?) throws(ModelStoreError) {
    guard let tag, tag.hasPrefix("\""), tag.utf8.count < 1024 else { return }
    do throws(ModelFormatError.Reason) {
      try FileSystem.replace(tagPath, with: Data(tag.utf8))
    } catch {
      throw ModelStoreError(error, path: tagPath)
    }
    entityTag = tag
  }

  func append(_ chunk: Data) throws(ModelStoreError) {
    let code = chunk.withUnsafeBytes { Descriptor.writeAll(lock.descriptor, $0) }
    guard code == 0 else { throw .failure("writing", path, code: code) }
    hasher.update(data: chunk)
    count += chunk.count
  }

  func digest() -> String {
    hasher.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Turns the part into a blob.
  func finish() throws(ModelStoreError) {
    guard fsync(lock.descriptor) == 0 else { throw .failure("syncing", path) }
    let target = storage.blob(hash).path
    do throws(FileError) {
      try AtomicFile.move(path, to: target)
    } catch {
      throw ModelStoreError(error)
    }
    unlink(tagPath)
    do throws(ModelFormatError.Reason) {
      try FileSystem.syncFolder(storage.root.appendingPathComponent("blobs").path)
    } catch {
      throw ModelStoreError(error, path: target)
    }
  }
}

/// Sums the progress of the parts of one model, and reports it at intervals.
final class DownloadMeter: @unchecked Sendable {
  // Unchecked because the lock guards all mutable members.

  private let model: String
  private let total: Int
  private let send: (DownloadEvent) -> Void
  private let lock = NSLock()
  private let started = ContinuousClock.now
  private var counts: [String: Int] = [:]
  private var fromNetwork = 0
  private var lastSent: ContinuousClock.Instant?

  init(model: String, total: Int, send: @escaping (DownloadEvent) -> Void) {
    self.model = model
    self.total = total
    self.send = send
  }

  /// Records the bytes of a part that exist.
  func note(_ part: String, _ count: Int, isNew: Bool) {
    let event = lock.withLock { () -> DownloadEvent? in
      if isNew { fromNetwork += max(0, count - (counts[part] ?? 0)) }
      counts[part] = count
      let now = ContinuousClock.now
      if let lastSent, now - lastSent < .milliseconds(20) { return nil }
      lastSent = now
      return self.event(now)
    }
    if let event { send(event) }
  }

  /// Reports the end.
  func finish() {
    send(lock.withLock { self.event(.now) })
  }

  private func event(_ now: ContinuousClock.Instant) -> DownloadEvent {
    let seconds = max((now - started) / .seconds(1), 1e-6)
    return DownloadEvent(
      model: model,
      state: .downloading(
        DownloadProgress(
          completedBytes: min(total, counts.values.reduce(0, +)), totalBytes: total,
          bytesPerSecond: Double(fromNetwork) / seconds)))
  }
}
