import FlyingFox
import Foundation

/// The WebSocket of a page: passes messages to its session and back.
package struct PageSocket: WSMessageHandler {
  let name: String
  let pages: Pages

  package init(name: String, pages: Pages) {
    self.name = name
    self.pages = pages
  }

  package func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<
    WSMessage
  > {
    let (answers, continuation) = AsyncStream.makeStream(of: WSMessage.self)
    let task = Task {
      do {
        let session = try await pages.session(of: name)
        guard let number = await session.connect(continuation) else {
          return continuation.finish()
        }
        for await message in client {
          switch message {
          case .text(let text): session.receive(text, from: number)
          case .data:
            session.receive("", from: number)
          case .close: break
          }
        }
        if await session.disconnect(number) { await pages.releaseLater(name) }
      } catch {
        PageClient(continuation).send(.failure(StudioError.of(error), id: nil))
        continuation.finish()
      }
    }
    continuation.onTermination = { reason in
      if case .cancelled = reason { task.cancel() }
    }
    return answers
  }
}

/// Passes frames to a handler of messages and back. It ends the connection if a message is too long,
/// and sends nothing after a close.
///
/// FlyingFox joins the frames of a message without a limit. A single frame is in memory before it
/// can be measured here. It also sends messages that were made while a connection closes, which
/// browsers report as errors (RFC 6455, 5.5.1).
package struct LimitedFrames: WSHandler {
  let base: any WSHandler

  package init(base: any WSHandler) {
    self.base = base
  }

  /// The message was too long.
  struct TooLong: Error {}

  package func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    let count = Count()
    let sent = Frames(client.makeAsyncIterator())
    let answers = try await base.makeFrames(
      for: AsyncThrowingStream {
        guard let frame = try await sent.next() else { return nil }
        guard count.add(frame) <= PageLimits.messageBytes else { throw TooLong() }
        return frame
      })
    let returned = Frames(answers.makeAsyncIterator())
    return AsyncStream { try? await returned.next() }
  }

  /// The frames of one direction up to a close. One task reads at a time.
  private final class Frames<Iterator: AsyncIteratorProtocol>: @unchecked Sendable
  where Iterator.Element == WSFrame {
    // Unchecked because the stream's only reader calls it, one call after the other.
    private var iterator: Iterator
    private var isClosed = false

    init(_ iterator: Iterator) { self.iterator = iterator }

    func next() async throws -> WSFrame? {
      guard !isClosed, let frame = try await iterator.next() else { return nil }
      isClosed = frame.opcode == .close
      return frame
    }
  }

  /// The bytes of the present message.
  private final class Count: @unchecked Sendable {
    // Unchecked because the stream's only reader calls it, one call after the other.
    private var bytes = 0

    func add(_ frame: WSFrame) -> Int {
      switch frame.opcode {
      case .continuation: bytes += frame.payload.count
      case .text, .binary: bytes = frame.payload.count
      default: return frame.payload.count
      }
      return bytes
    }
  }
}
