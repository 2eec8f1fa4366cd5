import Foundation

/// Writes a training run to the log during training.
///
/// A failed write never ends training: it is repeated after the next epoch, with everything that is
/// not written yet.
package final class RunRecorder: @unchecked Sendable {
  // Unchecked because the trainer and its caller use it one after the other.

  /// The progress of a trainer.
  package struct Progress {
    /// The finished epochs.
    package var history: [RunEpoch.Figures]
    /// The epoch whose weights are kept so far.
    package var keptEpoch: Int?
    /// Training time of all sessions.
    package var seconds: Double

    /// Makes a progress.
    package init(history: [RunEpoch.Figures], keptEpoch: Int?, seconds: Double) {
      self.history = history
      self.keptEpoch = keptEpoch
      self.seconds = seconds
    }
  }

  private let open: () throws(RunLogError) -> RunDatabase
  private let progress: () -> Progress
  private let complain: @Sendable (RunLogError) -> Void
  private let isResumed: Bool
  private var log: RunDatabase?
  private var logged: LoggedRun
  private var hasComplained = false

  /// Begins a run in the log.
  ///
  /// - Parameters:
  ///   - run: The run that begins.
  ///   - isResumed: True if the trainer continues from a checkpoint.
  ///   - progress: Returns the progress of the trainer; called now, after every epoch, and at the
  ///     end.
  ///   - open: Opens the log.
  ///   - complain: Called with the log's first error, and if the end cannot be written.
  package init(
    _ run: RunRecord, isResumed: Bool = false, progress: @escaping () -> Progress,
    in open: @escaping () throws(RunLogError) -> RunDatabase,
    complain: @escaping @Sendable (RunLogError) -> Void
  ) {
    self.isResumed = isResumed
    self.progress = progress
    self.open = open
    self.complain = complain
    // The times of these epochs are not known.
    logged = LoggedRun(
      run: run, epochs: progress().history.map { RunEpoch(figures: $0, seconds: nil) })
    write()
  }

  /// Writes the epochs that have ended since the last call.
  package func epochEnded() { write() }

  /// Records that its user stopped the run.
  package func stop() { end(.stopped, failure: nil) }

  /// Records that the run failed. The first end counts.
  ///
  /// - Parameter failure: The reason, which must not quote data.
  package func fail(_ failure: String) { end(.failed, failure: failure) }

  private func end(_ state: RunRecord.State, failure: String?) {
    guard logged.run.state == .running else { return }
    logged.run.state = state
    logged.run.failure = failure
    write()
  }

  /// Records that the model was written.
  ///
  /// - Parameters:
  ///   - modelBytes: Its size.
  ///   - figures: Its figures on the validation data, by name.
  package func finish(modelBytes: Int, figures: [String: Double]) {
    logged.run.state = .finished
    logged.run.modelBytes = modelBytes
    logged.run.figures = figures
    write()
  }

  private func write() {
    update()
    do throws(RunLogError) {
      let log = try openedLog()
      if logged.run.id == nil {
        logged = try log.begin(logged, isResumed: isResumed)
      } else {
        try log.save(logged)
      }
    } catch {
      if !hasComplained || logged.run.state != .running { complain(error) }
      hasComplained = true
    }
  }

  private func openedLog() throws(RunLogError) -> RunDatabase {
    if let log { return log }
    let opened = try open()
    log = opened
    return opened
  }

  /// Updates the record from the trainer's progress.
  private func update() {
    let now = progress()
    logged.run.keptEpoch = now.keptEpoch
    logged.run.seconds = now.seconds
    logged.run.updated = Date()
    logged.epochs += now.history.dropFirst(logged.epochs.count)
      .map { RunEpoch(figures: $0, seconds: now.seconds) }
  }
}

/// The identity of a process. Its number alone is not enough, because numbers are reused.
package enum ProcessIdentity {
  /// This process: its number, and on Linux its start time in ticks since the start of the machine,
  /// with the machine's boot id.
  package static var own: String {
    identity(of: ProcessInfo.processInfo.processIdentifier)
  }

  /// The identity of the process that has a number now, such as that of a child that has just been
  /// started.
  package static func identity(of number: Int32) -> String {
    ([String(number)] + (started(number).map { [$0, machineStart] } ?? []))
      .joined(separator: " ")
  }

  /// Returns whether the process is running on this machine. If the system does not report start
  /// times, another process with the same number counts as this one.
  package static func isAlive(_ identity: String) -> Bool {
    let parts = identity.split(separator: " ").map(String.init)
    guard let number = parts.first.flatMap({ Int32($0) }) else { return false }
    guard parts.count == 3 else { return kill(number, 0) == 0 || errno != ESRCH }
    return parts[2] == machineStart && started(number) == parts[1]
  }

  private static let machineStart =
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"

  /// The start time of a process (proc_pid_stat(5), field 22). Nil if there is none, if it has
  /// ended but was not waited for, or if the system does not report it.
  private static func started(_ number: Int32) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
      // The name, in parentheses, may contain any character.
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z" else { return nil }
    return String(fields[19])
  }
}
