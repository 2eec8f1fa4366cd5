import Foundation
import Recognition
import WebServer

/// The settings of a ``WebAPIServer``: its address, its clients and its limits.
package struct WebAPIConfiguration: Sendable {
  /// The address to listen on: `127.0.0.1`, `::1`, or an address of this machine in its network.
  package var host: String
  /// The port; 0 for any free one.
  package var port: UInt16
  /// The token that clients must send as `Authorization: Bearer TOKEN`; nil if none is required.
  package var token: String?
  /// The origins of other web pages that may use the server, such as `https://notes.example`.
  package var allowedOrigins: Set<String>
  /// The limits of a request.
  package var limits: ExchangeLimits
  /// The number of requests that are read at the same time, at least 1.
  package var workers: Int
  /// The number of requests that may wait for a worker; further ones get the status 503.
  package var waiting: Int
  /// The seconds after which a request gets the status 504.
  package var seconds: Double

  /// Makes a configuration. By default the server listens on the loopback interface only.
  package init(
    host: String = "127.0.0.1", port: UInt16 = 8765, token: String? = nil,
    allowedOrigins: Set<String> = [],
    limits: ExchangeLimits = ExchangeLimits(bytes: 8 << 20, points: 200_000),
    workers: Int = ProcessInfo.processInfo.activeProcessorCount, waiting: Int = 64,
    seconds: Double = 30
  ) {
    self.host = host
    self.port = port
    self.token = token
    self.allowedOrigins = allowedOrigins
    self.limits = limits
    self.workers = max(1, workers)
    self.waiting = max(0, waiting)
    self.seconds = seconds
  }

  /// True if only programs on this machine can reach the server.
  package var isLoopback: Bool { ServerAddress.isLoopback(host) }
}

/// A reason why a server cannot be started.
package enum WebAPIError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server cannot listen on an address of this form.
  case malformedHost(String)
  /// Other machines could reach a server without a token.
  case tokenMissing(host: String)
  /// The files of the server's pages are missing.
  case pagesMissing(places: [String])

  /// The message: what happened, and what to do.
  package var description: String {
    switch self {
    case .malformedHost(let host):
      "\(host): expected an IPv4 or IPv6 address of this machine, such as 127.0.0.1 or ::1"
    case .tokenMissing(let host):
      "\(host): other machines can reach this address, and there is no token; pass one"
    case .pagesMissing(let places):
      "the pages of the server: expected them in one of \(places.joined(separator: ", ")), found "
        + "none; keep them next to the executable"
    }
  }
}

extension WebAPIError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
