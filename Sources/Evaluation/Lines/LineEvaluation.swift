import Foundation
import Histogram
import InkCore
import InkDatasets
import InkFormats
import LanguageModels
import Metrics
import Recognition

/// The figures of a line recogniser on labelled ink, one ink at a time on one thread.
///
/// Every labelled record counts: a refused ink counts as an empty text. References are normalised
/// by `TextErrorRate.reference`, without the crossed-out ink of IAM-OnDB. Memory does not grow with
/// the ink.
public struct LineEvaluation: Sendable {
  /// The decoding of texts.
  public enum Reading: Hashable, Sendable {
    /// Greedy decoding: the best class of each time step.
    case greedy
    /// Beam search, with the recogniser's language model if it has one.
    case beam
  }

  /// True if each line was read with the readings of the previous lines on its page as pre-context.
  public private(set) var isRunningText = false
  /// The number of labelled records.
  public private(set) var samples = 0
  /// The number of labelled records that were refused or have no candidate.
  public private(set) var rejected = 0
  /// The number of records that could not be read; not part of the samples.
  public private(set) var malformed = 0
  /// Characters of references that the model does not have; no reading of them is correct.
  public private(set) var unknown = UnknownLabels()
  /// Character and word errors of the best candidates.
  public private(set) var errors = TextErrorRate()
  /// The letters beyond a to z.
  public private(set) var letters = LetterScores()
  /// Character edits of the best of all candidates; nil when reading greedily.
  public private(set) var oracle: EditDistance?
  /// The calibration of the confidences of words.
  public private(set) var calibration = ExpectedCalibrationError()
  /// The calibration of the best candidates' probabilities for the whole text.
  public private(set) var textCalibration = ExpectedCalibrationError()
  /// Accuracy of the most confident part of the words.
  public private(set) var coverage = AccuracyCoverageCurve()
  /// Character edits by writer.
  public private(set) var byWriter = ClusteredRate()
  /// Word edits by writer.
  public private(set) var wordsByWriter = ClusteredRate()
  /// SHA-256 of the samples.
  public private(set) var dataHash = ""
  /// The time spent in recognition, in seconds.
  public private(set) var recognitionSeconds = 0.0
  /// The lines with the most edits, worst first.
  public private(set) var worst: [Misreading] = []

  /// A line that was read wrongly.
  public struct Misreading: Hashable, Sendable {
    /// The ink.
    public var ink: Ink
    /// The reference text.
    public var reference: String
    /// The text that was read.
    public var hypothesis: String
    /// Character edits.
    public var edits: Int
  }

  /// The number of misreadings to keep.
  public static let worstCount = 40

  /// The time spent in each stage of recognition, in seconds: features, network, decoding.
  public private(set) var stageSeconds = (features: 0.0, network: 0.0, decoding: 0.0)

  package var latency = Histogram<UInt64>(
    highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
  private var hasher = DataHasher()
  private let reading: Reading
  private let layout: InkLayout
  private let knownLabels: Set<String>

  /// Begins without samples.
  init(of recognizer: LineRecognizer, reading: Reading, layout: InkLayout = .auto) {
    self.reading = reading
    self.layout = layout
    knownLabels = Set(recognizer.model.labels)
    if reading == .beam { oracle = EditDistance() }
  }

  /// Reads every record of the data.
  ///
  /// - Parameters:
  ///   - recognizer: Reads the ink.
  ///   - data: Labelled lines or pages.
  ///   - reading: Whether the search or the network alone reads.
  ///   - layout: Whether an ink is a line or a page.
  ///   - isRunningText: Whether each line is read behind what was read of those before it on
  ///   its page, as a program reads them as they are written. The search alone uses it.
  ///   - progress: Called after every record with the number of records so far.
  ///   - keep: Called with the answer to each labelled record.
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened, or the error of `keep`.
  public init(
    _ recognizer: LineRecognizer, on data: [DataSpecification], reading: Reading,
    layout: InkLayout = .auto, isRunningText: Bool = false, progress: (Int) -> Void = { _ in },
    keep: ((Prediction) throws -> Void)? = nil
  ) throws {
    self.init(of: recognizer, reading: reading, layout: layout)
    self.isRunningText = isRunningText
    for specification in data {
      var text = RunningText()
      for element in try specification.records() {
        switch element {
        case .success(let record):
          let before = isRunningText ? text.before(on: record.page ?? record.source) : ""
          let line = add(record, of: specification.format, behind: before, recognizer)
          text.append(line.hypothesis)
          try keep?(
            Prediction(
              index: samples - 1, label: line.reference, candidates: line.candidates,
              language: line.language))
        case .failure: addMalformed()
        }
        progress(samples + malformed)
      }
    }
    finish()
  }

  /// Percentile of the latency in milliseconds, from raw points to candidates.
  public func latencyMilliseconds(at percentile: Double) -> Double? {
    guard samples > 0 else { return nil }
    return Double(latency.valueAtPercentile(percentile)) / 1e6
  }

  /// Lines recognised per second on one thread.
  public var samplesPerSecond: Double? {
    recognitionSeconds > 0 ? Double(samples) / recognitionSeconds : nil
  }

  /// 95 % interval of the character error rate, by resampling writers (Efron 1979).
  public func characterInterval(seed: UInt64 = 1) -> BootstrapInterval? {
    var generator = SeededGenerator(seed: seed)
    return byWriter.interval(using: &generator)
  }

  /// 95 % interval of the word error rate, by resampling writers.
  public func wordInterval(seed: UInt64 = 1) -> BootstrapInterval? {
    var generator = SeededGenerator(seed: seed)
    return wordsByWriter.interval(using: &generator)
  }

  /// The result for one line.
  struct Line {
    /// The reference text in the form that is compared.
    var reference: String
    /// The text that was read; nil if there was no answer.
    var hypothesis: String?
    /// The edits.
    var errors = TextErrorRate()
    /// All candidates, the best first.
    var candidates: [Prediction.Candidate] = []
    /// The language in which the line was read, if the recogniser has one.
    var language: String?
  }

  /// Counts a record that could not be read.
  mutating func addMalformed() { malformed += 1 }

  /// Hashes the samples; nothing may be added afterwards.
  mutating func finish() { dataHash = hasher.finalize() }

  /// Reads one line and counts it.
  ///
  /// - Parameter preContext: The text before the ink.
  @discardableResult
  mutating func add(
    _ record: InkRecord, of format: DataFormat, behind preContext: String = "",
    _ recognizer: LineRecognizer
  ) -> Line {
    let labeled = record.labeled
    // The rules of a language change both texts in the same way.
    let rules = recognizer.rules
    let label = TextErrorRate.reference(labeled.label, without: format.crossedOutMarks)
    let reference = rules?.normalized(label) ?? label
    samples += 1
    hasher.update(with: labeled)
    unknown.add(Set(reference.map(String.init)).subtracting(knownLabels))
    var timings = LineTimings()
    let read = timed { [reading, layout] in
      Self.read(labeled, behind: preContext, recognizer, reading, layout, &timings)
    }
    let candidates = read?.candidates.map { candidate in
      var candidate = candidate
      candidate.text = rules?.normalized(candidate.text) ?? candidate.text
      return candidate
    }
    stageSeconds.features += timings.features / .seconds(1)
    stageSeconds.network += timings.network / .seconds(1)
    stageSeconds.decoding += timings.decoding / .seconds(1)
    if candidates?.isEmpty != false { rejected += 1 }
    let best = candidates?.first
    var line = Line(reference: reference, hypothesis: best?.text, language: read?.language)
    line.candidates = (candidates ?? []).map {
      .init(text: $0.text, score: reading == .greedy ? nil : $0.score)
    }
    line.errors.add(reference: reference, hypothesis: best?.text)
    errors.merge(line.errors)
    letters.add(reference: reference, hypothesis: best?.text)
    let (characters, words) = (line.errors.characters, line.errors.words)
    byWriter.add(
      writer: labeled.writer, page: record.page, numerator: Double(characters.total),
      denominator: Double(characters.referenceCount))
    wordsByWriter.add(
      writer: labeled.writer, page: record.page, numerator: Double(words.total),
      denominator: Double(words.referenceCount))
    if reading == .beam {
      addOracle(reference, candidates ?? [], characters)
      addConfidences(reference, best, isRight: characters.total == 0)
    }
    keep(labeled.ink, reference, best?.text ?? "", edits: characters.total)
    return line
  }

  private static func read(
    _ labeled: LabeledInk, behind preContext: String, _ recognizer: LineRecognizer,
    _ reading: Reading, _ layout: InkLayout, _ timings: inout LineTimings
  ) -> RecognitionResult? {
    let context = RecognitionContext(
      preContext: preContext, writingArea: labeled.writingArea, layout: layout)
    switch reading {
    case .greedy:
      return (try? recognizer.readGreedily(labeled.ink, context: context)).map {
        RecognitionResult(candidates: [RecognitionCandidate(text: $0, score: 0)])
      }
    case .beam:
      return try? recognizer.recognize(
        labeled.ink, context: context, maximumCandidates: 10, timings: &timings)
    }
  }

  private mutating func addOracle(
    _ reference: String, _ candidates: [RecognitionCandidate], _ best: EditDistance
  ) {
    var least = best
    for candidate in candidates.dropFirst() where least.total > 0 {
      let edits = EditDistance(
        reference: TextErrorRate.reference(reference, without: []),
        hypothesis: TextErrorRate.reference(candidate.text, without: []))
      if edits.total < least.total { least = edits }
    }
    oracle? += least
  }

  /// A word is correct if an alignment of all words with the fewest edits keeps it.
  private mutating func addConfidences(
    _ reference: String, _ best: RecognitionCandidate?, isRight: Bool
  ) {
    guard let best else { return }
    textCalibration.add(confidence: exp(best.score), isCorrect: isRight)
    let kept = WordAlignment.kept(
      reference: reference.split(separator: " ").map(String.init),
      hypothesis: best.words.map(\.text))
    for (word, isKept) in zip(best.words, kept) {
      calibration.add(confidence: word.confidence, isCorrect: isKept)
      coverage.add(confidence: word.confidence, isCorrect: isKept)
    }
  }

  private mutating func keep(
    _ ink: Ink, _ reference: String, _ hypothesis: String, edits: Int
  ) {
    guard edits > 0, worst.count < Self.worstCount || edits > (worst.last?.edits ?? 0) else {
      return
    }
    let place = worst.firstIndex { $0.edits < edits } ?? worst.count
    worst.insert(
      Misreading(ink: ink, reference: reference, hypothesis: hypothesis, edits: edits), at: place)
    if worst.count > Self.worstCount { worst.removeLast() }
  }

  private mutating func timed<Value>(_ body: () -> Value) -> Value {
    let start = ContinuousClock.now
    let value = body()
    let nanoseconds = (ContinuousClock.now - start) / .nanoseconds(1)
    _ = latency.record(UInt64(max(0, nanoseconds)))
    recognitionSeconds += nanoseconds / 1e9
    return value
  }
}
