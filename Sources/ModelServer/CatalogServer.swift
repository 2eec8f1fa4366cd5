import FlyingFox
import Foundation
import ModelStore
import WebServer

/// Serves a published catalogue over HTTP on the loopback interface, for development.
///
/// Answers GET and HEAD for the catalogue, its signature and blobs, with entity tags and single
/// ranges (RFC 9110); everything else in the folder stays hidden. Reads the disk at each request.
package struct CatalogServer: Sendable {
  private let server: HTTPServer
  /// The seconds that a download of one file may take.
  private static let timeout = 3600.0

  /// Makes a server for a folder that `CatalogPublisher` wrote.
  ///
  /// - Parameters:
  ///   - port: The port on 127.0.0.1; 0 for any that is free.
  ///   - logsRequests: Prints a line to standard output for each request.
  /// - Throws: FlyingFox's error for an invalid address.
  package init(folder: URL, port: UInt16, logsRequests: Bool = false) throws {
    var configuration = try ServerAddress(port: port).configuration(timeout: Self.timeout)
    if logsRequests { configuration.logger = HTTPServer.defaultLogger() }
    server = HTTPServer(config: configuration, handler: CatalogHandler(folder: folder))
  }

  /// Serves until the task is cancelled.
  ///
  /// - Throws: FlyingFox's error if the port is taken, or `CancellationError`.
  package func run() async throws {
    try await server.run()
  }

  /// Waits until the server accepts requests.
  ///
  /// - Returns: The URL of the catalogue's folder.
  package func waitUntilListening() async throws -> URL? {
    try await server.waitUntilListening()
    return await server.listeningURL
  }
}

/// Answers the requests.
struct CatalogHandler: HTTPHandler {
  let folder: URL

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.method == .GET || request.method == .HEAD else {
      return HTTPResponse(statusCode: .methodNotAllowed)
    }
    guard let file = file(at: request.path) else { return HTTPResponse(statusCode: .notFound) }
    var headers: HTTPHeaders = [
      .contentType: file.type, .acceptRanges: "bytes", .eTag: file.entityTag,
      // A path with a hash in its name never changes.
      .cacheControl: file.isBlob ? "public, max-age=31536000, immutable" : "no-cache",
    ]
    if request.headers[.ifNoneMatch] == file.entityTag {
      return HTTPResponse(statusCode: .notModified, headers: headers)
    }
    let isCurrent = request.headers[HTTPHeader("If-Range")].map { $0 == file.entityTag } ?? true
    switch isCurrent ? ByteRange.parse(request.headers[.range], length: file.length) : .whole {
    case .unsatisfiable:
      headers[.contentRange] = "bytes */\(file.length)"
      return HTTPResponse(statusCode: .rangeNotSatisfiable, headers: headers)
    case .whole:
      return try response(.ok, headers, file, 0..<file.length, request.method)
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.length)"
      return try response(.partialContent, headers, file, range, request.method)
    }
  }

  private func response(
    _ status: HTTPStatusCode, _ headers: HTTPHeaders, _ file: ServedFile, _ range: Range<Int>,
    _ method: HTTPMethod
  ) throws -> HTTPResponse {
    guard method == .GET else {
      var headers = headers
      headers[.contentLength] = "\(range.count)"
      return HTTPResponse(statusCode: status, headers: headers, body: HTTPBodySequence())
    }
    let body = try HTTPBodySequence(
      file: file.url, range: range, suggestedBufferSize: 1 << 18)
    return HTTPResponse(statusCode: status, headers: headers, body: body)
  }

  /// Returns the file at a path, or nil if there is none to serve.
  private func file(at path: String) -> ServedFile? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let isBlob =
      parts.count == 3 && parts[0] == "blobs" && parts[1] == "sha256" && parts[2].utf8.count == 64
      && parts[2].utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    let isCatalog =
      parts.count == 1 && (parts[0] == Catalog.fileName || parts[0] == Catalog.signatureName)
    guard isBlob || isCatalog else { return nil }
    let url = folder.appendingPathComponent(parts.joined(separator: "/"))
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let length = attributes[.size] as? Int
    else { return nil }
    let date = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    let inode = (attributes[.systemFileNumber] as? Int) ?? 0
    return ServedFile(
      url: url, length: length, isBlob: isBlob,
      entityTag: isBlob ? "\"\(parts[2])\"" : "\"\(length)-\(inode)-\(Int(date * 1e6))\"",
      type: parts.last == Catalog.fileName[...] ? "application/json" : "application/octet-stream")
  }
}

/// A file that may be served.
private struct ServedFile {
  let url: URL
  let length: Int
  let isBlob: Bool
  let entityTag: String
  let type: String
}

/// The range that a `Range` field requests.
package enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  case unsatisfiable

  /// Parses a field (RFC 9110, 14.2). Malformed fields and requests for several ranges are ignored.
  package static func parse(_ field: String?, length: Int) -> ByteRange {
    guard let field, field.lowercased().hasPrefix("bytes=") else { return .whole }
    let halves = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, !halves.allSatisfy(\.isEmpty),
      halves.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return .whole }
    if halves[0].isEmpty {
      guard let count = Int(halves[1]) else { return .whole }
      return count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
    }
    guard let first = Int(halves[0]) else { return .whole }
    let last = halves[1].isEmpty ? length - 1 : Int(halves[1])
    guard let last, halves[1].isEmpty || last >= first else { return .whole }
    return first < length ? .part(first..<(min(last, length - 1) + 1)) : .unsatisfiable
  }
}
