import Files
import Foundation

/// Ends a server when the process is asked to end.
final class StopSignals: @unchecked Sendable {
  // Unchecked because the sources are made once.

  private let isAsked = Guarded(false)
  private var sources: [any DispatchSourceSignal] = []

  /// True if the process was asked to end.
  var isStopping: Bool { isAsked.withLock { $0 } }

  init(_ stop: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in
        self?.isAsked.withLock { $0 = true }
        stop()
      }
      source.resume()
      sources.append(source)
    }
  }
}
