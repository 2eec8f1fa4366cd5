import Foundation

/// A piece of a text with one intensity for each UTF-16 unit.
package struct TextChunk: RopeChunk {
  /// The most units in one chunk. Copying that many takes well below a microsecond.
  static let limit = 512

  private(set) var units: [UInt16]
  private(set) var intensities: [UInt8]
  /// The sum of the intensities.
  package private(set) var sum: Int

  init(units: [UInt16], intensities: [UInt8]) {
    self.units = units
    self.intensities = intensities
    sum = intensities.reduce(0) { $0 + Int($1) }
  }

  /// Cuts a text into chunks.
  static func chunks(units: [UInt16], intensities: [UInt8]) -> [TextChunk] {
    stride(from: 0, to: units.count, by: limit).map { start in
      let range = start..<min(start + limit, units.count)
      return TextChunk(units: Array(units[range]), intensities: Array(intensities[range]))
    }
  }

  /// The number of UTF-16 units.
  package var count: Int { units.count }

  /// Splits the chunk.
  package func split(at index: Int) -> (TextChunk, TextChunk) {
    let head = TextChunk(units: Array(units[..<index]), intensities: Array(intensities[..<index]))
    let tail = TextChunk(units: Array(units[index...]), intensities: Array(intensities[index...]))
    return (head, tail)
  }

  /// Returns one chunk if both together are within the limit.
  package func merged(with next: TextChunk) -> TextChunk? {
    guard count + next.count <= Self.limit else { return nil }
    return TextChunk(units: units + next.units, intensities: intensities + next.intensities)
  }
}

/// Values that are the same over a run of units.
package protocol RunValue: Hashable, Sendable {
  /// True if neighbouring runs of this value are one run.
  var merges: Bool { get }
}

/// A run of units that share one value.
package struct ValueRun<Value: RunValue>: RopeChunk {
  /// The number of units.
  package let count: Int
  /// The value of all of them.
  package let value: Value

  /// Runs have no sum.
  package var sum: Int { 0 }

  init(count: Int, value: Value) {
    self.count = count
    self.value = value
  }

  /// Splits the run.
  package func split(at index: Int) -> (ValueRun, ValueRun) {
    (ValueRun(count: index, value: value), ValueRun(count: count - index, value: value))
  }

  /// Returns one run if the values are equal.
  package func merged(with next: ValueRun) -> ValueRun? {
    guard value == next.value, value.merges else { return nil }
    return ValueRun(count: count + next.count, value: value)
  }
}

/// The link of a run of units, if there is one.
struct LinkValue: RunValue {
  var url: URL?
  var merges: Bool { true }
}

/// The attachment of a unit, if there is one. Neighbours with equal attachments stay two.
struct AttachmentValue: RunValue {
  var attachment: Attachment?
  var merges: Bool { attachment == nil }
}
