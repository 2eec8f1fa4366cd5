import Foundation
import Metrics

/// An optional that is written as null where it is nil, so that a reader finds every key.
@propertyWrapper
public struct OrNull<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// The value, or nil where it was not measured.
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

/// The figures of an evaluation as the JSON that `ductus evaluate --json` writes. Rates are 0 … 1;
/// what was not measured is null.
public struct EvaluationSummary: Codable, Hashable, Sendable {
  /// Percentiles of one thread's latency in milliseconds.
  public struct Latency: Codable, Hashable, Sendable {
    /// The median.
    @OrNull public var p50: Double?
    /// 95 of 100 calls took at most this.
    @OrNull public var p95: Double?
    /// 99 of 100 calls took at most this.
    @OrNull public var p99: Double?
  }

  /// Mean milliseconds of the stages of reading a line.
  public struct Stages: Codable, Hashable, Sendable {
    /// From raw points to the network's input.
    public var features: Double
    /// The network.
    public var network: Double
    /// The search and the ink of every character.
    public var decoding: Double
  }

  /// One class.
  public struct LabelFigures: Codable, Hashable, Sendable {
    /// The true label.
    public var label: String
    /// Labelled records.
    public var samples: Int
    /// Share of its inks that are recognised.
    @OrNull public var recall: Double?
    /// Share of the answers of this label that are right.
    @OrNull public var precision: Double?
  }

  /// One kind of error.
  public struct Confusion: Codable, Hashable, Sendable {
    /// The true label.
    public var label: String
    /// What the model says.
    public var predicted: String
    /// How often.
    public var count: Int
  }

  /// A point of the accuracy-coverage curve.
  public struct CoveragePoint: Codable, Hashable, Sendable {
    /// Least confidence that is accepted.
    public var threshold: Double
    /// Share of the inks that are accepted.
    public var coverage: Double
    /// Share of the accepted inks that are right.
    public var accuracy: Double
  }

  /// A 95 % interval by resampling writers; null where there are fewer than five writers, pages or
  /// inks to draw from: intervals over so few are much too narrow.
  public struct Interval: Codable, Hashable, Sendable {
    /// The rate.
    public var estimate: Double
    /// Lower end.
    public var lower: Double
    /// Upper end.
    public var upper: Double
    /// Coverage of the interval.
    public var confidence: Double
  }

  /// Intervals of the rates that have one: null for other rates, and with fewer than five ``clusters``.
  public struct Intervals: Codable, Hashable, Sendable {
    /// Share of inks whose best candidate is right.
    @OrNull public var top1: Interval?
    /// Character error rate.
    @OrNull public var cer: Interval?
    /// Word error rate.
    @OrNull public var wer: Interval?
  }

  /// Character error rates of the writers that the data names, each writer one.
  public struct WriterSpread: Codable, Hashable, Sendable {
    /// The writer that is read best.
    public var best: Double
    /// Half of the writers are read better.
    public var median: Double
    /// The writer that is read worst.
    public var worst: Double
  }

  /// Edits of characters by kind.
  public struct Edits: Codable, Hashable, Sendable {
    /// Characters taken for others.
    public var substitutions: Int
    /// Characters read that were not written.
    public var insertions: Int
    /// Characters written that were not read.
    public var deletions: Int
  }

  /// The bundle.
  public var model: String
  /// The data as it was named.
  public var data: [String]
  /// SHA-256 of the labelled records.
  public var dataHash: String
  /// What the model knows of this ink already; null where its manifest tells nothing of it.
  @OrNull public var knownInk: KnownInk?
  /// Labelled records.
  public var samples: Int
  /// Inks without an answer.
  public var rejected: Int
  /// Records of the whole data that could not be read, whatever part is named; not among the samples.
  public var malformed: Int
  /// Inks whose label the model does not have; of lines, those with such a character.
  public var unknownLabels: Int
  /// Whether each line was read behind what was read of those before it on its page; null for glyphs.
  @OrNull public var runningText: Bool?
  /// Share of inks whose best candidate is right.
  @OrNull public var top1: Double?
  /// Share of inks with the label among the best three.
  @OrNull public var top3: Double?
  /// Share of inks with the label among the best five.
  @OrNull public var top5: Double?
  /// Character error rate; null for glyphs.
  @OrNull public var cer: Double?
  /// Word error rate; null for glyphs.
  @OrNull public var wer: Double?
  /// Word error rate where closing marks belong to the word before them; null for glyphs.
  @OrNull public var joinedWER: Double?
  /// Reference characters; null for glyphs.
  @OrNull public var characters: Int?
  /// Reference words; null for glyphs.
  @OrNull public var words: Int?
  /// Edits of characters; null for glyphs.
  @OrNull public var edits: Edits?
  /// Mean of the recalls of the labels.
  @OrNull public var meanRecall: Double?
  /// Expected calibration error of top-1, or of the words of line models.
  @OrNull public var ece: Double?
  /// Expected calibration error of the texts of line models; null for glyphs.
  @OrNull public var textECE: Double?
  /// How the character errors of writers differ; null for glyphs and without writers.
  @OrNull public var writerSpread: WriterSpread?
  /// Raw points to calibrated candidates, one thread, one ink.
  public var latencyMs: Latency
  /// What the latency of lines is made of, on average; null for glyphs and without the search.
  @OrNull public var stagesMs: Stages?
  /// On one thread.
  @OrNull public var samplesPerSecond: Double?
  /// The bundle on disk.
  public var modelBytes: Int
  /// Bytes of the language models; null where there are none.
  @OrNull public var languageBytes: Int?
  /// Largest memory of the process.
  @OrNull public var peakResidentBytes: Int?
  /// Intervals of rates.
  public var intervals: Intervals
  /// Different writers that the data names.
  public var writers: Int
  /// What intervals are over: the writers, and the pages or else the inks without one.
  public var clusters: Int
  /// Every label of the data.
  public var labels: [LabelFigures]
  /// The most frequent errors.
  public var confusions: [Confusion]
  /// The accuracy-coverage curve at 20 coverages.
  public var accuracyCoverage: [CoveragePoint]
  /// The most answers that can be accepted with 99 of 100 right; null where no threshold does it.
  @OrNull public var coverageAt99: CoveragePoint?
  /// Character error rate of the best of ten candidates; null for glyphs.
  @OrNull public var nbestOracle: Double?
  /// Figures with parts of what is known withheld, by ``LineAblation/figures``; null where that was
  /// not asked for.
  @OrNull public var ablations: [String: Double]?
  /// Which points make which character, by ``AlignmentEvaluation/figures``; null where that was not
  /// asked for.
  @OrNull public var alignment: [String: Double]?
  /// Whether a figure of ``ablations`` or ``alignment`` is a number of things, where others are rates.
  public static func isCount(_ name: String) -> Bool { name.hasSuffix(".count") }
  /// Error rates on disturbed ink, by ``Robustness/figures``; null where that was not asked for.
  @OrNull public var robustness: [String: Double]?
  /// Figures through the editor; null where ink did not go through it.
  @OrNull public var editor: [String: Double]?
  /// Figures of gestures; null: not measured by this version.
  @OrNull public var gestures: [String: Double]?
}

extension EvaluationSummary.Interval {
  /// Of a rate over so many clusters; nil where they are too few for one.
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
  /// What intervals are over, in words.
  public var clusterText: String { ClusterText.text(writers: writers, clusters: clusters) }

  /// Why rates have no interval: `no interval: 1 writer`; nil where they have one, or nothing was scored.
  public var missingInterval: String? {
    (1..<ClusterText.fewest).contains(clusters) ? "no interval: \(clusterText)" : nil
  }

  /// A summary in which nothing was measured yet.
  package init(
    model: String, data: [String], dataHash: String, samples: Int, modelBytes: Int
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

  /// Summarises an evaluation.
  ///
  /// - Parameters:
  ///   - evaluation: The figures.
  ///   - model: The bundle's path.
  ///   - data: The data as it was named.
  ///   - modelBytes: Bytes of the bundle on disk.
  ///   - peakResidentBytes: The process's largest memory, or nil where it is not known.
  public init(
    _ evaluation: GlyphEvaluation, model: String, data: [String], modelBytes: Int,
    peakResidentBytes: Int?
  ) {
    self.init(
      model: model, data: data, dataHash: evaluation.dataHash, samples: evaluation.samples,
      modelBytes: modelBytes)
    self.peakResidentBytes = peakResidentBytes
    rejected = evaluation.rejected
    malformed = evaluation.malformed
    unknownLabels = evaluation.unknown.inks
    top1 = evaluation.accuracy(at: 1)
    top3 = evaluation.accuracy(at: 3)
    top5 = evaluation.accuracy(at: 5)
    meanRecall = evaluation.confusion.meanRecall()
    ece = evaluation.calibration.value
    latencyMs = Latency(
      p50: evaluation.latencyMilliseconds(at: 50), p95: evaluation.latencyMilliseconds(at: 95),
      p99: evaluation.latencyMilliseconds(at: 99))
    samplesPerSecond = evaluation.samplesPerSecond
    writers = evaluation.byWriter.byWriter.count
    clusters = evaluation.byWriter.clusterCount
    intervals = Intervals(top1: Interval(evaluation.interval(), clusters: clusters))
    labels = evaluation.confusion.labelStatistics().map {
      LabelFigures(
        label: $0.label, samples: $0.count, recall: $0.recall, precision: $0.precision)
    }
    confusions = evaluation.confusion.mostConfused(limit: 20).map {
      Confusion(label: $0.label, predicted: $0.predicted, count: $0.count)
    }
    accuracyCoverage = evaluation.coverage.points(sampleCount: 20).map(CoveragePoint.init)
    coverageAt99 = evaluation.coverage.point(atAccuracy: 0.99).map(CoveragePoint.init)
  }
}
