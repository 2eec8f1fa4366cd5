import Files
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An HTTP transport with URLSession.
///
/// URLSession on Linux cannot slow a server down or end a transfer at once. Bytes after
/// `maximumLength` or a cancellation are dropped as they arrive. At most `maximumLength` bytes wait
/// in memory.
public final class URLSessionTransport: Transport, @unchecked Sendable {
  // Unchecked because URLSession is thread-safe but not marked so on all platforms.

  private let session: URLSession
  private let receiver = Receiver()

  /// Makes a transport with its own session, without cache, cookies and credentials.
  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    // The limit on connections to a server: a model's parts come one after another, a few models at
    // a time.
    configuration.httpMaximumConnectionsPerHost = 8
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends a GET request. Returns when the head of the answer has arrived, or the task is
  /// cancelled.
  public func get(
    _ request: TransportRequest
  ) async throws(DownloadError) -> TransportResponse {
    guard !Task.isCancelled else { throw .cancelled }
    let task = session.dataTask(with: Self.urlRequest(request))
    let head = receiver.add(request, for: task)
    task.resume()
    var response: TransportResponse?
    do {
      // Read to the end, because leaving a stream early cancels it.
      for try await found in head { response = found }
    } catch let error as DownloadError {
      throw error
    } catch {
      throw .noNetwork(url: request.url.absoluteString, reason: "\(error)")
    }
    // A cancelled task gets the end of the stream, and no head.
    guard let response else { throw .cancelled }
    return response
  }

  private static func urlRequest(_ request: TransportRequest) -> URLRequest {
    var result = URLRequest(url: request.url)
    result.timeoutInterval = request.stallTimeout
    // Ranges and lengths refer to the file, not to a compressed form of it.
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

/// One running request.
private struct Transfer {
  let request: TransportRequest
  let head: AsyncThrowingStream<TransportResponse, any Error>.Continuation
  let body: AsyncThrowingStream<Data, any Error>.Continuation
  /// The stream that `body` feeds, until it is passed on with the head.
  var unread: AsyncThrowingStream<Data, any Error>?
  var received = 0

  func finish(throwing failure: DownloadError? = nil) {
    head.finish(throwing: failure)
    body.finish(throwing: failure)
  }
}

/// Dispatches the session's reports by request.
///
/// A transfer is in the table from before its task begins until it ends. The code that removes it
/// ends it, so that a task is cancelled at most once and never after its end: URLSession on Linux
/// tolerates neither. The head is also passed in a stream, because a cancelled task stops waiting
/// for a stream at once, whatever URLSession reports.
private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
  private let transfers = Guarded<[Int: Transfer]>([:])

  /// Makes a stream that yields the head of the answer and ends. Stopping to read this stream, or
  /// later the body, cancels the task.
  func add(
    _ request: TransportRequest, for task: URLSessionTask
  ) -> AsyncThrowingStream<TransportResponse, any Error> {
    let (head, headContinuation) = AsyncThrowingStream<TransportResponse, any Error>.makeStream()
    let (body, bodyContinuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    let transfer = Transfer(
      request: request, head: headContinuation, body: bodyContinuation, unread: body)
    transfers.withLock { $0[task.taskIdentifier] = transfer }
    headContinuation.onTermination = { [weak self] in
      if case .cancelled = $0 { self?.cancel(task) }
    }
    bodyContinuation.onTermination = { [weak self] in
      if case .cancelled = $0 { self?.cancel(task) }
    }
    return head
  }

  private func take(_ task: URLSessionTask) -> Transfer? {
    transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  private func cancel(_ task: URLSessionTask) {
    guard let transfer = take(task) else { return }
    task.cancel()
    transfer.finish(throwing: .cancelled)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let taken = transfers.withLock { (transfers) -> Transfer? in
      let transfer = transfers[dataTask.taskIdentifier]
      transfers[dataTask.taskIdentifier]?.unread = nil
      return transfer
    }
    if let taken, let body = taken.unread {
      let http = response as? HTTPURLResponse
      taken.head.yield(
        TransportResponse(
          statusCode: http?.statusCode ?? 0,
          entityTag: http?.value(forHTTPHeaderField: "ETag"),
          contentRange: http?.value(forHTTPHeaderField: "Content-Range"),
          contentLength: http.flatMap { Int(exactly: $0.expectedContentLength) }
            .flatMap { $0 < 0 ? nil : $0 },
          body: body))
      taken.head.finish()
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let found = transfers.withLock { (transfers) -> Transfer? in
      transfers[dataTask.taskIdentifier]?.received += data.count
      return transfers[dataTask.taskIdentifier]
    }
    guard let transfer = found else { return }
    transfer.body.yield(data)
    // Pass on the chunk that crosses the limit, so that the reader detects the excess.
    if transfer.received > transfer.request.maximumLength, take(dataTask) != nil {
      dataTask.cancel()
      transfer.finish()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let transfer = take(task) else { return }
    if let error {
      transfer.finish(throwing: Self.failure(error, transfer.request.url))
    } else {
      transfer.head.finish(
        throwing: DownloadError.noNetwork(
          url: transfer.request.url.absoluteString, reason: "the server gave no answer"))
      transfer.body.finish()
    }
  }

  private static func failure(_ error: any Error, _ url: URL) -> DownloadError {
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
