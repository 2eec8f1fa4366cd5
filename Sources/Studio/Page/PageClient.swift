import FlyingFox
import Foundation

/// A connection of a page: what its client knows, and what it has not confirmed yet.
struct PageClient {
  /// The state that the client knows once it has got all messages; nil if it knows nothing.
  var base: PageSnapshot?
  /// The time of its last message.
  var heard = ContinuousClock.now
  private let messages: AsyncStream<WSMessage>.Continuation
  private var hasGreeted = false
  private var serial = 0
  private var confirmed = 0
  /// True if the last message did not complete a state.
  private var isPartial = false

  /// Makes a client that knows nothing.
  init(_ messages: AsyncStream<WSMessage>.Continuation) {
    self.messages = messages
  }

  /// Begins the messages, with what the client knows from an earlier connection.
  mutating func greet(_ known: PageSnapshot?) {
    hasGreeted = true
    base = known
    isPartial = known == nil
  }

  /// Records that the client has got a message.
  mutating func confirm(_ serial: Int) {
    confirmed = min(max(confirmed, serial), self.serial)
  }

  /// Returns true if the client is to get another message.
  func wants(_ snapshot: PageSnapshot) -> Bool {
    guard hasGreeted, serial - confirmed < PageLimits.unconfirmed else { return false }
    guard let base else { return true }
    return isPartial || base.revision != snapshot.revision
  }

  /// Sends the next part of what the client does not know.
  mutating func send(_ snapshot: PageSnapshot, _ document: PageDocument, epoch: String) {
    serial += 1
    let changes = PageChanges(
      from: &base, to: snapshot, document, serial: serial, epoch: epoch)
    isPartial = !changes.isComplete
    send(encoding: changes)
  }

  /// Sends an answer.
  func send(_ answer: PageAnswer) { send(encoding: answer) }

  /// Closes the connection.
  func finish() { messages.finish() }

  private func send(encoding value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    // Finite numbers and texts, so encoding cannot fail.
    guard let bytes = try? encoder.encode(value) else { return }
    messages.yield(.text(String(decoding: bytes, as: UTF8.self)))
  }
}
