import Foundation

/// Working memories, each lent to one call at a time and kept for the next.
///
/// Thread-safe. There are as many as calls ran at the same moment at most; a call that finds an idle
/// one allocates nothing.
final class MemoryPool<Memory>: @unchecked Sendable {
  // Unchecked because the idle memories are guarded by the lock and each is used by one call.

  private let lock = NSLock()
  private var idle: [Memory] = []
  private let make: @Sendable () -> Memory

  /// Makes an empty pool; `make` makes a memory where none is idle.
  init(_ make: @escaping @Sendable () -> Memory) {
    self.make = make
  }

  /// Lends a memory to `body`, which must not keep it.
  func withMemory<Value>(_ body: (Memory) throws -> Value) rethrows -> Value {
    let memory = lock.withLock { idle.popLast() } ?? make()
    defer { lock.withLock { idle.append(memory) } }
    return try body(memory)
  }
}
