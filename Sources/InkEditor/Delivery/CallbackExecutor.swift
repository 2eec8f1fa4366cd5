import Dispatch

/// Where an editor calls its delegate.
///
/// Calls come in order and one at a time, whatever the executor.
public struct CallbackExecutor: Sendable {
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Whether calls run on threads of the engine, which no caller of an editor blocks.
  let isEngines: Bool

  /// Calls run where a closure puts them: an actor, an event loop.
  ///
  /// - Parameter run: Runs a piece of work once, soon. It may run it on any thread.
  public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.init(run, isEngines: false)
  }

  private init(
    _ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, isEngines: Bool
  ) {
    self.run = run
    self.isEngines = isEngines
  }

  /// Calls run on the main actor: the default.
  public static let main = CallbackExecutor { DispatchQueue.main.async(execute: $0) }

  /// Calls run on threads of the engine. ``Editor/waitUntilIdle(timeout:)`` then also waits until
  /// everything was told.
  public static let engine = CallbackExecutor(
    { DispatchQueue.global(qos: .userInitiated).async(execute: $0) }, isEngines: true)

  /// Calls run on a queue.
  public static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
    CallbackExecutor { queue.async(execute: $0) }
  }
}
