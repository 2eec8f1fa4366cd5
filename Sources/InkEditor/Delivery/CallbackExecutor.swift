import Dispatch

/// The executor on which an editor calls its delegate.
///
/// Calls come in order and one at a time, whatever the executor.
public struct CallbackExecutor: Sendable {
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// True if calls run on threads of the engine, which no caller of an editor blocks.
  package let isEngines: Bool

  /// Makes an executor from a closure that runs work elsewhere, such as on an actor or an event
  /// loop.
  ///
  /// - Parameter run: Runs a piece of work once, soon, on any thread.
  public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.init(run, isEngines: false)
  }

  private init(
    _ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, isEngines: Bool
  ) {
    self.run = run
    self.isEngines = isEngines
  }

  /// Runs calls on the main actor: the default.
  public static let main = CallbackExecutor { DispatchQueue.main.async(execute: $0) }

  /// Runs calls on threads of the engine. ``Editor/waitUntilIdle(timeout:)`` then also waits until
  /// all events were delivered.
  public static let engine = CallbackExecutor(
    { DispatchQueue.global(qos: .userInitiated).async(execute: $0) }, isEngines: true)

  /// Runs calls on a queue.
  public static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
    CallbackExecutor { queue.async(execute: $0) }
  }
}
