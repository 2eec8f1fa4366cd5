import Evaluation
import Foundation

/// The section of a page on speed and size. Its template is ``SpeedTemplate``.
struct SpeedSection {
  let bins: [LatencyBin]
  let summary: EvaluationSummary
  /// What is read at once: an ink, a line.
  let unit: String

  /// Where to jump to.
  let link = (id: "speed", name: "Speed")

  /// What the template needs.
  var values: [String: Any] {
    let rate = summary.samplesPerSecond.map {
      "\(CountText.count(Int($0.rounded()))) \(unit)s/s"
    }
    var facts = [
      ("Median", ReportText.latency(summary.latencyMs.p50)),
      ("95 of 100 within", ReportText.latency(summary.latencyMs.p95)),
      ("99 of 100 within", ReportText.latency(summary.latencyMs.p99)),
    ]
    if let stages = summary.stagesMs {
      facts += [
        ("Features, on average", ReportText.latency(stages.features)),
        ("Network, on average", ReportText.latency(stages.network)),
        ("Decoding, on average", ReportText.latency(stages.decoding)),
      ]
    }
    facts += [
      ("One thread", rate ?? "–"), ("Model on disk", ReportText.bytes(summary.modelBytes)),
      ("Peak memory of the run", ReportText.bytes(summary.peakResidentBytes)),
    ]
    return [
      "unit": unit, "latency": chart, "facts": facts.map { ["name": $0.0, "value": $0.1] },
    ]
  }

  /// The distribution of latencies over a logarithmic axis, with lines at three percentiles; empty
  /// without samples.
  private var chart: String {
    let columns = bins.map { bin in
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
}
