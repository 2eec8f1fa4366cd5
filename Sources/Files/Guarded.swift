import Foundation

/// A value that one thread at a time uses.
///
/// The value is reached through ``withLock(_:)`` alone, so that the compiler checks what a comment
/// beside a lock could only ask for. Parts that are not `Sendable` may live in the value: the
/// compiler refuses references that come from outside. Do not return such a part.
///
///     let count = Guarded(0)
///     count.withLock { $0 += 1 }
///
/// Copies share the value. A guarded value is one allocation, in which lock and value lie side by
/// side; to take a free lock and to release it costs about 10 ns.
///
/// The lock is not recursive: a closure that asks for the same value again waits for itself. Call
/// nothing foreign under it, such as delegates and handlers; return what is to be told and tell it
/// afterwards. A thread that has to wait for a condition needs an `NSCondition`.
///
/// `Mutex` of the module Synchronization does the same, but needs macOS 15 and iOS 18, and the
/// package supports macOS 14 and iOS 17.
package struct Guarded<Value>: @unchecked Sendable {
  // Unchecked because the lock guards the value, and `sending` what goes in and out.
  @usableFromInline let storage: Storage

  #if canImport(Darwin)
    @usableFromInline package typealias Lock = os_unfair_lock
  #else
    @usableFromInline package typealias Lock = pthread_mutex_t
  #endif

  /// The value, then the lock, in one piece of memory. Neither moves while it exists.
  @usableFromInline final class Storage: ManagedBuffer<Value, Lock> {
    deinit {
      #if !canImport(Darwin)
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
      #endif
    }
  }

  /// Puts a value under a lock of its own.
  package init(_ value: sending Value) {
    let buffer = Storage.create(minimumCapacity: 1) { _ in value }
    storage = unsafeDowncast(buffer, to: Storage.self)
    storage.withUnsafeMutablePointerToElements { lock in
      #if canImport(Darwin)
        lock.initialize(to: os_unfair_lock())
      #else
        lock.initialize(to: pthread_mutex_t())
        let code = pthread_mutex_init(lock, nil)
        precondition(code == 0, "The system gives no lock, error \(code)")
      #endif
    }
  }

  /// Runs a closure with the value, while no other thread uses it.
  ///
  /// The value may be changed in place; nothing is copied.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let storage = storage
    // `unsafe` because nothing tells the compiler that the lock keeps others away from the value.
    nonisolated(unsafe) let value = storage.withUnsafeMutablePointerToHeader { $0 }
    let lock = storage.withUnsafeMutablePointerToElements { $0 }
    defer { withExtendedLifetime(storage) {} }
    #if canImport(Darwin)
      os_unfair_lock_lock(lock)
      defer { os_unfair_lock_unlock(lock) }
    #else
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
    #endif
    return try body(&value.pointee)
  }
}
