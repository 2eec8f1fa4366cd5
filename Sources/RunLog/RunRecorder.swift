import Foundation
import Training

/// Writes a training run to the log while it trains, and passes on what the trainer reports.
///
/// A log that cannot be written never ends a training: it is tried again after the next epoch, with
/// all that is not written yet.
public final class RunRecorder: TrainingObserver, @unchecked Sendable {
  // Unchecked because the trainer and its caller use it one after the other.

  /// Where a trainer stands.
  public struct Progress {
    /// The finished epochs.
    public var history: [EpochRecord]
    /// The epoch whose weights are kept so far.
    public var keptEpoch: Int?
    /// Training time of all sessions.
    public var seconds: Double

    /// All of it.
    public init(history: [EpochRecord], keptEpoch: Int?, seconds: Double) {
      self.history = history
      self.keptEpoch = keptEpoch
      self.seconds = seconds
    }
  }

  private let open: () throws(RunLogError) -> RunDatabase
  private let progress: () -> Progress
  private let observer: any TrainingObserver
  private let complain: @Sendable (RunLogError) -> Void
  private let isResumed: Bool
  private var log: RunDatabase?
  private var logged: LoggedRun
  private var hasComplained = false

  /// Begins a run in the log.
  ///
  /// - Parameters:
  ///   - run: What begins.
  ///   - isResumed: Whether the trainer goes on from a checkpoint.
  ///   - progress: Asked where the trainer stands: now, after every epoch, and at the end.
  ///   - open: Opens the log.
  ///   - observer: Gets all reports too, and is asked whether to stop.
  ///   - complain: Told of the log's first error, and where the end cannot be written.
  public init(
    _ run: RunRecord, isResumed: Bool = false, progress: @escaping () -> Progress,
    in open: @escaping () throws(RunLogError) -> RunDatabase,
    passingTo observer: any TrainingObserver, complain: @escaping @Sendable (RunLogError) -> Void
  ) {
    self.isResumed = isResumed
    self.progress = progress
    self.open = open
    self.observer = observer
    self.complain = complain
    // When these ended is not known here.
    logged = LoggedRun(
      run: run, epochs: progress().history.map { RunEpoch(figures: $0, seconds: nil) })
    write()
  }

  /// What the other observer says.
  public var shouldStop: Bool { observer.shouldStop }

  /// Passed on.
  public func trainingDidStep(_ progress: TrainingProgress) { observer.trainingDidStep(progress) }

  /// Passed on.
  public func trainingDidCut(lines: Int, intoWords words: Int) {
    observer.trainingDidCut(lines: lines, intoWords: words)
  }

  /// Passed on, and noted.
  public func trainingDidFinishEpoch(_ record: EpochRecord) {
    observer.trainingDidFinishEpoch(record)
    write()
  }

  /// The run stopped or failed.
  public func end(with error: any Error) {
    guard logged.run.state == .running else { return }
    if case TrainingError.interrupted = error {
      logged.run.state = .stopped
    } else {
      logged.run.state = .failed
      // Other errors may quote what they met.
      logged.run.failure = (error as? TrainingError)?.description ?? "\(type(of: error))"
    }
    write()
  }

  /// The model is written.
  ///
  /// - Parameters:
  ///   - modelBytes: Its size.
  ///   - figures: What it is worth on the validation data, by name.
  public func finish(modelBytes: Int, figures: [String: Double]) {
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

  /// Takes over where the trainer stands.
  private func update() {
    let now = progress()
    logged.run.keptEpoch = now.keptEpoch
    logged.run.seconds = now.seconds
    logged.run.updated = Date()
    logged.epochs += now.history.dropFirst(logged.epochs.count)
      .map { RunEpoch(figures: $0, seconds: now.seconds) }
  }
}

/// Which process something was done by: its number alone is given to others later.
public enum ProcessIdentity {
  /// This process: its number, and on Linux when it was started, in ticks after which start of the
  /// machine.
  public static var own: String {
    let number = ProcessInfo.processInfo.processIdentifier
    return ([String(number)] + (started(number).map { [$0, machineStart] } ?? []))
      .joined(separator: " ")
  }

  /// Whether the process is there, on this machine. Where the system does not tell when processes were
  /// started, another one of the same number passes for it.
  public static func isAlive(_ identity: String) -> Bool {
    let parts = identity.split(separator: " ").map(String.init)
    guard let number = parts.first.flatMap({ Int32($0) }) else { return false }
    guard parts.count == 3 else { return kill(number, 0) == 0 || errno != ESRCH }
    return parts[2] == machineStart && started(number) == parts[1]
  }

  private static let machineStart =
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"

  /// When a process was started (proc_pid_stat(5), field 22); nil where there is none, where it has
  /// ended and nobody has asked how, or where the system does not tell.
  private static func started(_ number: Int32) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
      // The name, in brackets, may hold anything.
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z" else { return nil }
    return String(fields[19])
  }
}
