import Foundation

/// The processes that train one network together, seen from one of them. A process is called a
/// rank, as in MPI.
///
/// Messages between two ranks with one tag arrive in the order in which they were sent. Any thread
/// may send and receive; one thread waits. An error of sending or receiving is thrown by
/// ``finish()``, because the work in between does not depend on it.
package protocol TrainingRanks: AnyObject, Sendable {
  /// This rank, from 0.
  var rank: Int { get }
  /// The number of ranks.
  var count: Int { get }
  /// Begins to send. The memory must stay unchanged until ``finish()`` returns.
  func send(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: MessageTag)
  /// Begins to receive as many bytes as the memory has. It must not be used until ``finish()``
  /// returns.
  func receive(into bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: MessageTag)
  /// Waits until everything that was begun is done.
  ///
  /// - Throws: An error that names a rank that sent nothing in time.
  func finish() throws
}

/// Says what a message between ranks holds.
package struct MessageTag: Hashable, Sendable {
  /// The number of the tag; MPI promises room for 32,767.
  package let number: Int

  /// The gradients of a micro-shard.
  package static func gradients(ofShard shard: Int) -> MessageTag {
    MessageTag(number: firstShard + shard)
  }

  /// The outcomes of the micro-shards of a rank.
  package static let outcomes = MessageTag(number: 1)
  /// A range of the summed gradients.
  package static let sums = MessageTag(number: 2)
  /// A number of bytes, and the bytes.
  package static let bytes = MessageTag(number: 3)
  private static let firstShard = 16
}

extension TrainingRanks {
  /// The ranks except this one.
  package var others: [Int] { (0..<count).filter { $0 != rank } }

  /// The pieces of numbered work that this rank does: every ``count``-th.
  package func pieces(of total: Int) -> [Int] {
    Array(stride(from: rank, to: total, by: count))
  }

  /// Gives bytes to all ranks, and gets those of all, by rank.
  package func exchange(_ own: [UInt8]) throws -> [[UInt8]] {
    var lengths = [Int64](repeating: 0, count: count)
    lengths[rank] = Int64(own.count)
    try lengths.withUnsafeMutableBytes { lengths in
      let size = MemoryLayout<Int64>.size
      for other in others {
        receive(
          into: .init(rebasing: lengths[other * size..<(other + 1) * size]), from: other,
          tag: .bytes)
        send(.init(rebasing: lengths[rank * size..<(rank + 1) * size]), to: other, tag: .bytes)
      }
      try finish()
    }
    let memory = lengths.map {
      UnsafeMutableRawBufferPointer.allocate(byteCount: Int($0), alignment: 16)
    }
    defer { for each in memory { each.deallocate() } }
    memory[rank].copyBytes(from: own)
    for other in others {
      if !memory[other].isEmpty { receive(into: memory[other], from: other, tag: .bytes) }
      if !own.isEmpty { send(.init(memory[rank]), to: other, tag: .bytes) }
    }
    try finish()
    return memory.map(Array.init)
  }

  /// Gives values to all ranks, and gets those of all, by rank. Numbers keep their bits.
  package func exchange<Value: Codable>(_ own: Value) throws -> [Value] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    // A property list is an array or a dictionary.
    let bytes = try exchange([UInt8](encoder.encode([own])))
    return try bytes.flatMap { try PropertyListDecoder().decode([Value].self, from: Data($0)) }
  }

  /// Gives the values of the own ``pieces(of:)`` to all ranks, and gets those of all, in their order.
  ///
  /// - Throws: ``RanksDiffer`` if the ranks have other numbers of pieces.
  package func exchange<Value: Codable>(pieces own: [Value], of total: Int) throws -> [Value] {
    let all = try exchange(own)
    guard all.indices.allSatisfy({ all[$0].count == (total - $0 + count - 1) / count }) else {
      throw RanksDiffer(expected: total, found: all.reduce(0) { $0 + $1.count })
    }
    return (0..<total).map { all[$0 % count][$0 / count] }
  }

  /// Copies memory of rank 0 to all ranks.
  package func share(_ bytes: UnsafeMutableRawBufferPointer) throws {
    guard !bytes.isEmpty else { return }
    if rank == 0 {
      for other in others { send(.init(bytes), to: other, tag: .bytes) }
    } else {
      receive(into: bytes, from: 0, tag: .bytes)
    }
    try finish()
  }
}

/// An error of ranks that do not divide the same work.
package struct RanksDiffer: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of pieces of this rank's work.
  package var expected: Int
  /// The number of pieces that all ranks did.
  package var found: Int

  package var description: String {
    "the ranks divide other work: expected \(expected) pieces in all, found \(found); give all ranks the "
      + "same data and options"
  }
}
