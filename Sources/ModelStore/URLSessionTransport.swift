import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// HTTP by URLSession.
///
/// On Linux URLSession neither slows a server down nor ends a transfer at once: what comes after
/// `maximumLength` or a cancellation is dropped as it arrives. What waits in memory to be read is at
/// most `maximumLength`.
public final class URLSessionTransport: Transport, @unchecked Sendable {
  // Unchecked because URLSession is thread-safe, and is not marked so everywhere.

  private let session: URLSession
  private let receiver = Receiver()

  /// Makes a transport with a session of its own, without cache, cookies and credentials.
  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    // The parts of one model come one after the other; models are a few.
    configuration.httpMaximumConnectionsPerHost = 8
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends a GET request and returns when the head of the answer is there.
  public func get(
    _ request: TransportRequest
  ) async throws(ModelStoreError) -> TransportResponse {
    let task = session.dataTask(with: Self.urlRequest(request))
    let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    continuation.onTermination = { _ in task.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { head in
          receiver.add(
            Transfer(request: request, head: head, continuation: continuation, body: body),
            for: task)
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
    } catch let error as ModelStoreError {
      throw error
    } catch {
      throw .noNetwork(url: request.url.absoluteString, reason: "\(error)")
    }
  }

  private static func urlRequest(_ request: TransportRequest) -> URLRequest {
    var result = URLRequest(url: request.url)
    result.timeoutInterval = request.stallTimeout
    // Ranges and lengths are those of the file, not of a compressed form of it.
    result.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if request.offset > 0 {
      result.setValue("bytes=\(request.offset)-", forHTTPHeaderField: "Range")
      if let tag = request.entityTag { result.setValue(tag, forHTTPHeaderField: "If-Range") }
    }
    #if canImport(Darwin)
      result.allowsCellularAccess = request.conditions.allowsCellularAccess
      result.allowsExpensiveNetworkAccess = request.conditions.allowsExpensiveNetwork
      if request.conditions.allowsBackgroundDownloading {
        result.networkServiceType = .background
      }
    #endif
    return result
  }
}

/// One request under way.
private struct Transfer {
  let request: TransportRequest
  var head: CheckedContinuation<TransportResponse, any Error>?
  let continuation: AsyncThrowingStream<Data, any Error>.Continuation
  var body: AsyncThrowingStream<Data, any Error>?
  var received = 0
}

/// Sorts what the session reports by request.
private final class Receiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // Unchecked because the lock guards the table.

  private let lock = NSLock()
  private var transfers: [Int: Transfer] = [:]

  func add(_ transfer: Transfer, for task: URLSessionTask) {
    lock.withLock { transfers[task.taskIdentifier] = transfer }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let taken = lock.withLock { () -> Transfer? in
      let transfer = transfers[dataTask.taskIdentifier]
      transfers[dataTask.taskIdentifier]?.head = nil
      transfers[dataTask.taskIdentifier]?.body = nil
      return transfer
    }
    if let transfer = taken, let head = transfer.head, let body = transfer.body {
      let http = response as? HTTPURLResponse
      head.resume(
        returning: TransportResponse(
          statusCode: http?.statusCode ?? 0,
          entityTag: http?.value(forHTTPHeaderField: "ETag"),
          contentRange: http?.value(forHTTPHeaderField: "Content-Range"), body: body))
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (transfer, isTooLong) = lock.withLock { () -> (Transfer?, Bool) in
      guard var transfer = transfers[dataTask.taskIdentifier] else { return (nil, false) }
      let before = transfer.received
      transfer.received += data.count
      transfers[dataTask.taskIdentifier] = transfer
      return (before > transfer.request.maximumLength ? nil : transfer, true)
    }
    guard let transfer else {
      if isTooLong { dataTask.cancel() }
      return
    }
    // The chunk that crosses the limit is passed on, so that the reader sees the excess.
    transfer.continuation.yield(data)
    if transfer.received > transfer.request.maximumLength { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let transfer = lock.withLock { transfers.removeValue(forKey: task.taskIdentifier) }
    guard let transfer else { return }
    let failure = error.map { Self.failure($0, transfer.request.url) }
    transfer.head?.resume(
      throwing: failure
        ?? .noNetwork(
          url: transfer.request.url.absoluteString, reason: "the server gave no answer"))
    transfer.continuation.finish(throwing: failure)
  }

  private static func failure(_ error: any Error, _ url: URL) -> ModelStoreError {
    let code = (error as? URLError)?.code
    let reason =
      switch code {
      case .cancelled?: ""
      case .timedOut?: "the server sent nothing for too long"
      case .cannotConnectToHost?, .cannotFindHost?, .dnsLookupFailed?:
        "the server cannot be reached"
      case .notConnectedToInternet?: "there is no network"
      case .networkConnectionLost?: "the connection broke"
      default: "the connection broke (\(code?.rawValue ?? (error as NSError).code))"
      }
    return code == .cancelled
      ? .cancelled : .noNetwork(url: url.absoluteString, reason: reason)
  }
}
