import Crypto
import Files
import Foundation

/// The settings of downloads.
public struct DownloadConfiguration: Sendable {
  /// The number of attempts before a transient failure is reported.
  package var maximumAttempts: Int
  /// The pause before the second attempt; it doubles before each further one.
  package var retryPause: Duration
  /// The seconds without data after which the connection counts as lost.
  package var stallTimeout: Double

  /// Makes a configuration.
  public init(
    maximumAttempts: Int = 3, retryPause: Duration = .milliseconds(500),
    stallTimeout: Double = 30
  ) {
    self.maximumAttempts = max(1, maximumAttempts)
    self.retryPause = retryPause
    self.stallTimeout = stallTimeout
  }
}

/// The paths of a download before and after its end, on one volume.
package struct DownloadPlace: Sendable {
  /// The file that grows. The server's entity tag is next to it, in `PARTIAL.etag`.
  package let partial: String
  /// The path of the complete, checked file.
  package let finished: String

  /// Makes a place.
  package init(partial: String, finished: String) {
    self.partial = partial
    self.finished = finished
  }

  /// The length of the finished file, or nil if there is none.
  package var finishedLength: Int? {
    var status = stat()
    guard lstat(finished, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}

/// The expected length and hash of a file. A value that is nil is unknown and not checked.
package struct ExpectedBytes: Hashable, Sendable {
  /// The length in bytes.
  package let length: Int?
  /// The SHA-256, 64 lowercase hexadecimal digits.
  package let sha256: String?

  /// Makes an expectation.
  package init(length: Int?, sha256: String?) {
    self.length = length
    self.sha256 = sha256
  }
}

/// The progress of a download.
package struct DownloadCount: Hashable, Sendable {
  /// The bytes so far.
  package var bytes: Int
  /// The bytes of the whole file; nil if neither the caller nor the server states them.
  package var total: Int?
  /// True if the last bytes came from the network, and not from an earlier download.
  package var isNew: Bool
}

/// Downloads files over a ``Transport``: complete and checked, or not at all.
package struct Downloader: Sendable {
  /// The largest length of a file, whatever a server sends.
  private static let maximumLength = 1 << 40

  private let transport: any Transport
  private let configuration: DownloadConfiguration
  private let conditions: DownloadConditions

  /// Makes a downloader.
  package init(
    transport: any Transport, configuration: DownloadConfiguration = DownloadConfiguration(),
    conditions: DownloadConditions = DownloadConditions()
  ) {
    self.transport = transport
    self.configuration = configuration
    self.conditions = conditions
  }

  /// Downloads bytes into memory and checks them.
  package func data(
    length: Int, sha256: String, at url: URL
  ) async throws(DownloadError) -> Data {
    let bytes = try await data(at: url, maximumLength: length)
    guard bytes.count == length else {
      throw .lengthMismatch(url: url.absoluteString, expected: length, found: bytes.count)
    }
    let hash = SHA256.hash(data: bytes).hexadecimal
    guard hash == sha256 else {
      throw .hashMismatch(url: url.absoluteString, expected: sha256, found: hash)
    }
    return bytes
  }

  /// Downloads at most `maximumLength` bytes into memory; retries transient failures.
  package func data(at url: URL, maximumLength: Int) async throws(DownloadError) -> Data {
    try await retrying { () throws(DownloadError) in
      let response = try await transport.get(
        TransportRequest(
          url: url, maximumLength: maximumLength, stallTimeout: configuration.stallTimeout,
          conditions: conditions))
      try Self.check(response, url)
      var bytes = Data()
      try await Self.read(response, url) { chunk throws(DownloadError) in
        bytes.append(chunk)
        guard bytes.count <= maximumLength else {
          throw .lengthMismatch(
            url: url.absoluteString, expected: maximumLength, found: bytes.count)
        }
      }
      return bytes
    }
  }

  /// Downloads a file. Bytes from earlier attempts, in this process or another, are not downloaded
  /// again. If another process is downloading the same file, waits for it.
  ///
  /// - Parameters:
  ///   - expected: The length and hash. A finished file of the right length is not hashed again.
  ///   - progress: Called with every change.
  /// - Returns: The length and the hash; nil if the file was already finished.
  @discardableResult
  package func fetch(
    _ expected: ExpectedBytes, at url: URL, to place: DownloadPlace,
    progress: @Sendable (DownloadCount) -> Void
  ) async throws(DownloadError) -> (length: Int, sha256: String)? {
    while true {
      if let length = place.finishedLength, length == expected.length ?? length {
        progress(DownloadCount(bytes: length, total: length, isNew: false))
        return nil
      }
      guard !Task.isCancelled else { throw .cancelled }
      let lock: FileLock?
      do throws(FileError) {
        lock = try FileLock.attempt(place.partial)
      } catch {
        throw DownloadError(error)
      }
      if let lock {
        // The process that held the lock may just have finished the file.
        if let length = place.finishedLength, length == expected.length ?? length {
          unlink(place.partial)
          continue
        }
        let part = PartialFile(lock: lock, place: place)
        return try await retrying { () throws(DownloadError) in
          try await complete(part, expected, at: url, progress: progress)
        }
      }
      try await Self.pause(.milliseconds(50))
    }
  }

  /// Downloads the missing bytes and gives the file its final name.
  private func complete(
    _ part: PartialFile, _ expected: ExpectedBytes, at url: URL,
    progress: @Sendable (DownloadCount) -> Void
  ) async throws(DownloadError) -> (length: Int, sha256: String) {
    try part.load()
    if part.count > expected.length ?? Self.maximumLength { try part.restart() }
    // Without a hash, only the entity tag shows that the bytes so far are of the same file.
    if expected.sha256 == nil, part.entityTag == nil { try part.restart() }
    progress(DownloadCount(bytes: part.count, total: expected.length, isNew: false))
    let resumed = part.count > 0
    var total = expected.length
    if part.count < expected.length ?? .max {
      total = try await receive(part, expected, at: url, progress: progress)
    }
    if let total, part.count != total {
      throw .noNetwork(
        url: url.absoluteString,
        reason: "the connection broke after \(part.count) of \(total) bytes")
    }
    let found = part.digest()
    if let hash = expected.sha256, found != hash {
      try part.restart()
      // The bytes from an earlier attempt may have been wrong, and not the new ones.
      if resumed { return try await complete(part, expected, at: url, progress: progress) }
      throw .hashMismatch(url: url.absoluteString, expected: hash, found: found)
    }
    try part.finish()
    return (part.count, found)
  }

  /// Downloads the rest of a file.
  ///
  /// - Returns: The length of the whole file, if it is known.
  private func receive(
    _ part: PartialFile, _ expected: ExpectedBytes, at url: URL,
    progress: @Sendable (DownloadCount) -> Void
  ) async throws(DownloadError) -> Int? {
    let maximum = expected.length ?? Self.maximumLength
    let response = try await transport.get(
      TransportRequest(
        url: url, offset: part.count, entityTag: part.entityTag, maximumLength: maximum,
        stallTimeout: configuration.stallTimeout, conditions: conditions))
    if response.statusCode == 416 {
      // If the length is unknown, a file that is already complete has no further range, either.
      if expected.length == nil, response.contentRange == "bytes */\(part.count)" {
        return part.count
      }
      try part.restart()
      throw .noNetwork(url: url.absoluteString, reason: "the file on the server has changed")
    }
    var total = expected.length
    if part.count > 0, response.statusCode == 206 {
      total = try checkRange(response, part, total, url)
    } else {
      try Self.check(response, url)
      // The server sent the whole file instead of the requested range.
      try part.restart()
      try part.note(entityTag: response.entityTag)
      total = total ?? response.contentLength
    }
    let length = total
    try await Self.read(response, url) { chunk throws(DownloadError) in
      guard part.count + chunk.count <= length ?? maximum else {
        let found = part.count + chunk.count
        try part.restart()
        throw .lengthMismatch(
          url: url.absoluteString, expected: length ?? maximum, found: found)
      }
      try part.append(chunk)
      progress(DownloadCount(bytes: part.count, total: length, isNew: true))
    }
    return total
  }

  /// Checks that a partial answer is the rest of the file, and returns the length of the whole.
  private func checkRange(
    _ response: TransportResponse, _ part: PartialFile, _ length: Int?, _ url: URL
  ) throws(DownloadError) -> Int {
    let total =
      length ?? response.contentRange?.split(separator: "/").last.flatMap { Int($0) } ?? 0
    let expected = "bytes \(part.count)-\(total - 1)/\(total)"
    guard response.contentRange == expected, total <= Self.maximumLength else {
      try part.restart()
      throw .malformedResponse(
        url: url.absoluteString, expected: "Content-Range: \(expected)",
        found: response.contentRange ?? "none")
    }
    return total
  }

  private static func check(_ response: TransportResponse, _ url: URL) throws(DownloadError) {
    switch response.statusCode {
    case 200: return
    case 404, 410: throw .notFound(url: url.absoluteString)
    default: throw .serverError(url: url.absoluteString, status: response.statusCode)
    }
  }

  private static func read(
    _ response: TransportResponse, _ url: URL, _ take: (Data) throws(DownloadError) -> Void
  ) async throws(DownloadError) {
    do {
      for try await chunk in response.body { try take(chunk) }
    } catch let error as DownloadError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .noNetwork(url: url.absoluteString, reason: "\(error)")
    }
    // A cancelled task sees the end of the body, not an error.
    guard !Task.isCancelled else { throw .cancelled }
  }

  /// Retries transient failures, after pauses that double each time.
  private func retrying<Result>(
    _ body: () async throws(DownloadError) -> Result
  ) async throws(DownloadError) -> Result {
    var attempt = 1
    while true {
      do throws(DownloadError) {
        return try await body()
      } catch {
        guard !Task.isCancelled else { throw .cancelled }
        guard error.isTransient, attempt < configuration.maximumAttempts else { throw error }
        try await Self.pause(configuration.retryPause * (1 << min(attempt - 1, 6)))
        attempt += 1
      }
    }
  }

  private static func pause(_ duration: Duration) async throws(DownloadError) {
    do {
      try await Task.sleep(for: duration)
    } catch {
      throw .cancelled
    }
  }
}
