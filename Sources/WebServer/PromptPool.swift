import FlyingFox
import FlyingSocks
import Foundation

/// A pool of sockets that send what is written at once (`TCP_NODELAY`).
///
/// FlyingFox writes the head and the body of an answer separately. Without the option, the system keeps
/// the body back until the client has confirmed the head, which clients do after 40 ms (RFC 896 and
/// RFC 1122, 4.2.3.2). Connections take the option over from the socket that listens, which waits here
/// for its first connection.
package struct PromptPool: AsyncSocketPool {
  private static var option: BoolSocketOption {
    BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
  }

  let base: any AsyncSocketPool

  /// Makes a pool that leaves all work to another.
  package init(base: any AsyncSocketPool) { self.base = base }

  package func prepare() async throws { try await base.prepare() }

  package func run() async throws { try await base.run() }

  package func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // A system without the option sends answers more slowly.
    try? socket.setValue(true, for: Self.option)
    try await base.suspendSocket(socket, untilReadyFor: events)
  }
}
