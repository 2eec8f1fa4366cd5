import Metrics

extension EvaluationReport {
  /// Rows of the classes: labels that have inks, the worst recall first.
  var classValues: [String: Any] {
    let statistics = evaluation.confusion.labelStatistics().filter { $0.count > 0 }
      .sorted { ($0.recall ?? 0, $1.count, $0.label) < ($1.recall ?? 0, $0.count, $1.label) }
    let readAs = mostFrequentErrors()
    return split(statistics, names: ("classes", "moreClasses")) { one in
      [
        "label": ReportText.label(one.label), "support": ReportText.count(one.count),
        "recall": ReportText.percent(one.recall), "recallShare": Self.share(one.recall),
        "precision": ReportText.percent(one.precision),
        "precisionShare": Self.share(one.precision),
        "readAs": (readAs[one.label] ?? []).map {
          ["label": ReportText.label($0.predicted), "count": ReportText.count($0.count)]
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

  /// Rows of the writers, the worst first, and how far they lie apart.
  var writerValues: [String: Any] {
    let figures = evaluation.writerFigures()
    guard !figures.isEmpty else { return ["hasWriters": false] }
    var values = split(figures, names: ("writers", "moreWriters")) { one in
      [
        "writer": ReportText.label(one.writer), "samples": ReportText.count(one.samples),
        "errors": ReportText.count(one.samples - one.correct),
        "accuracy": ReportText.percent(one.accuracy), "share": Self.share(one.accuracy),
      ]
    }
    func quantile(_ share: Double) -> String {
      ReportText.percent(figures[Int((share * Double(figures.count - 1)).rounded())].accuracy)
    }
    let spread = [
      ("Writers", ReportText.count(figures.count)), ("Lowest", quantile(0)),
      ("10th percentile", quantile(0.1)), ("Median", quantile(0.5)),
      ("90th percentile", quantile(0.9)), ("Highest", quantile(1)),
    ]
    values["hasWriters"] = true
    values["spread"] = spread.map { ["name": $0, "value": $1] }
    values["writerNote"] =
      "A mark for each writer, larger with more inks. The dashed line is the accuracy on all inks."
    return values
  }

  /// Rows that are open, rows that unfold, and the number of those that are left out.
  private func split<Row>(
    _ rows: [Row], names: (open: String, more: String), _ values: (Row) -> [String: Any]
  ) -> [String: Any] {
    // A few rows more are not worth a fold.
    let open = rows.count <= Self.openRows + 10 ? rows.count : Self.openRows
    var result: [String: Any] = [names.open: [["rows": rows.prefix(open).map(values)]]]
    let folded = rows.dropFirst(open).prefix(Self.mostRows - open)
    guard !folded.isEmpty else { return result }
    var more: [String: Any] = [
      "count": ReportText.count(folded.count), "rows": folded.map(values),
    ]
    let omitted = rows.count - open - folded.count
    if omitted > 0 { more["omitted"] = ReportText.count(omitted) }
    result[names.more] = more
    return result
  }
}
