import InkDatasets

/// The distributions of a dataset as SVG.
struct DatasetCharts {
  let summary: DatasetSummary

  /// Name, drawing and note of each chart that has anything to show.
  var values: [[String: String]] {
    [
      chart(
        "Points per record", summary.pointCounts, xName: "points",
        note: range(summary.fewestPoints, summary.medianPoints, summary.mostPoints)),
      chart("Strokes per record", summary.strokeCounts, xName: "strokes", note: ""),
      chart(
        "Sampling rate", summary.rates, xName: "points per second",
        note: "Points per second while the pen is down; steps of no time do not count."),
      chart(
        "Records per class", Self.sizes(summary.classes), xName: "records", noun: "class",
        note: ""),
      chart(
        "Records per writer", Self.sizes(summary.writers), xName: "records", noun: "writer",
        note: ""),
    ].compactMap(\.self)
  }

  private func chart(
    _ name: String, _ counts: [Int: Int], xName: String, noun: String = "record", note: String
  ) -> [String: String]? {
    let columns = HistogramChart.columns(of: counts)
    guard let first = columns.first, let last = columns.last else { return nil }
    let drawing = HistogramChart(
      columns: columns, range: first.from...last.to, noun: noun,
      xName: xName, text: { ReportText.count(Int($0.rounded())) })
    return ["name": name, "chart": drawing.svg, "note": note]
  }

  private func range(_ fewest: Int?, _ median: Int?, _ most: Int?) -> String {
    guard let fewest, let median, let most else { return "" }
    return "\(ReportText.count(fewest)) least, \(ReportText.count(median)) median, "
      + "\(ReportText.count(most)) most."
  }

  private static func sizes(_ counts: [String: Int]) -> [Int: Int] {
    var sizes: [Int: Int] = [:]
    for count in counts.values { sizes[count, default: 0] += 1 }
    return sizes
  }
}
