import Foundation

/// Downloads bytes over HTTP. Implementations are thread-safe.
public protocol Transport: Sendable {
  /// Sends a GET request and returns when the head of the answer has arrived.
  ///
  /// - Throws: ``DownloadError/noNetwork(url:reason:)``, or ``DownloadError/cancelled``. The body
  ///   ends with the same errors. Even if it ends without an error, it may be too short.
  func get(_ request: TransportRequest) async throws(DownloadError) -> TransportResponse
}

/// One GET request.
public struct TransportRequest: Sendable {
  /// The URL.
  package var url: URL
  /// The first requested byte; above 0 requests a range to the end.
  package var offset: Int
  /// The entity tag of the bytes before `offset`, or nil.
  package var entityTag: String?
  /// The largest length of the body; the transport may end a longer one.
  package var maximumLength: Int
  /// Seconds without data after which the server counts as unreachable.
  package var stallTimeout: Double
  /// The networks that may be used.
  package var conditions: DownloadConditions

  /// Makes a request.
  package init(
    url: URL, offset: Int = 0, entityTag: String? = nil, maximumLength: Int,
    stallTimeout: Double = 30, conditions: DownloadConditions = DownloadConditions()
  ) {
    self.url = url
    self.offset = offset
    self.entityTag = entityTag
    self.maximumLength = maximumLength
    self.stallTimeout = stallTimeout
    self.conditions = conditions
  }
}

/// The answer to a request.
public struct TransportResponse: Sendable {
  /// The HTTP status.
  package var statusCode: Int
  /// The `ETag` field, or nil.
  package var entityTag: String?
  /// The `Content-Range` field, or nil.
  package var contentRange: String?
  /// The length of the body that the server announced, or nil.
  package var contentLength: Int?
  /// The bytes of the body as they arrive. Stopping to read it cancels the transfer.
  package var body: AsyncThrowingStream<Data, any Error>

  /// Makes an answer.
  package init(
    statusCode: Int, entityTag: String?, contentRange: String?, contentLength: Int? = nil,
    body: AsyncThrowingStream<Data, any Error>
  ) {
    self.statusCode = statusCode
    self.entityTag = entityTag
    self.contentRange = contentRange
    self.contentLength = contentLength
    self.body = body
  }
}
