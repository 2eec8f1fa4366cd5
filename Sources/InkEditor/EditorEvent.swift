import Foundation

/// What changed in an editor.
public enum EditorEvent: Hashable, Sendable {
  /// Another part, or none, was set.
  case partChanged
  /// Blocks came, went, or have other content.
  case contentChanged(added: [String], removed: [String], updated: [String])
  /// Another block is the one written in.
  case activeBlockChanged(String?)
  /// Ink could not be recognised.
  case notice(EditorNotice)
}

/// What an editor calls when something changes, on a thread of the engine, one call at a time.
///
/// A callback may call the editor, but for waiting and undoing: those are refused.
/// ``Editor/isIdle`` is false inside.
public protocol EditorDelegate: AnyObject, Sendable {
  /// Something changed.
  func editor(_ editor: Editor, didEmit event: EditorEvent)
}

/// The text of the active block, for example for a smart guide.
public struct ActiveText: Hashable, Sendable {
  /// The block.
  public var block: String
  /// Its lines from top to bottom; words have their candidates.
  public var lines: [[TextWord]]

  /// The words in reading order. O(words).
  public var words: [TextWord] { lines.flatMap { $0 } }
}

extension Editor {
  /// The changes from now on. Each call gives a stream of its own, which keeps what is not read.
  public var events: AsyncStream<EditorEvent> {
    stream(.unbounded) {
      $0.eventStreams[$1] = $2
    } remove: {
      $0.eventStreams[$1] = nil
    }
  }

  /// The text of the block written in, whenever it is read anew; the newest only.
  public var activeText: AsyncStream<ActiveText> {
    stream(.bufferingNewest(1)) {
      $0.textStreams[$1] = $2
    } remove: {
      $0.textStreams[$1] = nil
    }
  }

  private func stream<Element>(
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    add: (Editor, Int, AsyncStream<Element>.Continuation) -> Void,
    remove: @escaping @Sendable (Editor, Int) -> Void
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    let number = condition.withLock {
      nextStream += 1
      add(self, nextStream, continuation)
      return nextStream
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      self.condition.withLock { remove(self, number) }
    }
    return stream
  }

  private static let callbackKey = "ductus.editor.callback"

  /// Whether the calling thread is inside a callback of an editor.
  static var isInsideCallback: Bool {
    Thread.current.threadDictionary[callbackKey] != nil
  }

  /// Calls the delegate and feeds the streams; not under the lock.
  func deliver(_ events: [EditorEvent]) {
    let (delegate, streams) = condition.withLock {
      (lockedDelegate, Array(eventStreams.values))
    }
    guard delegate != nil || !streams.isEmpty else { return }
    Thread.current.threadDictionary[Self.callbackKey] = true
    defer { Thread.current.threadDictionary.removeObject(forKey: Self.callbackKey) }
    for event in events {
      for stream in streams { stream.yield(event) }
      delegate?.editor(self, didEmit: event)
    }
  }
}
