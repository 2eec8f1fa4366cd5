import EventFiles
import Foundation
import RunLog
import Training

/// Writes the reports of a trainer to files for TensorBoard, and passes them on.
///
/// A failed write never ends training: it is reported once. The pictures hold ink of the validation
/// data; only the user can read the files.
package final class EventObserver: TrainingObserver, @unchecked Sendable {
  // Unchecked because the trainer calls it on one thread.

  private let observer: any TrainingObserver
  private let kind: RunKind
  private let file: EventFile
  private let warn: (String) -> Void
  private var hasWarned = false
  /// Returns the name and the values of each tensor, if histograms are wanted.
  package var weights: (() -> [(name: String, values: [Float])])?
  /// The last step, by which epochs are shown.
  private var step: Int
  /// The steps since the last value of the loss.
  private var pending = (loss: 0.0, samples: 0, steps: 0)
  private var pendingSince = ContinuousClock.now
  private var epochSince = ContinuousClock.now

  /// The most errors that are drawn after each epoch.
  package static let mostErrors = 12
  /// The most values of the loss in a training.
  private static let mostValues = 5000

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - observer: Gets all reports, and decides whether to stop.
  ///   - kind: The kind of model.
  ///   - folder: The folder of the run.
  ///   - step: The steps that are done; above 0 for a training that goes on.
  ///   - warn: Called with the first failure to write.
  /// - Throws: `EventFileError` if the folder or the file cannot be made.
  package init(
    _ observer: any TrainingObserver, kind: RunKind, folder: String, step: Int,
    warn: @escaping (String) -> Void
  ) throws {
    self.observer = observer
    self.kind = kind
    self.step = step
    self.warn = warn
    file = try EventFile(inFolder: folder)
    if step > 0 { try file.beginSession(at: step + 1) }
  }

  /// Writes the command and the settings as texts.
  package func describe(command: String, settings: [String: String]) {
    write(.text("command", "    " + command))
    write(.text("settings", EventTable.text(of: settings)))
  }

  /// Writes the figures of the finished model.
  package func finish(figures: [String: Double]) {
    for (name, value) in figures.sorted(by: { $0.key < $1.key }) {
      write(.scalar("model/\(name)", value))
    }
    attempt { try file.flush() }
  }

  package var shouldStop: Bool { observer.shouldStop }

  package var wantedErrors: Int { max(observer.wantedErrors, Self.mostErrors) }

  package func trainingDidStep(_ progress: TrainingProgress) {
    observer.trainingDidStep(progress)
    step = progress.step
    pending.loss += progress.loss
    pending.samples += progress.samples
    pending.steps += 1
    guard pending.steps >= max(1, progress.steps / Self.mostValues) else { return }
    let now = ContinuousClock.now
    let seconds = max((now - pendingSince) / .seconds(1), 1e-9)
    write(.scalar("loss/step", pending.loss / Double(pending.steps)))
    write(.scalar("rate", Double(progress.rate)))
    write(.scalar("time/samplesPerSecond", Double(pending.samples) / seconds))
    pending = (0, 0, 0)
    pendingSince = now
  }

  package func trainingDidCut(lines: Int, intoWords words: Int) {
    observer.trainingDidCut(lines: lines, intoWords: words)
  }

  package func trainingDidMisread(_ errors: [MisreadSample], inEpoch epoch: Int) {
    if observer.wantedErrors > 0 {
      observer.trainingDidMisread(Array(errors.prefix(observer.wantedErrors)), inEpoch: epoch)
    }
    let shown = errors.prefix(Self.mostErrors)
    for (place, error) in shown.enumerated() {
      let picture = GrayPicture(strokes: error.strokes.map { ($0.x, $0.y) })
      if let image = EventValue.image("worst/" + String(format: "%02d", place + 1), picture) {
        write(image)
      }
    }
    write(
      .text(
        "worst",
        EventTable.text(
          ["", "label", "read", "wrong characters"],
          shown.enumerated().map { place, error in
            ["\(place + 1)", error.label, error.read, "\(error.edits)"]
          })))
  }

  package func trainingDidFinishEpoch(_ record: EpochRecord) {
    observer.trainingDidFinishEpoch(record)
    let now = ContinuousClock.now
    for value in kind.events(of: RunEpoch.Figures(record)) { write(value) }
    write(.scalar("time/epochSeconds", (now - epochSince) / .seconds(1)))
    for (name, values) in weights?() ?? [] {
      write(.histogram("weights/\(name)", EventHistogram(values)))
    }
    attempt { try file.flush() }
    epochSince = now
    pendingSince = now
  }

  private func write(_ value: EventValue) { attempt { try file.write(value, step: step) } }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      if !hasWarned { warn("warning: \(error); training continues") }
      hasWarned = true
    }
  }
}

extension RunKind {
  /// The values of an epoch: losses, and the error rates or the bits per character.
  func events(of epoch: RunEpoch.Figures) -> [EventValue] {
    var values = [
      EventValue.scalar("loss/training", epoch.trainingLoss),
      EventValue.scalar("loss/validation", epoch.validationLoss),
    ]
    if self == .language {
      values.append(.scalar("bitsPerCharacter/validation", figure(of: epoch)))
    } else {
      values.append(.scalar("error/validation", 1 - epoch.validationAccuracy))
    }
    if let without = epoch.validationAccuracyWithoutArea {
      values.append(.scalar("error/validationWithoutArea", 1 - without))
    }
    if let training = epoch.trainingAccuracy {
      values.append(.scalar("error/training", 1 - training))
    }
    return values
  }
}

/// Tables in Markdown.
enum EventTable {
  /// The settings of a run, by name.
  static func text(of settings: [String: String]) -> String {
    text(["setting", "value"], settings.sorted { $0.key < $1.key }.map { [$0.key, $0.value] })
  }

  /// A table with a header.
  static func text(_ header: [String], _ rows: [[String]]) -> String {
    ([header, header.map { _ in "---" }] + rows.map { $0.map(escaped) })
      .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// A text without characters that Markdown or HTML would take as their own.
  private static func escaped(_ text: String) -> String {
    text.map { character -> String in
      if character.isNewline { return " " }
      if character == "<" { return "&lt;" }
      if character == "&" { return "&amp;" }
      return "\\`*_|[]{}".contains(character) ? "\\\(character)" : String(character)
    }.joined()
  }
}
