import Evaluation
import InkCore
import InkDatasets

/// Datasets as one self-contained HTML page: inks of each class, counts, writers, distributions of
/// points, strokes and rates, bad records.
///
/// The page has no script and makes no network request. Its size is bounded for any data.
package struct DatasetReport: Sendable {
  /// The most inks drawn on a page.
  static let mostDrawings = 1600
  /// The most names in lists without drawings.
  static let mostNames = 400

  /// A dataset and the hash of its records.
  package struct Part: Sendable {
    /// The inspected data.
    package let inspection: DatasetInspection
    /// SHA-256 of the good records.
    package let hash: String

    /// Makes a part.
    package init(inspection: DatasetInspection, hash: String) {
      self.inspection = inspection
      self.hash = hash
    }
  }

  /// The datasets, in the order of the page.
  package let parts: [Part]

  /// Makes a report; nothing is rendered yet.
  package init(_ parts: [Part]) {
    self.parts = parts
  }

  private var title: String {
    guard parts.count == 1, let path = parts.first?.inspection.specification.path else {
      return CountText.count(parts.count, "dataset")
    }
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The page. Labels, writers and names of files are escaped; absolute paths are reduced to their
  /// last part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  package func html() throws(ReportError) -> String {
    let data = parts.map { $0.inspection.specification.text }
    let names = data.map { ReportPaths.name(ofData: $0) }
    let single = names.count == 1
    let head = ReportHead(
      kind: single ? "Dataset" : "Datasets", title: title, data: single ? data : [],
      links: single ? [] : names.enumerated().map { (id: "data-\($0 + 1)", name: $1) })
    let most = Self.mostDrawings / max(1, parts.count)
    return try ReportTemplates().render(
      .dataset, head,
      [
        "datasets": parts.enumerated().map { index, part in
          var values = DatasetReportSection(part, mostDrawings: most).values
          values["id"] = "data-\(index + 1)"
          if !single { values["heading"] = names[index] }
          return values
        }
      ])
  }
}

/// The page of one or several datasets.
enum DatasetTemplate {
  static let text = """
    {{> head}}
    {{#datasets}}
    <section id="{{id}}">
    {{#heading}}<h2><code>{{heading}}</code></h2>{{/heading}}
    {{> tiles}}
    <p class="hash">SHA-256 of the records: <code>{{hash}}</code></p>

    <h3>Classes</h3>
    <p class="lead">{{sampleNote}} Colour and number give the order of the strokes; a number is \
    at the beginning of its stroke. Faint lines are the writing area.</p>
    <div class="samples">
    {{#classes}}
    <div class="sample"><h4><bdi>{{label}}</bdi> <span>{{count}}</span></h4><div class="inks">\
    {{#drawings}}{{{.}}}{{/drawings}}</div></div>
    {{/classes}}
    </div>
    {{#otherClasses}}
    <details><summary>{{count}} more classes, without drawings</summary><p class="list">{{#labels}}\
    <span><bdi>{{label}}</bdi> {{count}}</span> {{/labels}}{{#omitted}}and {{omitted}} more\
    {{/omitted}}</p></details>
    {{/otherClasses}}

    <h3>Ink</h3>
    <div class="charts">
    {{#charts}}
    <figure><h4>{{name}}</h4>{{{chart}}}<figcaption>{{note}}</figcaption></figure>
    {{/charts}}
    </div>
    <dl class="facts wide">{{#channels}}<dt>{{name}}</dt><dd class="bar" style="--p:{{share}}%">\
    {{value}}</dd>{{/channels}}</dl>

    <h3>Writers</h3>
    <p class="lead">{{writerNote}}</p>
    {{#hasWriters}}<p class="list">{{#writers}}<span><bdi>{{writer}}</bdi> {{count}}</span> \
    {{/writers}}{{#moreWriters}}and {{moreWriters}} more{{/moreWriters}}</p>{{/hasWriters}}

    <h3>Bad records</h3>
    <p class="lead">{{badNote}}</p>
    {{#hasBad}}
    <div class="scroll" tabindex="0" role="region" aria-label="Bad records">
    <table class="text"><thead><tr><th scope="col">Where</th><th scope="col">Kind</th>\
    <th scope="col">Expected</th><th scope="col">Found</th></tr></thead>
    <tbody>
    {{#bad}}
    <tr><th scope="row"><code>{{location}}</code></th><td>{{kind}}</td><td>{{expected}}</td>\
    <td>{{found}}</td></tr>
    {{/bad}}
    </tbody></table></div>
    {{/hasBad}}
    </section>
    {{/datasets}}
    {{> foot}}
    """
}

/// The distributions of a dataset as SVG.
struct DatasetCharts {
  let summary: DatasetSummary

  /// With fewer classes than this, their sizes are shown next to their drawings only.
  private static let fewClasses = 20

  /// Name, drawing and note of each chart with data.
  var values: [[String: String]] {
    var charts = [
      chart(
        "Points per record", summary.pointCounts, xName: "points",
        note: range(summary.fewestPoints, summary.medianPoints, summary.mostPoints)),
      chart("Strokes per record", summary.strokeCounts, xName: "strokes"),
      chart(
        "Sampling rate", summary.rates, xName: "points per second",
        note: "Points per second while the pen is down; steps of zero time do not count."),
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
