import Foundation
import Training

/// Ranks that are threads of this process.
///
/// As in MPI, memory may be read until the sender's `finish` returns and written until that of the
/// receiver does: bytes are copied as late as possible, when both sides have come.
final class ThreadRanks: TrainingRanks, @unchecked Sendable {
  // Unchecked because the condition of the exchange guards all that changes.

  let rank: Int
  let count: Int
  private let exchange: Exchange
  private var pending: [Message] = []

  struct Silence: Error {}

  private struct Key: Hashable {
    var from: Int
    var to: Int
    var tag: MessageTag
  }

  private final class Message {
    let bytes: UnsafeMutableRawBufferPointer
    var isDone = false

    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }
  }

  private final class Exchange: @unchecked Sendable {
    let condition = NSCondition()
    var sent: [Key: [Message]] = [:]
    var awaited: [Key: [Message]] = [:]
  }

  private init(_ rank: Int, _ count: Int, _ exchange: Exchange) {
    self.rank = rank
    self.count = count
    self.exchange = exchange
  }

  /// Runs a body in each of `count` ranks and returns the results by rank.
  static func run<Output>(
    _ count: Int, _ body: @escaping (ThreadRanks) throws -> Output
  ) -> [Result<Output, any Error>] {
    let exchange = Exchange()
    let done = DispatchSemaphore(value: 0)
    let results = Results<Output>(count)
    nonisolated(unsafe) let body = body
    for rank in 0..<count {
      let ranks = ThreadRanks(rank, count, exchange)
      // A thread each, because ranks wait for each other.
      let thread = Thread {
        results.values[rank] = Result { try body(ranks) }
        done.signal()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    for _ in 0..<count { done.wait() }
    return (0..<count).compactMap { results.values[$0] }
  }

  private final class Results<Output>: @unchecked Sendable {
    // Unchecked because each thread writes to its own element.
    let values: UnsafeMutableBufferPointer<Result<Output, any Error>?>

    init(_ count: Int) {
      values = .allocate(capacity: count)
      values.initialize(repeating: nil)
    }

    deinit {
      values.deinitialize()
      values.deallocate()
    }
  }

  func send(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: MessageTag) {
    begin(
      Message(.init(mutating: bytes)), Key(from: self.rank, to: rank, tag: tag), \.sent, \.awaited
    ) { $1.bytes.copyMemory(from: .init($0.bytes)) }
  }

  func receive(into bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: MessageTag) {
    begin(Message(bytes), Key(from: rank, to: self.rank, tag: tag), \.awaited, \.sent) {
      $0.bytes.copyMemory(from: .init($1.bytes))
    }
  }

  private func begin(
    _ message: Message, _ key: Key, _ own: ReferenceWritableKeyPath<Exchange, [Key: [Message]]>,
    _ others: ReferenceWritableKeyPath<Exchange, [Key: [Message]]>,
    copy: (_ own: Message, _ other: Message) -> Void
  ) {
    exchange.condition.lock()
    defer { exchange.condition.unlock() }
    pending.append(message)
    if var waiting = exchange[keyPath: others][key], !waiting.isEmpty {
      let other = waiting.removeFirst()
      exchange[keyPath: others][key] = waiting
      copy(message, other)
      message.isDone = true
      other.isDone = true
      exchange.condition.broadcast()
    } else {
      exchange[keyPath: own][key, default: []].append(message)
    }
  }

  func finish() throws {
    exchange.condition.lock()
    defer { exchange.condition.unlock() }
    let end = Date(timeIntervalSinceNow: 60)
    while pending.contains(where: { !$0.isDone }) {
      guard exchange.condition.wait(until: end) else { throw Silence() }
    }
    pending.removeAll()
  }
}
