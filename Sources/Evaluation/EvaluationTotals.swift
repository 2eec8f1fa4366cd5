import Foundation
import Histogram
import InkCore
import InkDatasets
import Metrics

/// The counts, the confidences and the times that evaluations of all kinds of model have.
public struct EvaluationTotals: Sendable {
  /// The number of labelled records.
  public internal(set) var samples = 0
  /// The number of labelled records that were refused or have no candidate.
  public internal(set) var rejected = 0
  /// The number of records that could not be read; not part of the samples.
  public internal(set) var malformed = 0
  /// Labels that the model does not have, or characters of them; no answer to them is right.
  package internal(set) var unknown = UnknownLabels()
  /// The letters beyond a to z.
  public internal(set) var letters = LetterScores()
  /// The calibration of the confidences of answers, or of words.
  package internal(set) var calibration = ExpectedCalibrationError()
  /// Accuracy of the most confident part of the answers, or of the words.
  package internal(set) var coverage = AccuracyCoverageCurve()
  /// Accuracy, or character edits, by writer.
  package internal(set) var byWriter = ClusteredRate()
  /// SHA-256 of the samples; empty before the end.
  package private(set) var dataHash = ""
  /// The time spent in recognition, in seconds.
  package private(set) var recognitionSeconds = 0.0

  /// The time of each ink in nanoseconds.
  package private(set) var latency = Histogram<UInt64>(
    highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
  private var hasher = DataHasher()

  /// The latency in milliseconds, from raw points to candidates; nil without samples.
  package var latencyMilliseconds: Percentiles? {
    samples > 0 ? Percentiles(of: latency, unit: 1e6) : nil
  }

  /// Inks recognised per second on one thread.
  package var samplesPerSecond: Double? {
    recognitionSeconds > 0 ? Double(samples) / recognitionSeconds : nil
  }

  /// Counts a labelled record.
  mutating func begin(_ labeled: LabeledInk) {
    samples += 1
    hasher.update(with: labeled)
  }

  /// Runs one recognition and counts its time.
  ///
  /// - Parameter sharing: The ranks that read; the time is that of the rank that did.
  mutating func timed<Value>(
    sharing: AnswerSharing?, _ body: () throws -> Value
  ) rethrows -> Value {
    let start = ContinuousClock.now
    let value = try body()
    let nanoseconds =
      sharing?.lastSeconds.map { $0 * 1e9 } ?? (ContinuousClock.now - start) / .nanoseconds(1)
    _ = latency.record(UInt64(max(0, nanoseconds)))
    recognitionSeconds += nanoseconds / 1e9
    return value
  }

  /// Counts the confidence of an answer or a word.
  mutating func addConfidence(_ confidence: Double, isCorrect: Bool) {
    calibration.add(confidence: confidence, isCorrect: isCorrect)
    coverage.add(confidence: confidence, isCorrect: isCorrect)
  }

  /// Hashes the samples; nothing may be added afterwards.
  mutating func finish() { dataHash = hasher.finalize() }
}
