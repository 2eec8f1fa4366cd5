import Foundation

/// Working memories, each used by one call at a time and then reused.
///
/// Thread-safe. There are at most as many as there were concurrent calls. A call that finds an idle
/// memory allocates nothing.
final class MemoryPool<Memory>: @unchecked Sendable {
  // Unchecked because the lock guards the idle memories, and each is used by one call.

  private let lock = NSLock()
  private var idle: [Memory] = []
  private let make: @Sendable () -> Memory

  /// Makes an empty pool; `make` makes a memory if none is idle.
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
