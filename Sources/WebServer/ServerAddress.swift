import FlyingFox
import FlyingSocks
import Foundation

/// The address that a server of this package listens on, and the settings that its servers share.
package struct ServerAddress: Hashable, Sendable {
  /// An IPv4 or IPv6 address of this machine, or `localhost`.
  package var host: String
  /// The port; 0 for any free one.
  package var port: UInt16

  /// Makes an address.
  package init(host: String = "127.0.0.1", port: UInt16) {
    self.host = host
    self.port = port
  }

  /// An address that cannot be listened on.
  package struct Malformed: Error {}

  /// True if only programs on this machine can reach the address.
  package var isLoopback: Bool { Self.isLoopback(host) }

  /// Returns true if an address or a name refers to this machine itself.
  package static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]" || isLoopbackIPv4(host)
  }

  /// Returns true for 127.0.0.0/8. A name such as 127.example.org is not in it: its owner decides
  /// where it leads.
  private static func isLoopbackIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
      }
  }

  /// Returns the name in a header `Host`, without its port.
  package static func name(ofHost host: String) -> String {
    if host.hasPrefix("[") {
      // Only a port may follow the address.
      guard let end = host.firstIndex(of: "]") else { return "" }
      let rest = host[host.index(after: end)...]
      return rest.isEmpty || isPort(rest) ? host[...end].lowercased() : ""
    }
    return host.split(separator: ":", maxSplits: 1).first.map { $0.lowercased() } ?? ""
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.hasPrefix(":") && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns the configuration of a server at the address. It sends answers at once and logs
  /// nothing.
  ///
  /// - Parameters:
  ///   - buffer: Bytes of a request that are read at once.
  ///   - timeout: The seconds that a whole exchange may take.
  /// - Throws: ``Malformed``.
  package func configuration(
    buffer: Int = 1 << 18, timeout: Double
  ) throws(Malformed) -> HTTPServer.Configuration {
    func make(_ address: some SocketAddress) -> HTTPServer.Configuration {
      HTTPServer.Configuration(
        address: address, timeout: timeout, sharedRequestBufferSize: buffer,
        pool: PromptPool(base: HTTPServer.defaultPool()), logger: .disabled)
    }
    let name = host == "localhost" ? "127.0.0.1" : host
    do {
      return name.contains(":")
        ? make(try sockaddr_in6.inet6(ip6: name, port: port))
        : make(try sockaddr_in.inet(ip4: name, port: port))
    } catch {
      throw Malformed()
    }
  }
}

extension HTTPServer {
  /// The URL at which the server listens, or nil if it does not listen on a network address.
  package var listeningURL: URL? {
    switch listeningAddress {
    case .ip4(let host, let port)?: URL(string: "http://\(host):\(port)/")
    case .ip6(let host, let port)?: URL(string: "http://[\(host)]:\(port)/")
    default: nil
    }
  }
}
