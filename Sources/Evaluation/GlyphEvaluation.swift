import Foundation
import Histogram
import InkCore
import InkDatasets
import InkFormats
import Metrics
import Recognition

/// The figures of a glyph recogniser on labelled ink, one ink at a time on one thread.
///
/// Every labelled record counts. An ink that the recogniser refuses or cannot answer is an error,
/// and so is one whose label the model does not have. Records that cannot be read are counted
/// separately. Memory does not grow with the ink: at most a rank and a confidence are kept per
/// record, and the inks of a bounded number of errors.
public struct GlyphEvaluation: Sendable {
  /// The number of labelled records.
  public private(set) var samples = 0
  /// The number of labelled records without an answer.
  public private(set) var rejected = 0
  /// The number of records that could not be read; not part of the samples.
  public private(set) var malformed = 0
  /// Labels that the model does not have; their records are errors.
  public private(set) var unknown = UnknownLabels()
  /// The share of records with the label among the best candidates.
  public private(set) var topK = TopKAccuracy(ks: [1, 3, 5])
  /// The calibration of the best candidate's probability.
  public private(set) var calibration = ExpectedCalibrationError()
  /// Accuracy of the most confident part of the answers.
  public private(set) var coverage = AccuracyCoverageCurve()
  /// The pairs of labels and answers.
  public private(set) var confusion = ConfusionMatrix()
  /// The letters beyond a to z.
  public private(set) var letters = LetterScores()
  /// Accuracy by writer.
  public private(set) var byWriter = ClusteredRate()
  /// The errors that a report shows.
  public private(set) var errors: ErrorGallery
  /// SHA-256 of the samples.
  public private(set) var dataHash = ""
  /// The time spent in recognition, in seconds.
  public private(set) var recognitionSeconds = 0.0

  package var latency = Histogram<UInt64>(
    highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
  private var hasher = DataHasher()
  private let knownLabels: Set<String>

  /// Makes an evaluation without samples.
  init(of recognizer: any Recognizer, keptErrors: Int = 0) {
    errors = ErrorGallery(limit: keptErrors)
    knownLabels = Set(recognizer.labels ?? [])
  }

  /// Recognises every record of the data.
  ///
  /// - Parameters:
  ///   - recognizer: Its labels are the classes.
  ///   - data: The data to recognise; the recogniser gets a record's writing area.
  ///   - keptErrors: The number of errors whose inks are kept for a report.
  ///   - progress: Called after every record with the number of records so far.
  ///   - keep: Called with the answer to each labelled record.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, or the error of `keep`.
  public init(
    _ recognizer: any Recognizer, on data: [DataSpecification], keptErrors: Int = 0,
    progress: (Int) -> Void = { _ in }, keep: ((Prediction) throws -> Void)? = nil
  ) throws {
    self.init(of: recognizer, keptErrors: keptErrors)
    for specification in data {
      for element in try specification.records() {
        switch element {
        case .success(let record):
          let candidates = add(record.labeled, recognizer)
          try keep?(
            Prediction(
              index: samples - 1, label: record.labeled.label,
              candidates: candidates.map { .init(text: $0.text, score: $0.score) }))
        case .failure: addMalformed()
        }
        progress(samples + malformed)
      }
    }
    finish()
  }

  /// Percentile of the latency in milliseconds, from raw points to calibrated candidates.
  public func latencyMilliseconds(at percentile: Double) -> Double? {
    guard samples > 0 else { return nil }
    return Double(latency.valueAtPercentile(percentile)) / 1e6
  }

  /// Inks recognised per second on one thread.
  public var samplesPerSecond: Double? {
    recognitionSeconds > 0 ? Double(samples) / recognitionSeconds : nil
  }

  /// Share of inks recognised within the first k candidates, 0 ... 1; nil without samples.
  public func accuracy(at k: Int) -> Double? { topK.accuracy(at: k) }

  /// 95 % interval of top-1, by resampling writers (Efron 1979).
  public func interval(seed: UInt64 = 1) -> BootstrapInterval? {
    var generator = SeededGenerator(seed: seed)
    return byWriter.interval(using: &generator)
  }

  /// Counts a record that could not be read.
  mutating func addMalformed() { malformed += 1 }

  /// Hashes the samples; nothing may be added afterwards.
  mutating func finish() { dataHash = hasher.finalize() }

  /// Recognises one ink, counts it, and returns the candidates, the best first.
  @discardableResult
  mutating func add(
    _ labeled: LabeledInk, _ recognizer: any Recognizer
  ) -> [RecognitionCandidate] {
    samples += 1
    hasher.update(with: labeled)
    if !knownLabels.contains(labeled.label) { unknown.add([labeled.label]) }
    let candidates = timed {
      try? recognizer.recognize(
        labeled.ink, context: RecognitionContext(writingArea: labeled.writingArea),
        maximumCandidates: 5
      ).candidates
    }
    let rank = candidates?.firstIndex { $0.text == labeled.label }
    topK.add(rank: rank)
    let best = candidates?.first
    if best == nil { rejected += 1 }
    let isCorrect = rank == 0
    calibration.add(confidence: best.map { exp($0.score) } ?? 0, isCorrect: isCorrect)
    coverage.add(confidence: best.map { exp($0.score) } ?? 0, isCorrect: isCorrect)
    confusion.add(label: labeled.label, predicted: best?.text)
    letters.add(reference: labeled.label, hypothesis: best?.text)
    byWriter.add(writer: labeled.writer, numerator: isCorrect ? 1 : 0)
    if !isCorrect { errors.add(labeled, candidates: candidates ?? []) }
    return candidates ?? []
  }

  private mutating func timed<Value>(_ body: () -> Value) -> Value {
    let start = ContinuousClock.now
    let value = body()
    let elapsed = ContinuousClock.now - start
    let nanoseconds =
      elapsed.components.seconds * 1_000_000_000 + elapsed.components.attoseconds / 1_000_000_000
    _ = latency.record(UInt64(max(0, nanoseconds)))
    recognitionSeconds += Double(nanoseconds) / 1e9
    return value
  }
}
