import Distributed
import Files
import Foundation

/// Converts Ctrl-C and SIGTERM to a flag that long work checks. Under mpirun also SIGUSR1, which
/// mpirun passes on to all processes, while it ends them soon after Ctrl-C.
package enum Interruption {
  /// Starts listening. A second signal ends the process at once.
  ///
  /// - Parameter atOnce: The action before a second signal ends the process, on a separate thread.
  static func listen(atOnce: @escaping @Sendable () -> Void = {}) -> InterruptionFlag {
    SignalListener.shared.flag(.atOnce(atOnce))
  }

  /// Starts listening for the end of a server.
  ///
  /// - Parameter stop: The action of every signal, on a separate thread.
  static func stopping(_ stop: @escaping @Sendable () -> Void) -> InterruptionFlag {
    SignalListener.shared.flag(.stopping(stop))
  }
}

/// A flag that tells whether the user has asked to stop. Signals concern it while it exists.
final class InterruptionFlag: Sendable {
  /// The effect of signals beside raising the flag.
  enum Action: Sendable {
    /// The second signal does it and ends the process.
    case atOnce(@Sendable () -> Void)
    /// Every signal does it.
    case stopping(@Sendable () -> Void)
  }

  fileprivate let action: Action
  private let raised = Guarded(false)

  fileprivate init(_ action: Action) { self.action = action }

  /// True if a signal has come.
  var isRaised: Bool { raised.withLock(\.self) }

  /// Records a signal; returns true if it is not the first.
  fileprivate func raise() -> Bool {
    raised.withLock { raised in
      defer { raised = true }
      return raised
    }
  }
}

/// Hears the signals of the process for all flags. There is one: a second source of a signal would take
/// it from the first.
private final class SignalListener: Sendable {
  static let shared = SignalListener()

  /// The exit code in shells of a process that Ctrl-C ended: 128 plus the number of the signal.
  private static let interruptedExitCode = 128 + SIGINT

  private struct WeakFlag: Sendable {
    weak let flag: InterruptionFlag?
  }

  private struct State: @unchecked Sendable {
    // Unchecked because any thread may use a source of signals.
    var flags: [WeakFlag] = []
    var sources: [any DispatchSourceSignal] = []
  }
  private let state = Guarded(State())

  func flag(_ action: InterruptionFlag.Action) -> InterruptionFlag {
    let flag = InterruptionFlag(action)
    let isFirst = state.withLock { state in
      state.flags.removeAll { $0.flag == nil }
      state.flags.append(WeakFlag(flag: flag))
      return state.sources.isEmpty
    }
    if isFirst { listen() }
    return flag
  }

  private func listen() {
    var signals = [SIGINT, SIGTERM]
    if case .openMPI = MPIEnvironment.current { signals.append(SIGUSR1) }
    for number in signals {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in hear() }
      source.resume()
      state.withLock { $0.sources.append(source) }
    }
  }

  private func hear() {
    let flags = state.withLock { $0.flags.compactMap(\.flag) }
    var ends = false
    for flag in flags {
      let isAgain = flag.raise()
      switch flag.action {
      case .stopping(let stop): stop()
      case .atOnce(let action):
        guard isAgain else { continue }
        action()
        ends = true
      }
    }
    guard ends || flags.isEmpty else { return }
    // Other threads still work: `exit` would take from them what it cleans up, such as OpenBLAS.
    fflush(nil)
    _exit(Self.interruptedExitCode)
  }
}
