import Files
import Foundation

/// Working memories, each used by one call at a time and then reused.
///
/// Thread-safe. There are at most as many as there were concurrent calls. A call that finds an idle
/// memory allocates nothing.
package final class MemoryPool<Memory>: Sendable {
  /// A class, because valgrind takes what Swift does for a generic structure for a fault.
  private final class Idle: @unchecked Sendable {
    // Unchecked because each memory is used by one call at a time.
    let memory: Memory

    init(_ memory: Memory) { self.memory = memory }
  }

  private let idle = Guarded<[Idle]>([])
  private let make: @Sendable () -> Memory

  /// Makes an empty pool; `make` makes a memory if none is idle.
  init(_ make: @escaping @Sendable () -> Memory) {
    self.make = make
  }

  /// Lends a memory to `body`, which must not keep it.
  package func withMemory<Value>(_ body: (Memory) throws -> Value) rethrows -> Value {
    let lent = idle.withLock { $0.popLast() } ?? Idle(make())
    defer { idle.withLock { $0.append(lent) } }
    return try body(lent.memory)
  }
}
