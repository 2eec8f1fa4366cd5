/// A figure of two models.
package struct ComparedFigure: Codable, Hashable, Sendable {
  /// The unit of a figure.
  package enum Unit: String, Codable, Hashable, Sendable {
    /// A share, mostly 0 … 1.
    case rate
    /// Milliseconds.
    case milliseconds
    /// Inks per second.
    case perSecond
    /// Bytes.
    case bytes
    /// A number of inks.
    case count
  }

  /// The name of the figure in the JSON of evaluations, with dots between names.
  package let name: String
  /// The unit.
  package let unit: Unit
  /// The value of the first model; null if it was not measured.
  @OrNull package var first: Double?
  /// The value of the second model; null if it was not measured.
  @OrNull package var second: Double?
  /// The second minus the first; null if either was not measured.
  @OrNull package var difference: Double?
  /// 95 % interval of the difference by resampling writers; null for figures that are not means,
  /// and with fewer than five writers, pages or inks to draw from.
  @OrNull package var interval: EvaluationSummary.Interval?

  /// The display name.
  package var title: String { Self.definitions.first { $0.name == name }?.title ?? name }

  /// The names of all figures.
  package static var names: [String] { definitions.map(\.name) }

  /// The names of the figures of these models.
  package static func names(of subject: Subject) -> [String] {
    definitions.filter { !$0.lacking.contains(subject) }.map(\.name)
  }

  /// The figures that models are compared by, in display order.
  static let definitions: [Definition] = [
    Definition("top1", "Top-1", .rate, lacking: [.lines, .greedyLines]) { $0.top1 },
    Definition("top3", "Top-3", .rate, lacking: [.lines, .greedyLines]) { $0.top3 },
    Definition("top5", "Top-5", .rate, lacking: [.lines, .greedyLines]) { $0.top5 },
    Definition("meanRecall", "Mean recall", .rate, lacking: [.lines, .greedyLines]) {
      $0.meanRecall
    },
    Definition("cer", "Character errors", .rate, lacking: [.glyphs]) { $0.cer },
    Definition("wer", "Word errors", .rate, lacking: [.glyphs]) { $0.wer },
    Definition("joinedWER", "Word errors, marks joined", .rate, lacking: [.glyphs]) {
      $0.joinedWER
    },
    Definition("nbestOracle", "Best of ten", .rate, lacking: [.glyphs, .greedyLines]) {
      $0.nbestOracle
    },
    Definition("ece", "Calibration error", .rate, lacking: [.greedyLines]) { $0.ece },
    Definition("textECE", "Calibration error of texts", .rate, lacking: [.glyphs, .greedyLines]) {
      $0.textECE
    },
    Definition("rejected", "Without an answer", .count) { Double($0.rejected) },
    Definition("latencyMs.p50", "Latency p50", .milliseconds) { $0.latencyMs.p50 },
    Definition("latencyMs.p95", "Latency p95", .milliseconds) { $0.latencyMs.p95 },
    Definition("latencyMs.p99", "Latency p99", .milliseconds) { $0.latencyMs.p99 },
    Definition("samplesPerSecond", "Inks/s on one thread", .perSecond) { $0.samplesPerSecond },
    Definition("modelBytes", "Model", .bytes) { $0.modelBytes.map(Double.init) },
    Definition("languageBytes", "Language model", .bytes, lacking: [.glyphs, .greedyLines]) {
      $0.languageBytes.map(Double.init)
    },
  ]

  /// The kind of the compared models.
  package enum Subject: Hashable, Sendable {
    /// Glyph models.
    case glyphs
    /// Line models.
    case lines
    /// Line models without beam search.
    case greedyLines
  }

  /// The definition of a figure, with its place in an evaluation.
  struct Definition: Sendable {
    let name: String
    let title: String
    let unit: Unit
    /// The models without this figure.
    let lacking: Set<Subject>
    let value: @Sendable (EvaluationSummary) -> Double?

    init(
      _ name: String, _ title: String, _ unit: Unit, lacking: Set<Subject> = [],
      _ value: @escaping @Sendable (EvaluationSummary) -> Double?
    ) {
      (self.name, self.title, self.unit, self.value) = (name, title, unit, value)
      self.lacking = lacking
    }
  }
}
