import Foundation
import Recognition

/// What a ``WebAPIServer`` serves, to whom, and how much of it.
public struct WebAPIConfiguration: Sendable {
  /// The address to listen on: `127.0.0.1`, `::1`, or one of this machine's in its network.
  public var host: String
  /// The port; 0 for any that is free.
  public var port: UInt16
  /// What clients must send as `Authorization: Bearer TOKEN`; nil for nothing.
  public var token: String?
  /// The origins of web pages that may use the server besides its own, as `https://notes.example`.
  public var allowedOrigins: Set<String>
  /// The largest requests.
  public var limits: ExchangeLimits
  /// Requests that are read at the same time, at least 1.
  public var workers: Int
  /// Requests that wait for a worker; more get the status 503.
  public var waiting: Int
  /// Seconds after which a request gets the status 504.
  public var seconds: Double

  /// Makes a configuration: of the loopback interface alone unless told otherwise.
  public init(
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

  /// Whether only programs of this machine reach the server.
  public var isLoopback: Bool { Self.isLoopback(host) }

  /// Whether an address or a name means this machine itself.
  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
  }
}

/// Why a server cannot be started.
public enum WebAPIError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address is none of the kind that can be listened on.
  case malformedHost(String)
  /// Others than this machine would reach a server without a token.
  case tokenMissing(host: String)
  /// The pages that the server shows are not there.
  case pagesMissing(places: [String])

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .malformedHost(let host):
      "\(host): expected an IPv4 or IPv6 address of this machine, as 127.0.0.1 or ::1"
    case .tokenMissing(let host):
      "\(host): expected a token for a server that others can reach, found none; name one"
    case .pagesMissing(let places):
      "the pages of the server: expected them in one of \(places.joined(separator: ", ")), found "
        + "none; keep them beside the executable"
    }
  }
}
