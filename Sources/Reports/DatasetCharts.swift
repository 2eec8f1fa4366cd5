import Evaluation
import InkDatasets

/// The distributions of a dataset as SVG.
struct DatasetCharts {
  let summary: DatasetSummary

  /// With fewer classes than this their sizes are seen beside their drawings.
  private static let fewClasses = 20

  /// Name, drawing and note of each chart that has anything to show.
  var values: [[String: String]] {
    var charts = [
      chart(
        "Points per record", summary.pointCounts, xName: "points",
        note: range(summary.fewestPoints, summary.medianPoints, summary.mostPoints)),
      chart("Strokes per record", summary.strokeCounts, xName: "strokes"),
      chart(
        "Sampling rate", summary.rates, xName: "points per second",
        note: "Points per second while the pen is down; steps of no time do not count."),
      chart(
        "Records per writer", Self.sizes(summary.writers), xName: "records", counted: "writers"),
    ]
    if summary.classes.count >= Self.fewClasses {
      charts.append(
        chart(
          "Records per class", Self.sizes(summary.classes), xName: "records", counted: "classes"))
    }
    return charts.compactMap(\.self)
  }

  private func chart(
    _ name: String, _ counts: [Int: Int], xName: String, counted: String = "records",
    note: String = ""
  ) -> [String: String]? {
    let drawing = HistogramChart(
      columns: HistogramChart.columns(of: counts), counted: counted, xName: xName,
      xTicks: ChartTick.counts
    ).svg
    return drawing.isEmpty ? nil : ["name": name, "chart": drawing, "note": note]
  }

  private func range(_ fewest: Int?, _ median: Int?, _ most: Int?) -> String {
    guard let fewest, let median, let most else { return "" }
    return "\(CountText.count(fewest)) least, \(CountText.count(median)) median, "
      + "\(CountText.count(most)) most."
  }

  private static func sizes(_ counts: [String: Int]) -> [Int: Int] {
    var sizes: [Int: Int] = [:]
    for count in counts.values { sizes[count, default: 0] += 1 }
    return sizes
  }
}
