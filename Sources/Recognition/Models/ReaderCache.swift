import Foundation

/// The recognisers that were used most recently, by key. Thread-safe; a recogniser is opened outside
/// of the lock.
package final class ReaderCache<Key: Hashable & Sendable, Reader: Sendable>: @unchecked Sendable {
  // Unchecked because the lock guards all members.

  private let lock = NSLock()
  private var values: RecentValues<Key, Reader>
  /// The number of calls of `removeAll`. A recogniser that was opened before the last one may be
  /// outdated, so it is not kept.
  private var generation = 0

  /// Makes an empty cache.
  ///
  /// - Parameter capacity: The largest number of recognisers that are kept, at least 1.
  package init(capacity: Int) {
    values = RecentValues(capacity: max(1, capacity))
  }

  /// Returns the recogniser of a key, and opens it if it is not in the cache.
  ///
  /// - Throws: The error of `open`; nothing is kept then.
  package func reader<Failure: Error>(
    _ key: Key, open: () throws(Failure) -> Reader
  ) throws(Failure) -> Reader {
    let (known, generation) = lock.withLock { (values.value(of: key), self.generation) }
    if let known { return known }
    let reader = try open()
    lock.withLock {
      if generation == self.generation { values.insert(reader, for: key) }
    }
    return reader
  }

  /// Removes all recognisers, for example because the models changed.
  package func removeAll() {
    lock.withLock {
      values.removeAll()
      generation += 1
    }
  }
}

/// Values by key. Above the capacity, the one used longest ago is removed.
struct RecentValues<Key: Hashable, Value> {
  private let capacity: Int
  private var values: [Key: (value: Value, used: UInt64)] = [:]
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Returns the value of a key, and marks it as used now. O(1).
  mutating func value(of key: Key) -> Value? {
    guard let found = values[key] else { return nil }
    clock += 1
    values[key] = (found.value, clock)
    return found.value
  }

  /// Keeps a value. O(capacity) if another one is removed.
  mutating func insert(_ value: Value, for key: Key) {
    clock += 1
    values[key] = (value, clock)
    if values.count > capacity, let oldest = values.min(by: { $0.value.used < $1.value.used }) {
      values[oldest.key] = nil
    }
  }

  /// Removes all values.
  mutating func removeAll() { values.removeAll() }
}
