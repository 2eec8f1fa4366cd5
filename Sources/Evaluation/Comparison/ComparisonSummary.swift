/// A comparison as the JSON that `ductus compare --json` writes.
public struct ComparisonSummary: Codable, Hashable, Sendable {
  /// The model that is compared with.
  public let first: EvaluationSummary
  /// The model that is compared.
  public let second: EvaluationSummary
  /// Every figure that one of the two has.
  public let figures: [ComparedFigure]
  /// Which model has which answers right.
  public let answers: ComparedAnswers
  /// Labels of the data that either model does not know: all their inks are errors.
  public let unknownLabels: Unknown
  /// What was drawn for the intervals: writers, and pages or single inks of unknown writers.
  public let clusters: Int
  /// How many of those are writers.
  public let writers: Int
  /// The rules that the comparison broke, as they were given.
  public var broken: [String] = []

  /// Summarises a comparison.
  ///
  /// - Parameters:
  ///   - comparison: Where intervals come from.
  ///   - first: Of the same comparison's first model.
  ///   - second: Of its second.
  public init(
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

  /// The figure that models of this kind are chosen by: top-1, or the character error rate.
  public var main: ComparedFigure? { figures.first { $0.name == "top1" || $0.name == "cer" } }

  /// What the interval of the main figure says of the second model; nil where there is none, or where
  /// so few clusters were drawn from that it says nothing.
  public var verdict: Verdict? {
    guard let interval = main?.interval, let main else { return nil }
    if interval.lower <= 0, interval.upper >= 0 { return .unclear }
    return (interval.lower > 0) == (main.name == "top1") ? .better : .worse
  }

  /// Why there is no verdict: `too few writers for a verdict: 1 writer`; nil where there is one, or
  /// nothing to compare.
  public var missingVerdict: String? {
    guard verdict == nil, main?.difference != nil, clusters > 0 else { return nil }
    return "too few writers for a verdict: \(clusterText)"
  }

  /// What either model knows of the ink already, in words, with the models' letters.
  public var knownTexts: [String] {
    [("A", first), ("B", second)].compactMap { letter, summary in
      summary.knownInk.map { "\(letter): \($0.text)" }
    }
  }

  /// What intervals are over, in words.
  public var clusterText: String { ClusterText.text(writers: writers, clusters: clusters) }

  /// Whether the second model is better than the first.
  public enum Verdict: Hashable, Sendable {
    /// The interval says so.
    case better
    /// The interval says the opposite.
    case worse
    /// The interval holds both.
    case unclear

    /// In words, with the models' letters.
    public var text: String {
      switch self {
      case .better: "B is better"
      case .worse: "B is worse"
      case .unclear: "no clear difference"
      }
    }
  }
}
