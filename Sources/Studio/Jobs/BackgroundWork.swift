import Foundation

/// Runs long work outside of the threads that answer requests.
enum BackgroundWork {
  private static let queue = DispatchQueue(
    label: "ductus.studio.work", qos: .userInitiated, attributes: .concurrent)

  /// Runs blocking work and waits for it without blocking a thread of the caller.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }
}
