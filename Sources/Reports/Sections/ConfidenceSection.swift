import Evaluation
import Metrics

/// The section of a page on confidences. Its template is ``ConfidenceTemplate``.
struct ConfidenceSection {
  let calibration: ExpectedCalibrationError
  let coverage: AccuracyCoverageCurve
  let coverageAt99: EvaluationSummary.CoveragePoint?
  /// The unit that has a confidence: an ink or a word.
  let unit: String

  /// The link to the section.
  let link = (id: "confidence", name: "Confidence")

  /// The values of the template.
  var values: [String: Any] {
    let note =
      coverageAt99.map {
        "99 % are right on the most confident \(ReportText.percent($0.coverage)) of the \(unit)s, "
          + "with a confidence of \(ReportText.percent($0.threshold, digits: 1)) and more."
      } ?? "No threshold accepts answers that are 99 % right."
    return [
      "reliability": reliabilityChart, "coverage": coverageChart, "coverageNote": note,
      "ece": ReportText.percent(calibration.value),
    ]
  }

  /// Accuracy against confidence, with the share of the answers in each bin below it; empty without
  /// answers.
  private var reliabilityChart: String {
    let bins = calibration.bins.filter { $0.count > 0 }
    let largest = bins.map(\.count).max() ?? 0
    guard largest > 0 else { return "" }
    let frame = ChartFrame(x: 0...1, y: 0...1)
    var body = frame.line([(0, 0), (1, 1)], style: "reference")
    for bin in bins {
      let share = Double(bin.count) / Double(largest)
      body += frame.bar(
        from: bin.lowerBound, to: bin.upperBound, y: 0.25 * share, style: "faint",
        title: CountText.count(bin.count, unit))
    }
    let points = bins.compactMap { bin in
      bin.meanConfidence.flatMap { confidence in bin.accuracy.map { (x: confidence, y: $0) } }
    }
    body += frame.line(points, style: "curve")
    for (bin, point) in zip(bins, points) {
      // The area of a mark is proportional to its answers, so that bins with few answers look
      // small.
      body += frame.mark(
        x: point.x, y: point.y,
        radius: 2.5 + 4 * (Double(bin.count) / Double(largest)).squareRoot(),
        style: "dot",
        title: "confidence \(ReportText.percent(point.x, digits: 1)), right "
          + "\(ReportText.percent(point.y, digits: 1)), \(CountText.count(bin.count, unit))")
    }
    let ticks = ChartTick.percent(0...1)
    return frame.svg(
      caption: "Share of right answers against confidence", xName: "confidence",
      yName: "right answers", xTicks: ticks, yTicks: ticks, body: body)
  }

  /// Accuracy of the most confident answers against their share; empty without answers.
  private var coverageChart: String {
    let points = coverage.points(sampleCount: 200)
    guard let lowest = points.map(\.accuracy).min() else { return "" }
    // From a round value below the curve, so that 97 and 99 % are distinguishable.
    let floor = [0.99, 0.98, 0.96, 0.9, 0.8, 0.6, 0.2].first { $0 < lowest } ?? 0
    let frame = ChartFrame(x: 0...1, y: floor...1)
    var body = frame.line(points.map { ($0.coverage, $0.accuracy) }, style: "curve")
    if let point = coverageAt99, floor < 0.99 {
      body += frame.line([(0, 0.99), (point.coverage, 0.99)], style: "reference")
      body += frame.mark(
        x: point.coverage, y: point.accuracy, radius: 4.5, style: "dot",
        title:
          "\(ReportText.percent(point.accuracy)) right on \(ReportText.percent(point.coverage))")
    }
    return frame.svg(
      caption: "Share of right answers against coverage",
      xName: "\(unit)s accepted, most confident first", yName: "right answers",
      xTicks: ChartTick.percent(0...1), yTicks: ChartTick.percent(floor...1), body: body)
  }
}

/// The section on confidences; see ``ConfidenceSection``.
enum ConfidenceTemplate {
  static let text = """
    {{#confidence}}
    <section id="confidence">
    <h2>Confidence</h2>
    <div class="charts">
    <figure><h3>Calibration</h3>{{{reliability}}}<figcaption>On the dashed line, answers with \
    90 % confidence are right 9 times out of 10; below it the model is too confident. Columns show \
    how answers are spread over the confidences. Expected calibration error: {{ece}}.</figcaption></figure>
    <figure><h3>Accuracy against coverage</h3>{{{coverage}}}<figcaption>Accuracy if only the most \
    confident answers are accepted. {{coverageNote}}</figcaption></figure>
    </div>
    </section>
    {{/confidence}}

    """
}
