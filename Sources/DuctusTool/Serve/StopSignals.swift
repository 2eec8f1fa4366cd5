import Foundation

/// Ends a server when the process is asked to end.
final class StopSignals: @unchecked Sendable {
  // Unchecked because the lock guards the state and the sources are made once.

  private let lock = NSLock()
  private var isAsked = false
  private var sources: [any DispatchSourceSignal] = []

  /// True if the process was asked to end.
  var isStopping: Bool { lock.withLock { isAsked } }

  init(_ stop: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in
        self?.lock.withLock { self?.isAsked = true }
        stop()
      }
      source.resume()
      sources.append(source)
    }
  }
}
