import Foundation

/// Gets bytes over HTTP. Implementations are thread-safe.
public protocol Transport: Sendable {
  /// Sends a GET request and returns when the head of the answer is there.
  ///
  /// - Throws: ``DownloadError/noNetwork(url:reason:)``, or ``DownloadError/cancelled``. The
  ///   body ends with the same errors; where it ends without one, it may still be short.
  func get(_ request: TransportRequest) async throws(DownloadError) -> TransportResponse
}

/// One GET request.
public struct TransportRequest: Sendable {
  /// What to get.
  public var url: URL
  /// The first byte wanted; above 0 asks for a range to the end.
  public var offset: Int
  /// The entity tag that the bytes before `offset` had, or nil.
  public var entityTag: String?
  /// No more bytes of body than this are wanted: the transport may end a longer one.
  public var maximumLength: Int
  /// Seconds without a byte after which the server counts as gone.
  public var stallTimeout: Double
  /// What the network may be.
  public var conditions: DownloadConditions

  /// Makes a request.
  public init(
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
  public var statusCode: Int
  /// The `ETag` field, or nil.
  public var entityTag: String?
  /// The `Content-Range` field, or nil.
  public var contentRange: String?
  /// The length of the body that the server announced, or nil.
  public var contentLength: Int?
  /// The bytes of the body as they come. To end reading it early cancels the transfer.
  public var body: AsyncThrowingStream<Data, any Error>

  /// Makes an answer.
  public init(
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
