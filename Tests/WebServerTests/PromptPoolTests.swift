import FlyingSocks
import Foundation
import Testing
import WebServer

@Suite("Sockets that send at once") struct PromptPoolTests {
  /// A pool that does nothing.
  private struct IdlePool: AsyncSocketPool {
    func prepare() async throws {}
    func run() async throws {}
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {}
  }

  @Test("A socket that waits sends small packets without delay")
  func option() async throws {
    let socket = try Socket(domain: AF_INET)
    defer { try? socket.close() }
    let option = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
    #expect(try !socket.getValue(for: option))
    try await PromptPool(base: IdlePool()).suspendSocket(socket, untilReadyFor: [.read])
    #expect(try socket.getValue(for: option))
  }
}
