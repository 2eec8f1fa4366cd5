import Files
import Foundation
import Training

/// Writes the progress of a training run to a small JSON file, for programs that show it.
///
/// The file is replaced by rename, at most four times a second and after every epoch, so that a
/// reader never sees half of it. It holds ink of the validation data, so only its owner can read
/// it. A failed write never ends training.
package final class TrainingWatch {
  /// The content of the file.
  package struct Content: Codable {
    /// The part of the run.
    package enum Phase: String, Codable {
      /// Reading the data.
      case reading
      /// Taking steps.
      case training
      /// Tuning, scoring and writing the model.
      case finishing
      /// The model is written.
      case finished
      /// Stopped by its user; there is a checkpoint.
      case stopped
      /// Ended with an error.
      case failed
    }

    /// The mean loss of some steps.
    package struct Loss: Codable, Hashable {
      /// The last of the steps, from 1.
      package var step: Int
      package var loss: Double
    }

    package var phase = Phase.reading
    /// Steps done in all epochs, and their number.
    package var step = 0
    package var steps = 0
    /// The current epoch, from 0, and the number of epochs.
    var epoch = 0
    package var epochs = 0
    /// The mean loss of about the last 50 steps.
    var loss: Double?
    var samplesPerSecond: Double?
    /// Seconds to the last step at the present rate.
    var remainingSeconds: Double?
    /// Losses since the first step, at most ``TrainingWatch/mostLosses``.
    package var losses: [Loss] = []
    /// The steps of one value of ``losses``.
    package var stepsPerLoss = 1
    /// The epoch of ``worstErrors``, from 0.
    package var worstErrorsEpoch: Int?
    /// The worst errors on the validation data after that epoch, the worst first.
    package var worstErrors: [MisreadSample] = []
    /// The lines about the data, as on the terminal.
    package var notes: [String] = []
    /// The time of the last write, in seconds since 1970.
    var updated = 0.0
  }

  /// The most values of the loss that are kept.
  package static let mostLosses = 500
  /// The most errors that are kept.
  static let mostErrors = 24
  /// The most notes that are kept.
  private static let mostNotes = 40
  private static let pause = Duration.milliseconds(250)

  package private(set) var content = Content()
  private let path: String
  private let warn: (String) -> Void
  private var lastWrite: ContinuousClock.Instant?
  private var hasWarned = false
  /// The sum of the losses that make the next value, and their number.
  private var pending = (sum: 0.0, count: 0)

  /// Writes the file for the first time.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isResumed: True to keep the losses of the previous session, if the file has them.
  ///   - warn: Called once if a later write fails.
  /// - Throws: ``ToolError`` if the file cannot be written.
  package init(path: String, isResumed: Bool, warn: @escaping (String) -> Void) throws {
    self.path = path
    self.warn = warn
    if isResumed, let bytes = FileManager.default.contents(atPath: path),
      let old = try? JSONDecoder().decode(Content.self, from: bytes),
      old.stepsPerLoss > 0, old.losses.count <= Self.mostLosses
    {
      content.losses = old.losses
      content.stepsPerLoss = old.stepsPerLoss
    }
    if let code = write() {
      throw ToolError.badInput(
        "--watch \(path): cannot be written: \(String(cString: strerror(code))); choose another "
          + "path")
    }
  }

  /// Notes a line about the data.
  func note(_ text: String) {
    guard content.notes.count < Self.mostNotes else { return }
    content.notes.append(text)
  }

  /// Begins a part of the run.
  package func begin(_ phase: Content.Phase) {
    content.phase = phase
    if phase != .training { content.remainingSeconds = nil }
    update()
  }

  /// Takes the figures of a step.
  ///
  /// - Parameters:
  ///   - loss: The mean loss of about the last 50 steps.
  ///   - rate: Samples per second.
  ///   - remaining: Seconds to the last step.
  package func step(_ progress: TrainingProgress, loss: Double, rate: Double, remaining: Double) {
    content.phase = .training
    content.step = progress.step
    content.steps = progress.steps
    content.epoch = progress.epoch
    content.epochs = progress.epochs
    content.loss = loss.isFinite ? loss : nil
    content.samplesPerSecond = rate.isFinite ? rate : nil
    content.remainingSeconds = remaining.isFinite ? remaining : nil
    add(progress)
    if let lastWrite, ContinuousClock.now - lastWrite < Self.pause { return }
    update()
  }

  /// Takes the worst errors of an epoch.
  package func misread(_ errors: [MisreadSample], inEpoch epoch: Int) {
    content.worstErrors = errors
    content.worstErrorsEpoch = epoch
  }

  /// Writes the file after an epoch.
  package func finishEpoch() { update() }

  /// Adds a step to the losses. If there are too many, pairs of values become one.
  private func add(_ progress: TrainingProgress) {
    guard progress.loss.isFinite else { return }
    // A resumed run repeats the steps after its checkpoint.
    while let last = content.losses.last, last.step >= progress.step {
      content.losses.removeLast()
    }
    pending.sum += progress.loss
    pending.count += 1
    guard pending.count >= content.stepsPerLoss else { return }
    content.losses.append(
      .init(step: progress.step, loss: pending.sum / Double(pending.count)))
    pending = (0, 0)
    guard content.losses.count > Self.mostLosses else { return }
    // An odd value begins the next pair.
    if content.losses.count % 2 == 1, let last = content.losses.popLast() {
      pending = (last.loss * Double(content.stepsPerLoss), content.stepsPerLoss)
    }
    content.losses = stride(from: 0, to: content.losses.count - 1, by: 2).map { place in
      let (first, second) = (content.losses[place], content.losses[place + 1])
      return .init(step: second.step, loss: (first.loss + second.loss) / 2)
    }
    content.stepsPerLoss *= 2
  }

  private func update() {
    guard let code = write(), !hasWarned else { return }
    hasWarned = true
    warn(
      "warning: --watch \(path): cannot be written: \(String(cString: strerror(code))); training "
        + "continues")
  }

  /// Replaces the file. It is not synced: after a crash of the machine it has no meaning.
  ///
  /// - Returns: The `errno` of a failure.
  private func write() -> Int32? {
    lastWrite = .now
    content.updated = Date().timeIntervalSince1970
    guard let bytes = try? JSONEncoder().encode(content) else { return EINVAL }
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    let code = bytes.withUnsafeBytes { Descriptor.writeAll(descriptor, $0) }
    close(descriptor)
    if code == 0, rename(temporary, path) == 0 { return nil }
    let failure = code == 0 ? errno : code
    unlink(temporary)
    return failure
  }
}
