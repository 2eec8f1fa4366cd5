/// A comparison as the JSON that `ductus compare --json` writes.
package struct ComparisonSummary: Codable, Hashable, Sendable {
  /// The reference model.
  package let first: EvaluationSummary
  /// The compared model.
  package let second: EvaluationSummary
  /// Every figure of either model.
  package let figures: [ComparedFigure]
  /// The number of inks that both models, one of them, or neither read correctly.
  package let answers: ComparedAnswers
  /// Labels of the data that a model does not know; all their inks are errors.
  package let unknownLabels: Unknown
  /// The number of clusters drawn for the intervals: writers, and pages or single inks of unknown
  /// writers.
  package let clusters: Int
  /// The number of writers among them.
  package let writers: Int
  /// The rules that the comparison broke, as given.
  package var broken: [String] = []

  /// Summarises a comparison.
  ///
  /// - Parameters:
  ///   - comparison: The source of the intervals.
  ///   - first: The summary of its first model.
  ///   - second: The summary of its second model.
  package init(
    _ comparison: ModelComparison<some Sendable>, first: EvaluationSummary,
    second: EvaluationSummary
  ) {
    (self.first, self.second) = (first, second)
    answers = comparison.answers
    unknownLabels = comparison.unknownLabels
    let rates = comparison.differences.values
    clusters = rates.map(\.clusterCount).max() ?? 0
    writers = rates.map(\.byWriter.count).max() ?? 0
    let clusters = clusters
    figures = ComparedFigure.definitions.compactMap { figure in
      let (one, other) = (figure.value(first), figure.value(second))
      guard one != nil || other != nil else { return nil }
      return ComparedFigure(
        name: figure.name, unit: figure.unit, first: one, second: other,
        difference: one.flatMap { one in other.map { $0 - one } },
        interval: EvaluationSummary.Interval(
          comparison.interval(of: figure.name), clusters: clusters))
    }
  }

  /// The main figure for choosing between models of this kind: top-1, or the character error rate.
  package var main: ComparedFigure? { figures.first { $0.name == "top1" || $0.name == "cer" } }

  /// The verdict on the second model by the interval of the main figure; nil if there is no
  /// interval or there are too few clusters for it.
  package var verdict: Verdict? {
    guard let interval = main?.interval, let main else { return nil }
    if interval.lower <= 0, interval.upper >= 0 { return .unclear }
    return (interval.lower > 0) == (main.name == "top1") ? .better : .worse
  }

  /// The reason why there is no verdict, such as `too few writers for a verdict: 1 writer`; nil if
  /// there is one, or nothing to compare.
  package var missingVerdict: String? {
    guard verdict == nil, main?.difference != nil, clusters > 0 else { return nil }
    return "too few writers for a verdict: \(clusterText)"
  }

  /// Warnings that a model knows the ink, with the letters of the models.
  package var knownTexts: [String] {
    [("A", first), ("B", second)].compactMap { letter, summary in
      summary.knownInk.map { "\(letter): \($0.text)" }
    }
  }

  /// A description of the resampled clusters.
  package var clusterText: String { ClusterText.text(writers: writers, clusters: clusters) }

  /// The relation of the second model to the first.
  package enum Verdict: Hashable, Sendable {
    /// The whole interval is on the better side.
    case better
    /// The whole interval is on the worse side.
    case worse
    /// The interval contains both.
    case unclear

    /// A description with the letters of the models.
    package var text: String {
      switch self {
      case .better: "B is better"
      case .worse: "B is worse"
      case .unclear: "no clear difference"
      }
    }
  }
}
