import Dispatch

/// Runs work on threads of its own, side by side. Whoever adds work limits how much runs at once.
package struct WorkQueue: Sendable {
  private let queue: DispatchQueue

  /// Makes a queue.
  ///
  /// - Parameter label: The name of its threads for a debugger.
  package init(label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
  }

  /// Adds a piece of work.
  package func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Runs something after a delay.
  package func after(milliseconds: Double, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + milliseconds / 1000, execute: work)
  }

  /// Runs blocking work, and suspends until it is done.
  package func value<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }
}
