import Evaluation

/// A headline figure. The template is ``TilesTemplate``.
package struct ReportTile {
  let name: String
  let value: String
  package var note: String?
  /// True for the main figure of the page.
  var isMain = false

  /// The values of the template.
  var values: [String: Any] {
    var values: [String: Any] = ["name": name, "value": value, "isMain": isMain]
    if let note { values["note"] = note }
    return values
  }
}

extension ReportTile {
  /// A rate with its confidence interval.
  package init(
    _ name: String, _ rate: Double?, _ interval: EvaluationSummary.Interval?,
    of summary: EvaluationSummary, isMain: Bool = false
  ) {
    self.init(name: name, value: ReportText.percent(rate), isMain: isMain)
    guard let interval else {
      note = rate.flatMap { _ in summary.missingInterval }
      return
    }
    note =
      "\(ReportText.percent(interval.lower)) to \(ReportText.percent(interval.upper)): "
      + "\(ReportText.percent(interval.confidence, digits: 0)) interval over \(summary.clusterText)"
  }
}

extension EvaluationSummary {
  /// The tiles of speed and size, without the language model.
  var speedTiles: [ReportTile] {
    [
      ReportTile(name: "Latency p50", value: ReportText.latency(latencyMs.p50)),
      ReportTile(name: "Latency p95", value: ReportText.latency(latencyMs.p95)),
      ReportTile(name: "Latency p99", value: ReportText.latency(latencyMs.p99)),
      ReportTile(name: "Model", value: ReportText.bytes(modelBytes)),
    ]
  }
}

/// Headline figures.
enum TilesTemplate {
  static let text = """
    <dl class="tiles">
    {{#tiles}}
    <div class="tile{{#isMain}} main{{/isMain}}"><dt>{{name}}</dt><dd>{{value}}</dd>{{#note}}<p>\
    {{note}}</p>{{/note}}</div>
    {{/tiles}}
    </dl>

    """
}
