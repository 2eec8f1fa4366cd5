import Evaluation
import Metrics

extension EvaluationReport {
  /// Rows of the classes: labels that have inks, the worst recall first.
  var classValues: [String: Any] {
    let statistics = evaluation.confusion.labelStatistics().filter { $0.count > 0 }
      .sorted { ($0.recall ?? 0, $1.count, $0.label) < ($1.recall ?? 0, $0.count, $1.label) }
    let readAs = mostFrequentErrors()
    return FoldedRows.values(statistics, names: ("classes", "moreClasses")) { one in
      [
        "label": ReportText.label(one.label), "support": CountText.count(one.count),
        "recall": ReportText.percent(one.recall), "recallShare": ReportText.share(one.recall),
        "precision": ReportText.percent(one.precision),
        "precisionShare": ReportText.share(one.precision),
        "readAs": (readAs[one.label] ?? []).map {
          ["label": ReportText.label($0.predicted), "count": CountText.count($0.count)]
        },
      ]
    }
  }

  /// Up to four of the labels that each label was most often taken for.
  private func mostFrequentErrors() -> [String: [ConfusionMatrix.Pair]] {
    var byLabel: [String: [ConfusionMatrix.Pair]] = [:]
    for pair in evaluation.confusion.mostConfused(limit: .max)
    where byLabel[pair.label, default: []].count < 4 {
      byLabel[pair.label, default: []].append(pair)
    }
    return byLabel
  }
}
