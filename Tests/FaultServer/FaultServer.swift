import Foundation

/// A web server on loopback that does wrong what it is told to.
package final class FaultServer: @unchecked Sendable {
  // Unchecked because the lock guards all members that change.

  /// The fault of one answer.
  package enum Fault: Equatable {
    /// The connection ends behind so many bytes of the body.
    case cut(after: Int)
    /// Nothing is sent after a number of bytes of the body, but the connection stays open.
    case stall(after: Int)
    /// A number of additional bytes, announced or not.
    case tooMuch(Int, isAnnounced: Bool)
    /// The right length, but wrong bytes.
    case otherBytes
    /// 200 and the whole file for a range.
    case ignoredRange
    /// 206 and a different range.
    case otherRange
    case status(Int)
    /// No entity tag and no ranges: the whole file, whatever is asked for.
    case plain
  }

  package struct Request {
    package var path: String
    package var offset: Int?
    package var ifRange: String?
  }

  package let url: URL
  private let folder: URL
  private let descriptor: Int32
  private let lock = NSLock()
  private var plan: (Request) -> Fault? = { _ in nil }
  private var log: [Request] = []
  private var isClosed = false
  private var bodyBytes = 0

  /// Serves a folder.
  package init(folder: URL) throws {
    self.folder = folder
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        guard bind(descriptor, address, length) == 0, listen(descriptor, 64) == 0 else { return -1 }
        return getsockname(descriptor, address, &length)
      }
    }
    guard code == 0,
      let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
    else { throw POSIXError(.EADDRNOTAVAIL) }
    self.url = url
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { self.answer(connection) }
      }
    }
  }

  package func close() {
    // Once: the number may be another file's by then.
    let wasClosed = lock.withLock {
      defer { isClosed = true }
      return isClosed
    }
    guard !wasClosed else { return }
    shutdown(descriptor, Int32(SHUT_RDWR))
    Foundation.close(descriptor)
  }

  /// Decides of each request what goes wrong.
  package func fail(_ plan: @escaping (Request) -> Fault?) {
    lock.withLock { self.plan = plan }
  }

  package func failNothing() { fail { _ in nil } }

  /// The requests so far; forgets them.
  package func takeLog() -> [Request] {
    lock.withLock {
      defer { log = [] }
      return log
    }
  }

  /// The bytes of all bodies so far.
  package var sentBytes: Int { lock.withLock { bodyBytes } }

  private func answer(_ connection: Int32) {
    defer { Foundation.close(connection) }
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    guard let request = read(connection) else { return }
    let fault = lock.withLock {
      log.append(request)
      return plan(request)
    }
    guard var body = try? Data(contentsOf: folder.appendingPathComponent(request.path)) else {
      return send(connection, head(404, 0))
    }
    if case .status(let status) = fault { return send(connection, head(status, 0)) }
    let total = body.count
    let tag = "\"\(total)-\(body.reduce(0) { ($0 &* 31) &+ Int($1) })\""
    var offset = 0
    if let wanted = request.offset, fault != .ignoredRange, fault != .plain,
      request.ifRange ?? tag == tag
    {
      guard wanted < total else { return send(connection, head(416, 0)) }
      offset = fault == .otherRange ? wanted / 2 : wanted
    }
    body = body.dropFirst(offset)
    if fault == .otherBytes { body = Data(body.map { $0 ^ 0x55 }) }
    var announced = body.count
    if case .tooMuch(let extra, let isAnnounced) = fault {
      body += Data(count: extra)
      if isAnnounced { announced += extra }
    }
    let range = offset > 0 ? "Content-Range: bytes \(offset)-\(total - 1)/\(total)\r\n" : ""
    let tagField = fault == .plain ? "" : "ETag: \(tag)\r\n"
    send(connection, head(offset > 0 ? 206 : 200, announced, tagField + range))
    switch fault {
    case .cut(let count): send(connection, body.prefix(count))
    case .stall(let count):
      send(connection, body.prefix(count))
      waitForClient(connection)
    default: send(connection, body)
    }
  }

  /// Returns when the client has closed the connection.
  private func waitForClient(_ connection: Int32) {
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0, !lock.withLock({ isClosed }) {}
  }

  private func head(_ status: Int, _ length: Int, _ fields: String = "") -> Data {
    Data(
      "HTTP/1.1 \(status) X\r\nContent-Length: \(length)\r\n\(fields)Connection: close\r\n\r\n".utf8
    )
  }

  private func send(_ connection: Int32, _ bytes: Data) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    bytes.withUnsafeBytes { raw in
      var sent = 0
      while sent < raw.count {
        let count = Foundation.send(
          connection, raw.baseAddress.map { $0 + sent }, raw.count - sent, flags)
        guard count > 0 else { return }
        sent += count
      }
    }
    lock.withLock { bodyBytes += bytes.count }
  }

  private func read(_ connection: Int32) -> Request? {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.range(of: Data("\r\n\r\n".utf8)) == nil {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0, bytes.count < 65_536 else { return nil }
      bytes += buffer.prefix(count)
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    guard let path = lines.first?.split(separator: " ").dropFirst().first else { return nil }
    var request = Request(path: String(path.drop { $0 == "/" }))
    for line in lines.dropFirst() {
      let lower = line.lowercased()
      if lower.hasPrefix("range: bytes=") {
        request.offset = Int(lower.dropFirst(13).prefix { $0 != "-" })
      } else if lower.hasPrefix("if-range: ") {
        request.ifRange = String(line.dropFirst(10))
      }
    }
    return request
  }
}
