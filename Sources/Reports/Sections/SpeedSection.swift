import Evaluation
import Foundation
import Histogram

/// The section of a page on speed and size. Its template is ``SpeedTemplate``.
struct SpeedSection {
  let bins: [LatencyBin]
  let summary: EvaluationSummary
  /// The unit that is read at once: an ink or a line.
  let unit: String

  /// The link to the section.
  let link = (id: "speed", name: "Speed")

  /// The values of the template.
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
      (
        summary.program == nil ? "Peak memory of the run" : "Peak memory of the program",
        ReportText.bytes(summary.peakResidentBytes)
      ),
    ]
    if let program = summary.program {
      facts += [
        ("Processor time of the program", String(format: "%.1f s", program.cpuSeconds)),
        ("Start to first answer", ReportText.latency(program.firstAnswerSeconds.map { 1000 * $0 })),
        ("Time limit of an answer", String(format: "%g s", program.timeLimitSeconds)),
      ]
    }
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

/// The section on speed and size; see ``SpeedSection``.
enum SpeedTemplate {
  static let text = """
    {{#speed}}
    <section id="speed">
    <h2>Speed</h2>
    <div class="charts">
    <figure><h3>Latency</h3>{{{latency}}}<figcaption>From raw points to calibrated candidates, one \
    {{unit}} at a time on one thread.</figcaption></figure>
    <dl class="facts">{{#facts}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/facts}}</dl>
    </div>
    </section>
    {{/speed}}

    """
}

/// One column of a latency histogram.
package struct LatencyBin: Hashable, Sendable {
  /// The least latency of the bin in milliseconds, above 0.
  package let lower: Double
  /// The upper bound of the bin, exclusive.
  package let upper: Double
  /// The number of calls.
  package let count: Int
}

extension Histogram<UInt64> {
  /// Latencies in nanoseconds, in bins whose edges grow by a constant factor, ten to the power of
  /// 1/`perDecade`, because a few calls on a busy machine take a hundred times the median. Empty
  /// without samples.
  ///
  /// - Complexity: O(distinct latencies): some thousands, for any number of samples.
  func latencyBins(perDecade: Int = 20) -> [LatencyBin] {
    guard perDecade > 0 else { return [] }
    var counts: [Int: Int] = [:]
    for value in recordedValues() where value.count > 0 {
      let milliseconds = Double(Swift.max(value.value, 1)) / 1e6
      counts[Int((log10(milliseconds) * Double(perDecade)).rounded(.down)), default: 0] +=
        Int(value.count)
    }
    guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
    func edge(_ index: Int) -> Double { pow(10, Double(index) / Double(perDecade)) }
    return (first...last).map {
      LatencyBin(lower: edge($0), upper: edge($0 + 1), count: counts[$0] ?? 0)
    }
  }
}

extension EvaluationTotals {
  /// The latencies in bins; empty without samples.
  package func latencyBins() -> [LatencyBin] { latency.latencyBins() }
}
