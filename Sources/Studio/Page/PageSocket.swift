import FlyingFox
import Foundation

/// The WebSocket of a page: passes messages to its session and back.
struct PageSocket: WSMessageHandler {
  let name: String
  let pages: Pages

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
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

/// Passes frames to a handler of messages, and ends the connection if a message is too long.
///
/// FlyingFox joins the frames of a message without a limit. A single frame is in memory before it
/// can be measured here.
struct LimitedFrames: WSHandler {
  let base: any WSHandler

  /// The message was too long.
  struct TooLong: Error {}

  func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    let count = Count()
    let frames = Frames(client.makeAsyncIterator())
    return try await base.makeFrames(
      for: AsyncThrowingStream {
        guard let frame = try await frames.next() else { return nil }
        guard count.add(frame) <= PageLimits.messageBytes else { throw TooLong() }
        return frame
      })
  }

  /// The frames of one connection. One task reads at a time.
  private final class Frames: @unchecked Sendable {
    // Unchecked because the stream's only reader calls it, one call after the other.
    private var iterator: AsyncThrowingStream<WSFrame, any Error>.Iterator

    init(_ iterator: AsyncThrowingStream<WSFrame, any Error>.Iterator) {
      self.iterator = iterator
    }

    func next() async throws -> WSFrame? { try await iterator.next() }
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
