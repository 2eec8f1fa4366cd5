import Foundation
import Metrics

/// An optional that is encoded as null if it is nil, so that readers find every key.
@propertyWrapper
public struct OrNull<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// The value, or nil if it was not measured.
  public var wrappedValue: Value?

  /// Wraps a value.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Reads a value or null.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  /// Writes the value or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension KeyedDecodingContainer {
  /// Reads a value, null, or no key at all: files of earlier versions lack newer figures.
  func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
    try decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
  }
}

/// The figures of an evaluation, as the JSON of `ductus evaluate --json`. Rates are 0 … 1; null if
/// not measured.
package struct EvaluationSummary: Codable, Hashable, Sendable {
  /// Percentiles of one thread's latency in milliseconds.
  package struct Latency: Codable, Hashable, Sendable {
    /// The median.
    @OrNull package var p50: Double?
    /// 95 % of the calls took at most this.
    @OrNull package var p95: Double?
    /// 99 % of the calls took at most this.
    @OrNull package var p99: Double?
  }

  /// Mean milliseconds of the stages of reading a line.
  package struct Stages: Codable, Hashable, Sendable {
    /// From raw points to the network's input.
    package var features: Double
    /// The network.
    package var network: Double
    /// The search and the alignment of characters with ink.
    package var decoding: Double
  }

  /// The figures of one class.
  package struct LabelFigures: Codable, Hashable, Sendable {
    /// The true label.
    package var label: String
    /// The number of labelled records.
    package var samples: Int
    /// Share of its inks with a correct answer.
    @OrNull package var recall: Double?
    /// Share of the answers with this label that are correct.
    @OrNull package var precision: Double?

    package init(label: String, samples: Int, recall: Double? = nil, precision: Double? = nil) {
      self.label = label
      self.samples = samples
      self.recall = recall
      self.precision = precision
    }
  }

  /// A true label with a wrong answer.
  package struct Confusion: Codable, Hashable, Sendable {
    /// The true label.
    package var label: String
    /// The answer of the model.
    package var predicted: String
    /// The number of such errors.
    package var count: Int

    package init(label: String, predicted: String, count: Int) {
      self.label = label
      self.predicted = predicted
      self.count = count
    }
  }

  /// A point of the accuracy-coverage curve.
  package struct CoveragePoint: Codable, Hashable, Sendable {
    /// The lowest accepted confidence.
    package var threshold: Double
    /// Share of the inks that are accepted.
    package var coverage: Double
    /// Share of the accepted inks that are right.
    package var accuracy: Double
  }

  /// A 95 % interval by resampling writers; null if there are fewer than five writers, pages or
  /// inks to draw from, because such intervals are much too narrow.
  package struct Interval: Codable, Hashable, Sendable {
    /// The rate.
    package var estimate: Double
    /// Lower end.
    package var lower: Double
    /// Upper end.
    package var upper: Double
    /// Coverage of the interval.
    package var confidence: Double
  }

  /// The intervals of rates; null for rates without one, and with fewer than five ``clusters``.
  package struct Intervals: Codable, Hashable, Sendable {
    /// Share of inks whose best candidate is right.
    @OrNull package var top1: Interval?
    /// Character error rate.
    @OrNull package var cer: Interval?
    /// Word error rate.
    @OrNull package var wer: Interval?
  }

  /// Character error rates of the named writers; each writer counts once.
  package struct WriterSpread: Codable, Hashable, Sendable {
    /// The rate of the best-read writer.
    package var best: Double
    /// The median over the writers.
    package var median: Double
    /// The rate of the worst-read writer.
    package var worst: Double
  }

  /// The figures of pages.
  package struct Pages: Codable, Hashable, Sendable {
    /// The number of pages.
    package var pages: Int
    /// Character error rate of all text, regardless of the order of lines and blocks.
    @OrNull package var cer: Double?
    /// The characters of the labels, without line breaks.
    package var characters: Int
    /// The phrases: the lines of the labels.
    package var phrases: Int
    /// Share of the phrases that are read whole, within one line of the reading.
    @OrNull package var wholePhrases: Double?
    /// The number of pages whose strokes have kinds.
    package var pagesWithKinds: Int
    /// Share of their strokes that are taken for the right kind.
    @OrNull package var kindAccuracy: Double?
    /// The figures of each kind of stroke, in the order of `StrokeKind`; samples are strokes.
    package var kinds: [LabelFigures]
    /// The most frequent errors of kinds; a stroke without a kind is in none.
    package var kindConfusions: [Confusion]
  }

  /// Time and memory that an outside program needed.
  package struct Program: Codable, Hashable, Sendable {
    /// The time that an answer might take.
    package var timeLimitSeconds: Double
    /// Time from the program's start to its first answer, which is part of the latency of the first
    /// ink.
    @OrNull package var firstAnswerSeconds: Double?
    /// Processor time of all processes of the program.
    package var cpuSeconds: Double

    package init(timeLimitSeconds: Double, firstAnswerSeconds: Double?, cpuSeconds: Double) {
      self.timeLimitSeconds = timeLimitSeconds
      self.cpuSeconds = cpuSeconds
      self.firstAnswerSeconds = firstAnswerSeconds
    }
  }

  /// Edits of characters by kind.
  package struct Edits: Codable, Hashable, Sendable {
    /// Characters read as others.
    package var substitutions: Int
    /// Characters read but not written.
    package var insertions: Int
    /// Characters written but not read.
    package var deletions: Int
  }

  /// The path of the bundle.
  package var model: String
  /// The data, as named on the command line.
  package var data: [String]
  /// SHA-256 of the labelled records.
  package var dataHash: String
  /// The model's previous knowledge of this ink; null if its manifest does not mention it.
  @OrNull package var knownInk: KnownInk?
  /// The number of labelled records.
  package var samples: Int
  /// The number of inks without an answer.
  package var rejected: Int
  /// The number of records of the whole data, in any split, that could not be read; not part of the
  /// samples.
  package var malformed: Int
  /// The number of inks whose label the model does not have; for lines, those with such a
  /// character.
  package var unknownLabels: Int
  /// True if each line was read with the readings of the previous lines on its page as pre-context;
  /// null for glyphs.
  @OrNull package var runningText: Bool?
  /// Share of inks whose best candidate is right.
  @OrNull package var top1: Double?
  /// Share of inks with the label among the best three.
  @OrNull package var top3: Double?
  /// Share of inks with the label among the best five.
  @OrNull package var top5: Double?
  /// Character error rate; null for glyphs.
  @OrNull package var cer: Double?
  /// Word error rate; null for glyphs.
  @OrNull package var wer: Double?
  /// Word error rate if closing marks belong to the previous word; null for glyphs.
  @OrNull package var joinedWER: Double?
  /// The number of reference characters; null for glyphs.
  @OrNull package var characters: Int?
  /// The number of reference words; null for glyphs.
  @OrNull package var words: Int?
  /// Edits of characters; null for glyphs.
  @OrNull package var edits: Edits?
  /// The mean recall over the labels.
  @OrNull package var meanRecall: Double?
  /// Expected calibration error of top-1, or of the words of line models.
  @OrNull package var ece: Double?
  /// Expected calibration error of the texts of line models; null for glyphs.
  @OrNull package var textECE: Double?
  /// The figures of records that are pages; null if there are none.
  @OrNull package var pages: Pages?
  /// The spread of character error rates among writers; null for glyphs and without writers.
  @OrNull package var writerSpread: WriterSpread?
  /// Time from raw points to calibrated candidates, for one ink on one thread.
  package var latencyMs: Latency
  /// The mean times of the stages of reading a line; null for glyphs and without beam search.
  @OrNull package var stagesMs: Stages?
  /// The throughput on one thread.
  @OrNull package var samplesPerSecond: Double?
  /// The size of the bundle on disk; null for an outside program.
  @OrNull package var modelBytes: Int?
  /// Bytes of the language models; null if there are none.
  @OrNull package var languageBytes: Int?
  /// The peak memory of the process, or of the outside program.
  @OrNull package var peakResidentBytes: Int?
  /// The intervals of rates.
  package var intervals: Intervals
  /// The number of writers that the data names.
  package var writers: Int
  /// The number of resampled clusters: the writers, plus the pages or single inks without a writer.
  package var clusters: Int
  /// The figures of every label of the data.
  package var labels: [LabelFigures]
  /// The most frequent errors.
  package var confusions: [Confusion]
  /// The figures of the letters beyond a to z; null if no label has one.
  @OrNull package var letters: LetterFigures?
  /// The accuracy-coverage curve at 20 coverages.
  package var accuracyCoverage: [CoveragePoint]
  /// The point with the highest coverage at 99 % accuracy; null if no threshold reaches it.
  @OrNull package var coverageAt99: CoveragePoint?
  /// Character error rate of the best of ten candidates; null for glyphs.
  @OrNull package var nbestOracle: Double?
  /// Figures with parts of the information withheld, by ``LineAblation/figures``; null if not
  /// requested.
  @OrNull package var ablations: [String: Double]?
  /// Figures of the alignment of points with characters, by ``AlignmentEvaluation/figures``; null
  /// if not requested.
  @OrNull package var alignment: [String: Double]?
  /// Returns whether a figure of ``ablations`` or ``alignment`` is a count; all others are rates.
  package static func isCount(_ name: String) -> Bool { name.hasSuffix(".count") }
  /// Error rates on disturbed ink, by ``Robustness/figures``; null if not requested.
  @OrNull package var robustness: [String: Double]?
  /// Figures through the editor; null if not measured.
  @OrNull package var editor: [String: Double]?
  /// Time and memory that an outside program needed; null for a bundle.
  @OrNull package var program: Program?
  /// Figures of gestures; always null in this version.
  @OrNull package var gestures: [String: Double]?
}

extension EvaluationSummary.Interval {
  /// Makes the interval of a rate over a number of clusters; nil if there are too few.
  init?(_ interval: BootstrapInterval?, clusters: Int) {
    guard let interval, clusters >= ClusterText.fewest else { return nil }
    self.init(
      estimate: interval.estimate, lower: interval.lower, upper: interval.upper,
      confidence: interval.confidence)
  }
}

extension EvaluationSummary.CoveragePoint {
  init(_ point: AccuracyCoverageCurve.Point) {
    self.init(threshold: point.threshold, coverage: point.coverage, accuracy: point.accuracy)
  }
}

extension EvaluationSummary {
  /// A description of the resampled clusters.
  package var clusterText: String { ClusterText.text(writers: writers, clusters: clusters) }

  /// The reason why rates have no interval, such as `no interval: 1 writer`; nil if they have one,
  /// or nothing was scored.
  package var missingInterval: String? {
    (1..<ClusterText.fewest).contains(clusters) ? "no interval: \(clusterText)" : nil
  }

  /// Makes a summary without any measured figure.
  package init(
    model: String, data: [String], dataHash: String, samples: Int, modelBytes: Int?
  ) {
    self.model = model
    self.data = data
    self.dataHash = dataHash
    self.samples = samples
    self.modelBytes = modelBytes
    rejected = 0
    malformed = 0
    unknownLabels = 0
    latencyMs = Latency()
    intervals = Intervals()
    writers = 0
    clusters = 0
    labels = []
    confusions = []
    accuracyCoverage = []
  }

  /// Summarises what evaluations of all kinds of model have.
  init(_ totals: EvaluationTotals, model: String, data: [String], modelBytes: Int?) {
    self.init(
      model: model, data: data, dataHash: totals.dataHash, samples: totals.samples,
      modelBytes: modelBytes)
    rejected = totals.rejected
    malformed = totals.malformed
    unknownLabels = totals.unknown.inks
    ece = totals.calibration.value
    let latency = totals.latencyMilliseconds
    latencyMs = Latency(p50: latency?.p50, p95: latency?.p95, p99: latency?.p99)
    samplesPerSecond = totals.samplesPerSecond
    writers = totals.byWriter.byWriter.count
    clusters = totals.byWriter.clusterCount
    letters = LetterFigures(totals.letters)
    accuracyCoverage = totals.coverage.points(sampleCount: 20).map(CoveragePoint.init)
    coverageAt99 = totals.coverage.point(atAccuracy: 0.99).map(CoveragePoint.init)
  }

  /// Summarises an evaluation.
  ///
  /// - Parameters:
  ///   - evaluation: The figures.
  ///   - model: The path of the bundle.
  ///   - data: The data, as named on the command line.
  ///   - modelBytes: Bytes of the bundle on disk; nil for an outside program.
  ///   - peakResidentBytes: The peak memory of the process, or nil if it is not known.
  package init(
    _ evaluation: GlyphEvaluation, model: String, data: [String], modelBytes: Int?,
    peakResidentBytes: Int?
  ) {
    self.init(evaluation.totals, model: model, data: data, modelBytes: modelBytes)
    self.peakResidentBytes = peakResidentBytes
    top1 = evaluation.accuracy(at: 1)
    top3 = evaluation.accuracy(at: 3)
    top5 = evaluation.accuracy(at: 5)
    meanRecall = evaluation.confusion.meanRecall()
    intervals = Intervals(top1: Interval(evaluation.interval(), clusters: clusters))
    labels = evaluation.confusion.labelStatistics().map {
      LabelFigures(
        label: $0.label, samples: $0.count, recall: $0.recall, precision: $0.precision)
    }
    confusions = evaluation.confusion.mostConfused(limit: 20).map {
      Confusion(label: $0.label, predicted: $0.predicted, count: $0.count)
    }
  }
}
