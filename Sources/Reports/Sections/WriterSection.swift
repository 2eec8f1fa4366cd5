import Evaluation
import Metrics

/// The section of a page on writers. Its template is ``WriterTemplate``.
struct WriterSection {
  /// The writers with an id.
  let writers: [WriterFigures]
  /// The rate over all writers, or nil.
  let overall: Double?
  /// True if the rate is that of wrong characters; false if it is that of correctly read inks.
  let isOfLines: Bool

  /// The link to the section.
  let link = (id: "writers", name: "Writers")

  /// The values of the template.
  var values: [String: Any] {
    guard !writers.isEmpty else { return ["hasWriters": false] }
    var values = FoldedRows.values(writers, names: ("writers", "moreWriters")) { one in
      [
        "writer": ReportText.label(one.writer), "samples": CountText.count(one.samples),
        "errors": CountText.count(one.errors), "rate": ReportText.percent(rate(one)),
        "share": ReportText.share(rate(one)),
      ]
    }
    // Like the figures in JSON: writers with characters, the worst first.
    let accuracies = writers.filter { $0.samples > 0 }.map(\.accuracy)
    func quantile(_ share: Double) -> String {
      guard !accuracies.isEmpty else { return "–" }
      let accuracy = BootstrapInterval.quantile(share, of: accuracies)
      return ReportText.percent(isOfLines ? 1 - accuracy : accuracy)
    }
    let (worst, best) = isOfLines ? ("Highest", "Lowest") : ("Lowest", "Highest")
    let spread = [
      ("Writers", CountText.count(writers.count)), (worst, quantile(0)),
      ("Worst tenth from", quantile(0.1)), ("Median", quantile(0.5)),
      ("Best tenth from", quantile(0.9)), (best, quantile(1)),
    ]
    values.merge([
      "hasWriters": true, "chart": chart,
      "heading": isOfLines ? "Character errors by writer" : "Accuracy by writer",
      "unit": isOfLines ? "Characters" : "Inks", "rateName": isOfLines ? "CER" : "Top-1",
      "spread": spread.map { ["name": $0, "value": $1] },
      "note": "A mark for each writer, larger with more \(isOfLines ? "characters" : "inks"). "
        + "The dashed line is the rate on all of them.",
    ]) { value, _ in value }
    return values
  }

  private func rate(_ one: WriterFigures) -> Double {
    isOfLines ? 1 - one.accuracy : one.accuracy
  }

  /// The rate of each writer, the worst first; empty with fewer than two. The area of a mark grows
  /// with the writer's amount of ink.
  private var chart: String {
    let rates = writers.map(rate)
    guard let lowest = rates.min(), let highest = rates.max(), writers.count > 1 else { return "" }
    let most = writers.map(\.samples).max() ?? 1
    let floor = isOfLines ? 0 : [0.9, 0.8, 0.6, 0.4, 0.2].first { $0 < lowest } ?? 0
    let top = isOfLines ? [0.1, 0.2, 0.4, 0.6, 1].first { $0 >= highest } ?? highest : 1
    let frame = ChartFrame(x: 0...Double(writers.count + 1), y: floor...top)
    var body = ""
    if let overall {
      body += frame.line([(0, overall), (Double(writers.count + 1), overall)], style: "reference")
    }
    // More marks than units of the field would only overlap.
    let step = max(1, writers.count / 400)
    for (index, writer) in writers.enumerated() where index.isMultiple(of: step) {
      body += frame.mark(
        x: Double(index + 1), y: rates[index],
        radius: 2 + 4 * (Double(writer.samples) / Double(max(most, 1))).squareRoot(),
        style: "dot see",
        title: "\(ReportText.label(writer.writer)): \(ReportText.percent(rates[index])) of "
          + CountText.count(writer.samples, isOfLines ? "character" : "ink"))
    }
    let what = isOfLines ? "wrong characters" : "right answers"
    return frame.svg(
      caption: "Share of \(what) of each writer", xName: "writers, worst first", yName: what,
      xTicks: ChartTick.counts(1...Double(writers.count)), yTicks: ChartTick.percent(floor...top),
      body: body)
  }
}

/// The section on writers; see ``WriterSection``.
enum WriterTemplate {
  static let text = """
    {{#writerSection}}
    <section id="writers">
    <h2>Writers</h2>
    {{#hasWriters}}
    <div class="charts">
    <figure><h3>{{heading}}</h3>{{{chart}}}<figcaption>{{note}}</figcaption></figure>
    <dl class="facts">{{#spread}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/spread}}</dl>
    </div>
    <table><thead><tr><th scope="col">Writer</th><th scope="col">{{unit}}</th>\
    <th scope="col">Errors</th><th scope="col">{{rateName}}</th></tr></thead>
    <tbody>
    {{#writers}}
    {{> writerRows}}
    {{/writers}}
    </tbody></table>
    {{#moreWriters}}
    <details><summary>{{count}} more{{#omitted}}; {{omitted}} with better rates are left out\
    {{/omitted}}</summary>
    <table><tbody>
    {{> writerRows}}
    </tbody></table></details>
    {{/moreWriters}}
    {{/hasWriters}}
    {{^hasWriters}}<p class="lead">The data names no writers.</p>{{/hasWriters}}
    </section>
    {{/writerSection}}

    """
}

/// Rows of the table of writers.
enum WriterRowsTemplate {
  static let text = """
    {{#rows}}
    <tr><th scope="row"><bdi>{{writer}}</bdi></th><td>{{samples}}</td><td>{{errors}}</td><td \
    class="bar" style="--p:{{share}}%">{{rate}}</td></tr>
    {{/rows}}

    """
}
