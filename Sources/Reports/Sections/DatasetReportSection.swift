import Evaluation
import InkCore
import InkDatasets
import InkFormats

/// The values of one dataset for the template of datasets.
struct DatasetReportSection {
  private let part: DatasetReport.Part
  private let mostDrawings: Int
  private var summary: DatasetSummary { part.inspection.summary }

  init(_ part: DatasetReport.Part, mostDrawings: Int) {
    self.part = part
    self.mostDrawings = mostDrawings
  }

  /// The values, except `id` and `heading`.
  var values: [String: Any] {
    var values: [String: Any] = [
      "hash": part.hash, "tiles": tiles, "charts": DatasetCharts(summary: summary).values,
      "channels": channels,
    ]
    for part in [classValues, writerValues, badValues] { values.merge(part) { $1 } }
    return values
  }

  private var tiles: [[String: Any]] {
    let rate = summary.pointsPerSecond.map { "\(CountText.count($0))/s" }
    return [
      ("Records", CountText.count(summary.good)), ("Bad records", CountText.count(summary.bad)),
      ("Classes", CountText.count(summary.classes.count)),
      ("Writers", CountText.count(summary.writers.count)),
      ("Strokes", CountText.count(summary.strokes)),
      ("Points", CountText.count(summary.points)),
      ("Points per record, median", summary.medianPoints.map { CountText.count($0) } ?? "–"),
      ("Sampling rate, median", rate ?? "–"),
    ].map { ReportTile(name: $0, value: $1).values }
  }

  private var channels: [[String: Any]] {
    guard summary.good > 0 else { return [] }
    let qualities = LabeledInk.Quality.allCases.compactMap { quality in
      summary.qualities[quality].map { ("Judged \(quality.rawValue)", $0) }
    }
    let counts = [
      ("Times", summary.withTime), ("Force", summary.withForce), ("Tilt", summary.withTilt),
      ("Writing area", summary.withArea),
    ]
    return (counts + qualities).map { name, count in
      let share = Double(count) / Double(summary.good)
      return [
        "name": name, "share": ReportText.share(share),
        "value": "\(ReportText.percent(share, digits: 1)) of records",
      ]
    }
  }

  /// Classes with drawings, in the order of their labels, and the names of the others.
  private var classValues: [String: Any] {
    let sorted = summary.classes.sorted { $0.key < $1.key }
    let drawn = sorted.filter { part.inspection.samples.inks[$0.key] != nil }
    // Whole rows of three, if there is space.
    let perClass =
      [DatasetInspection.mostPerClass, 3].first { $0 * drawn.count <= mostDrawings } ?? 1
    let shown = drawn.prefix(mostDrawings)
    var values: [String: Any] = [
      "sampleNote": "Up to \(CountText.count(perClass, "ink")) of each class, chosen at random.",
      "classes": shown.map { label, count -> [String: Any] in
        let name = ReportText.label(label)
        return [
          "label": name, "count": CountText.count(count),
          "drawings": (part.inspection.samples.inks[label] ?? []).prefix(perClass).map {
            InkDrawing($0.ink, area: $0.writingArea, caption: "Ink of \(name)").svg
          },
        ]
      },
    ]
    let labels = Set(shown.map(\.key))
    let others = sorted.filter { !labels.contains($0.key) }
    if !others.isEmpty {
      values["otherClasses"] = names(others, key: "label", list: "labels")
    }
    return values
  }

  private var writerValues: [String: Any] {
    let sorted = summary.writers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var note = CountText.count(sorted.count, "writer")
    if let most = sorted.first?.value, let least = sorted.last?.value {
      note += " with \(CountText.count(least)) to \(CountText.count(most, "record"))"
    }
    if summary.withoutWriter > 0 {
      note += "; \(CountText.count(summary.withoutWriter, "record")) without a writer"
    }
    var values: [String: Any] = ["hasWriters": !sorted.isEmpty, "writerNote": note + "."]
    let list = names(sorted, key: "writer", list: "writers")
    values["writers"] = list["writers"]
    if let omitted = list["omitted"] { values["moreWriters"] = omitted }
    return values
  }

  private func names(
    _ counts: [(key: String, value: Int)], key: String, list: String
  ) -> [String: Any] {
    var values: [String: Any] = [
      "count": CountText.count(counts.count),
      list: counts.prefix(DatasetReport.mostNames).map {
        [key: ReportText.label($0.key), "count": CountText.count($0.value)]
      },
    ]
    let omitted = counts.count - DatasetReport.mostNames
    if omitted > 0 { values["omitted"] = CountText.count(omitted) }
    return values
  }

  private var badValues: [String: Any] {
    let bad = part.inspection.bad
    let kinds = summary.failures.sorted {
      ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
    }.map { "\(CountText.count($0.value)) \($0.key.rawValue)" }
    let shown = bad.count < summary.bad ? " The first \(CountText.count(bad.count)) of them:" : ""
    let note = kinds.isEmpty ? "None." : kinds.joined(separator: ", ") + "." + shown
    let paths = ReportPaths(dataset: part.inspection.specification.path)
    return [
      "hasBad": !bad.isEmpty, "badNote": note,
      "bad": bad.map { error in
        [
          "location": paths.redact("\(error.location)"), "kind": error.code.rawValue,
          "expected": paths.redact(error.expected), "found": paths.redact(error.found),
        ]
      },
    ]
  }
}
