/// Sorts 64-bit keys by their low bits, eleven at a time: O(keys x bits / 11), with memory for
/// twice the keys.
package final class RadixSorter {
  private static let digitBits = 11

  private var front: UnsafeMutableBufferPointer<UInt64>
  private var back: UnsafeMutableBufferPointer<UInt64>
  private var count = 0

  /// Makes room for `capacity` keys.
  package init(capacity: Int) {
    front = .allocate(capacity: capacity)
    back = .allocate(capacity: capacity)
  }

  deinit {
    front.deallocate()
    back.deallocate()
  }

  /// The keys, sorted after ``sort(bits:)``; valid while the sorter lives and is not changed.
  package var sorted: UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(rebasing: front[..<count])
  }

  /// The number of different keys; the keys must be sorted.
  var distinctCount: Int {
    let keys = sorted
    guard keys.count > 1 else { return keys.count }
    var distinct = 1
    for index in 1..<keys.count where keys[index] != keys[index - 1] { distinct += 1 }
    return distinct
  }

  /// Removes the keys.
  func removeAll() { count = 0 }

  /// Adds a key; there must be room.
  package func append(_ key: UInt64) {
    precondition(count < front.count, "no room for another key")
    front[count] = key
    count += 1
  }

  /// Sorts by the lowest `bits` bits.
  package func sort(bits: Int) {
    for shift in stride(from: 0, to: bits, by: Self.digitBits) {
      scatter(shift: UInt64(shift))
      swap(&front, &back)
    }
  }

  /// Moves the keys from front to back in the order of one digit; equal keys keep their order.
  private func scatter(shift: UInt64) {
    let mask = UInt64(1) << UInt64(Self.digitBits) - 1
    let source = UnsafeBufferPointer(rebasing: front[..<count])
    let target = back
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << Self.digitBits) { starts in
      starts.initialize(repeating: 0)
      for key in source { starts[Int(key >> shift & mask)] += 1 }
      var sum = 0
      for digit in starts.indices { (starts[digit], sum) = (sum, sum + starts[digit]) }
      for key in source {
        let digit = Int(key >> shift & mask)
        target[starts[digit]] = key
        starts[digit] += 1
      }
    }
  }
}
