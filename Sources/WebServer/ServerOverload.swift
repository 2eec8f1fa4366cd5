import FlyingFox
import FlyingSocks
import Foundation

extension HTTPServer {
  /// Serves as `run()` does, also after more connections than this process may open.
  ///
  /// FlyingFox ends at the first connection that it cannot accept. All connections are closed then,
  /// and the server listens on the same port again.
  ///
  /// - Parameter port: The port of the server; for 0, a server that ended stays so, since another
  ///   port would help nobody.
  package func run(throughOverload port: UInt16) async throws {
    while true {
      do {
        return try await run()
      } catch let error as SocketError where port != 0 && Self.isOverload(error) {
        // The closed connections need a moment to go.
        try await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  private static func isOverload(_ error: SocketError) -> Bool {
    guard case .failed(_, let code, _) = error else { return false }
    return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
  }
}

/// The number of files and connections that this process may open.
package enum OpenFiles {
  /// The limit that a server asks for; more would not help.
  private static let most: rlim_t = 65_536

  /// Raises the limit as far as the system allows, for a process that serves. Many systems start
  /// with 1,024, which is too few for a page that reconnects in a loop.
  package static func raiseLimit() {
    #if os(Linux)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limits = rlimit()
    guard getrlimit(files, &limits) == 0 else { return }
    let wanted = min(limits.rlim_max, most)
    guard limits.rlim_cur < wanted else { return }
    limits.rlim_cur = wanted
    // If the system refuses, the old limit holds, and the server is restarted at an overload.
    _ = setrlimit(files, &limits)
  }
}
