import Foundation
import ModelFormat
import RunLog
import Training

/// Shows training on the terminal.
package final class TrainingConsole: TrainingObserver, @unchecked Sendable {
  // Unchecked because the trainer calls it on one thread.

  private let flag: InterruptionFlag
  private let kind: RunKind
  private var line: ProgressLine
  private var samples = 0
  private var steps = 0
  private var started = ContinuousClock.now
  private var loss = 0.0
  private var watch: TrainingWatch?
  /// The weight of the previous value in the displayed loss: a mean over about 50 steps.
  private static let memory = 0.98

  /// - Parameter isSilent: True for a process that leaves the terminal to another one.
  init(flag: InterruptionFlag, kind: RunKind, isSilent: Bool = false) {
    self.flag = flag
    self.kind = kind
    line = ProgressLine(isSilent: isSilent)
  }

  package var shouldStop: Bool { flag.isRaised }

  func say(_ text: String) {
    line.note(text)
    watch?.note(text)
  }

  /// Keeps the progress in a file from now on.
  ///
  /// - Throws: ``ToolError`` if the file cannot be written.
  func watch(_ path: String?, isResumed: Bool) throws {
    watch = try path.map {
      try TrainingWatch(path: $0, isResumed: isResumed) { [weak self] in self?.line.note($0) }
    }
  }

  /// Reports that steps are done, and that the model is scored next.
  func beginFinishing() { watch?.begin(.finishing) }

  /// Reports the end of the run.
  func end(_ phase: TrainingWatch.Content.Phase) { watch?.begin(phase) }

  /// Reports the end of the run with an error.
  func end(with error: any Error) {
    if case TrainingError.interrupted = error { end(.stopped) } else { end(.failed) }
  }

  /// Removes the progress bar before other output.
  func clear() {
    line.clear()
  }

  /// Prints the training data and model, and the records that were left out.
  func introduce(_ text: String, _ rejected: RejectedRecords) {
    say(text)
    for (count, reason) in [
      (rejected.malformed, "malformed: 'ductus data inspect' shows them"),
      (rejected.poorQuality, "judged bad by the collector"),
      (rejected.empty, "without points or text"),
      (rejected.unknownLabel, "with a label or symbols that cannot be trained"),
      (rejected.tooShort, "with ink too short for the text"),
      (rejected.unmatchedPages, "pages with a different number of lines than their label"),
    ] where count > 0 {
      say("left out: \(count) \(reason)")
    }
  }

  /// ` of N writers`, or nothing if the data names none.
  package static func writers(_ count: Int?) -> String {
    count.map { " of \(TerminalText.count($0, "writer"))" } ?? ""
  }

  /// Starts the clock for rates.
  func begin() {
    started = .now
    (samples, steps, loss) = (0, 0, 0)
  }

  package func trainingDidStep(_ progress: TrainingProgress) {
    if steps == 0 { StartMark.answered.note() }
    samples += progress.samples
    steps += 1
    loss = loss == 0 ? progress.loss : Self.memory * loss + (1 - Self.memory) * progress.loss
    let seconds = (ContinuousClock.now - started) / .seconds(1)
    let remaining = seconds / Double(steps) * Double(progress.steps - progress.step)
    let rate = Double(samples) / max(seconds, 1e-3)
    line.show(
      Double(progress.step) / Double(progress.steps),
      "epoch \(progress.epoch + 1)/\(progress.epochs)  \(ProgressLine.clock(remaining)) left  "
        + String(format: "%.0f samples/s  loss %.3f", rate, loss))
    watch?.step(progress, loss: loss, rate: rate, remaining: remaining)
  }

  package var wantedErrors: Int { watch == nil ? 0 : TrainingWatch.mostErrors }

  package func trainingDidMisread(_ errors: [MisreadSample], inEpoch epoch: Int) {
    watch?.misread(errors, inEpoch: epoch)
  }

  package func trainingDidFinishEpoch(_ record: EpochRecord) {
    var text =
      String(format: "epoch %3d  loss %.3f  validation ", record.epoch + 1, record.trainingLoss)
      + kind.phrase(kind.figure(of: record))
    if let without = record.validationAccuracyWithoutArea {
      text += String(format: ", without area %.2f %%", 100 * without)
    }
    line.note(text)
    watch?.finishEpoch()
  }

  package func trainingDidCut(lines: Int, intoWords words: Int) {
    line.note("cut \(lines) lines into \(words) words")
  }

  /// Prints the result.
  func finish(
    _ bundle: ModelBundle, path: String, seconds: Double, keeping kept: KeptEpoch,
    record: EpochRecord?, epochs: Int, figure: (name: String, value: Double)?
  ) {
    if let record, let advice = Self.advice(keptEpoch: record.epoch, epochs: epochs) { say(advice) }
    line.clear()
    var text = "\(path): \(bundle.byteCount / 1000) kB, trained in \(ProgressLine.clock(seconds))"
    if let record { text += ", " + Self.name(of: record, keeping: kept) }
    if let figure { text += String(format: ", \(figure.name) %.2f %%", 100 * figure.value) }
    print(text)
  }

  /// The kept epoch, with the criterion if it is not among the figures above.
  package static func name(of record: EpochRecord, keeping kept: KeptEpoch) -> String {
    let isMean = kept == .best && record.validationAccuracyWithoutArea != nil
    return "\(kept.rawValue) epoch \(record.epoch + 1)"
      + (isMean ? " (by the mean with and without area)" : "")
  }

  /// Advice if most of the training had no effect on the model; nil otherwise.
  ///
  /// - Parameters:
  ///   - keptEpoch: The kept epoch, from 0.
  ///   - epochs: The number of trained epochs.
  package static func advice(keptEpoch: Int, epochs: Int) -> String? {
    let lost = epochs - keptEpoch - 1
    guard lost >= 3, lost > epochs / 2 else { return nil }
    return "the last \(lost) epochs did not improve the validation score and are not in the "
      + "model: check that the validation data resembles the training data, or use --keep last"
  }
}
