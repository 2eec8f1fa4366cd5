import Foundation
import Metrics

/// The curves of an evaluation as SVG.
struct EvaluationCharts {
  let evaluation: GlyphEvaluation
  let summary: EvaluationSummary

  /// Accuracy against confidence, with the share of the inks in each bin below; empty without
  /// samples.
  var reliability: String {
    let bins = evaluation.calibration.bins.filter { $0.count > 0 }
    let largest = bins.map(\.count).max() ?? 0
    guard largest > 0 else { return "" }
    let frame = ChartFrame(x: 0...1, y: 0...1)
    var body = frame.line([(0, 0), (1, 1)], style: "reference")
    for bin in bins {
      let share = Double(bin.count) / Double(largest)
      body += frame.bar(
        from: bin.lowerBound, to: bin.upperBound, y: 0.25 * share, style: "faint",
        title: ReportText.count(bin.count, "ink"))
    }
    let points = bins.compactMap { bin in
      bin.meanConfidence.flatMap { confidence in bin.accuracy.map { (x: confidence, y: $0) } }
    }
    body += frame.line(points, style: "curve")
    for (bin, point) in zip(bins, points) {
      // The area of a mark follows its inks, so that an outlier of two inks looks like one.
      body += frame.mark(
        x: point.x, y: point.y,
        radius: 2.5 + 4 * (Double(bin.count) / Double(largest)).squareRoot(),
        style: "dot",
        title: "confidence \(ReportText.percent(point.x, digits: 1)), right "
          + "\(ReportText.percent(point.y, digits: 1)), \(ReportText.count(bin.count, "ink"))")
    }
    let ticks = ChartTick.percent(0...1)
    return frame.svg(
      caption: "Share of right answers against confidence", xName: "confidence",
      yName: "right answers", xTicks: ticks, yTicks: ticks, body: body)
  }

  /// Accuracy of the most confident answers against their share of the inks; empty without samples.
  var coverage: String {
    let points = evaluation.coverage.points(sampleCount: 200)
    guard let lowest = points.map(\.accuracy).min() else { return "" }
    // From a round value below the curve, so that 97 and 99 % can be told apart.
    let floor = [0.99, 0.98, 0.96, 0.9, 0.8, 0.6, 0.2].first { $0 < lowest } ?? 0
    let frame = ChartFrame(x: 0...1, y: floor...1)
    var body = frame.line(points.map { ($0.coverage, $0.accuracy) }, style: "curve")
    if let point = summary.coverageAt99, floor < 0.99 {
      body += frame.line([(0, 0.99), (point.coverage, 0.99)], style: "reference")
      body += frame.mark(
        x: point.coverage, y: point.accuracy, radius: 4.5, style: "dot",
        title:
          "\(ReportText.percent(point.accuracy)) right on \(ReportText.percent(point.coverage))")
    }
    return frame.svg(
      caption: "Share of right answers against coverage",
      xName: "inks accepted, most confident first",
      yName: "right answers", xTicks: ChartTick.percent(0...1),
      yTicks: ChartTick.percent(floor...1), body: body)
  }

  /// The distribution of latencies over a logarithmic axis, with lines at three percentiles; empty
  /// without samples.
  var latency: String {
    let columns = evaluation.latencyBins().map { bin in
      HistogramChart.Column(
        from: log10(bin.lower), to: log10(bin.upper), count: bin.count,
        name: "\(ReportText.latency(bin.lower)) to \(ReportText.latency(bin.upper))")
    }
    let percentiles = [
      ("p50", summary.latencyMs.p50), ("p95", summary.latencyMs.p95),
      ("p99", summary.latencyMs.p99),
    ]
    return HistogramChart(
      columns: columns,
      marks: percentiles.compactMap { name, value in
        value.map { ("\(name) \(ReportText.latency($0))", log10($0)) }
      },
      counted: "calls", xName: "latency, logarithmic",
      xTicks: { ChartTick.logarithmic($0, text: ReportText.latency) }
    ).svg
  }

  /// Accuracy of each writer in ascending order; empty without writers. The area of a mark grows
  /// with the writer's inks.
  var writers: String {
    let all = evaluation.writerFigures()
    guard let worst = all.first, let most = all.map(\.samples).max(), all.count > 1 else {
      return ""
    }
    let floor = [0.9, 0.8, 0.6, 0.4, 0.2].first { $0 < worst.accuracy } ?? 0
    let frame = ChartFrame(x: 0...Double(all.count + 1), y: floor...1)
    var body = ""
    if let top1 = summary.top1 {
      body += frame.line([(0, top1), (Double(all.count + 1), top1)], style: "reference")
    }
    // More marks than units of the field would only cover each other.
    let step = max(1, all.count / 400)
    for (index, writer) in all.enumerated() where index.isMultiple(of: step) {
      body += frame.mark(
        x: Double(index + 1), y: writer.accuracy,
        radius: 2 + 4 * (Double(writer.samples) / Double(max(most, 1))).squareRoot(),
        style: "dot see",
        title: "\(ReportText.label(writer.writer)): \(ReportText.percent(writer.accuracy)) of "
          + ReportText.count(writer.samples, "ink"))
    }
    let ticks = ChartTick.counts(1...Double(all.count))
    return frame.svg(
      caption: "Share of right answers of each writer", xName: "writers, worst first",
      yName: "right answers", xTicks: ticks, yTicks: ChartTick.percent(floor...1), body: body)
  }
}
