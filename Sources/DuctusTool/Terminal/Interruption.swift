import Distributed
import Files
import Foundation

/// Converts Ctrl-C and SIGTERM to a flag that long work checks. Under mpirun also SIGUSR1, which
/// mpirun passes on to all processes, while it ends them soon after Ctrl-C.
package enum Interruption {
  /// The exit code in shells of a process that Ctrl-C ended: 128 plus the number of the signal.
  private static let interruptedExitCode = 128 + SIGINT

  /// Starts listening. A second signal ends the process at once.
  ///
  /// - Parameter atOnce: The action before a second signal ends the process, on a separate thread.
  static func listen(atOnce: @escaping @Sendable () -> Void = {}) -> InterruptionFlag {
    onSignal { isFirst in
      guard !isFirst else { return }
      atOnce()
      Foundation.exit(interruptedExitCode)
    }
  }

  /// Starts listening for the end of a server.
  ///
  /// - Parameter stop: The action of every signal, on a separate thread.
  static func stopping(_ stop: @escaping @Sendable () -> Void) -> InterruptionFlag {
    onSignal { _ in stop() }
  }

  /// Calls an action for every signal, with true for the first.
  private static func onSignal(_ action: @escaping @Sendable (Bool) -> Void) -> InterruptionFlag {
    let flag = InterruptionFlag()
    var signals = [SIGINT, SIGTERM]
    if case .openMPI = MPIEnvironment.current { signals.append(SIGUSR1) }
    for number in signals {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { action(!flag.raise()) }
      source.resume()
      flag.keep(source)
    }
    return flag
  }
}

/// A flag that tells whether the user has asked to stop.
final class InterruptionFlag: Sendable {
  private struct State: @unchecked Sendable {
    // Unchecked because any thread may use a source of signals.
    var raised = false
    var sources: [any DispatchSourceSignal] = []
  }
  private let state = Guarded(State())

  /// True if a signal has come.
  var isRaised: Bool { state.withLock { $0.raised } }

  /// Records a signal; returns true if it is not the first.
  func raise() -> Bool {
    state.withLock { state in
      defer { state.raised = true }
      return state.raised
    }
  }

  func keep(_ source: any DispatchSourceSignal) {
    state.withLock { $0.sources.append(source) }
  }
}
