import Evaluation
import InkCore

/// The problems found in data as one self-contained HTML page: drawings of the inks with probably
/// wrong labels, and lists of the rest.
package struct FindingsReport: Sendable {
  /// The most inks drawn of each kind.
  package static let mostInks = 96
  /// The most entries of a list.
  private static let mostRows = 200
  /// The most characters of a label; a longer one is a text.
  private static let longestLabel = 12

  private let findings: DataFindings
  private let inks: [Int: LabeledInk]

  /// Makes a report; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - findings: The findings.
  ///   - inks: The inks of ``drawnIndices(of:)``, by their indices.
  package init(_ findings: DataFindings, inks: [Int: LabeledInk]) {
    self.findings = findings
    self.inks = inks
  }

  /// The indices of the records whose inks a report of these findings draws.
  package static func drawnIndices(of findings: DataFindings) -> Set<Int> {
    Set(
      findings.suspectLabels.prefix(mostInks).map(\.index)
        + findings.oddInks.prefix(mostInks).map(\.index))
  }

  /// The page. Labels, writers and names of files are escaped.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  package func html() throws(ReportError) -> String {
    let head = ReportHead(
      kind: "Examination of data", title: "Findings", data: findings.data,
      hash: findings.dataHash,
      links: [
        ("labels", "Labels"), ("odd", "Odd inks"), ("twice", "There twice"),
        ("thin", "Thin classes"), ("twins", "Twins"), ("bad", "Unreadable"),
      ])
    var values: [String: Any] = [
      "tiles": tiles.map(\.values), "parts": [suspects.values, oddInks.values],
      "lists": [duplicates, thinClasses, twins, malformed],
    ]
    if let unjudged = findings.unjudged { values["unjudged"] = unjudged }
    return try ReportTemplates().render(.findings, head, values)
  }

  private var tiles: [ReportTile] {
    var suspects = ReportTile(
      name: "Labels that are probably wrong", value: CountText.count(findings.suspectLabels.count),
      isMain: true)
    if let judge = findings.judge {
      let name = ReportText.label(ReportPaths.name(of: judge), limit: 80)
      suspects.note = "of \(CountText.count(findings.judged)), judged by \(name)"
    }
    return [suspects]
      + [
        ("Agree with the judge", ReportText.percent(findings.agreement)),
        ("Records", CountText.count(findings.records)),
        ("Unreadable", CountText.count(findings.malformed)),
        ("Classes", CountText.count(findings.classes)),
        ("Writers", CountText.count(findings.writers)),
        ("Without a writer", CountText.count(findings.withoutWriter)),
      ].map { ReportTile(name: $0, value: $1) }
  }

  private var suspects: InkSection {
    section(
      "labels", "Labels that are probably wrong",
      "The most certain first. Look at the ink: the model can be wrong.", findings.suspectLabels
    ) { suspect in
      var card = card(suspect.index, suspect.label)
      card.rows.append(
        InkSection.Row(
          tag: "looks like", text: ReportText.label(suspect.suggested, limit: 400), isTrue: true,
          figure: ReportText.percent(suspect.score, digits: 0)))
      return card
    } label: {
      $0.label
    }
  }

  private var oddInks: InkSection {
    section("odd", "Odd inks", "Inks with unusual properties.", findings.oddInks) { odd in
      var card = card(odd.index, odd.label)
      card.problem = odd.problem.text
      return card
    } label: {
      $0.label
    }
  }

  private func section<Finding>(
    _ id: String, _ title: String, _ note: String, _ all: [Finding],
    card: (Finding) -> InkSection.Card, label: (Finding) -> String
  ) -> InkSection {
    let shown = all.prefix(Self.mostInks)
    return InkSection(
      id: id, title: title, note: note,
      isOfLines: shown.contains { label($0).count > Self.longestLabel }, cards: shown.map(card),
      omitted: all.count - shown.count)
  }

  private func card(_ index: Int, _ label: String) -> InkSection.Card {
    InkSection.Card(
      ink: inks[index], caption: "Record \(index)",
      rows: [
        InkSection.Row(tag: "label", text: ReportText.label(label, limit: 400), isTrue: false)
      ], origin: "record \(index)")
  }

  private var duplicates: [String: Any] {
    list(
      "twice", "Duplicate inks",
      "Records with the points of an earlier record. A split may separate them.",
      findings.duplicates.map { duplicate in
        let faults = [
          duplicate.hasSameLabel ? nil : "with another label",
          duplicate.hasSameWriter ? nil : "of another writer",
        ].compactMap { $0 }
        return (
          "\(duplicate.index)",
          "= \(duplicate.earlier)" + (faults.isEmpty ? "" : ", " + faults.joined(separator: ", "))
        )
      })
  }

  private var thinClasses: [String: Any] {
    list(
      "thin", "Thin classes",
      "Fewer than \(DataFindings.fewestSamples) inks, or one writer: hard to train on, and no "
        + "test of unseen writers.",
      findings.thinClasses.map {
        (
          ReportText.label($0.label),
          CountText.count($0.samples, "ink") + ", " + CountText.count($0.writers, "writer")
        )
      })
  }

  private var twins: [String: Any] {
    list(
      "twins", "Labels that look the same",
      "Spaces around a label make another class; so does another Unicode normal form, if programs "
        + "compare bytes.",
      findings.labelTwins.map {
        (ReportText.label($0[0]), CountText.count($0.count) + " spellings")
      })
  }

  private var malformed: [String: Any] {
    let paths = ReportPaths()
    return list(
      "bad", "Unreadable records",
      CountText.count(findings.malformed, "record") + "; the first of them:",
      findings.malformedExamples.map { (paths.redact($0), "") })
  }

  private func list(
    _ id: String, _ title: String, _ note: String, _ all: [(name: String, value: String)]
  ) -> [String: Any] {
    let shown = all.prefix(Self.mostRows)
    var values: [String: Any] = [
      "id": id, "title": title, "note": note, "hasRows": !all.isEmpty,
      "rows": shown.map { ["name": $0.name, "value": $0.value] },
    ]
    if all.count > shown.count { values["more"] = CountText.count(all.count - shown.count) }
    return values
  }
}

/// The page of the findings.
enum FindingsTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{> tiles}}
    {{#unjudged}}<p class="lead">Not judged: {{unjudged}}.</p>{{/unjudged}}
    </section>
    {{#parts}}
    {{> inkSection}}
    {{/parts}}
    {{#lists}}

    <section id="{{id}}">
    <h2>{{title}}</h2>
    {{#hasRows}}
    <p class="lead">{{note}}</p>
    <p class="list">{{#rows}}<span><bdi>{{name}}</bdi> {{value}}</span> {{/rows}}</p>
    {{#more}}<p class="lead">And {{more}} more.</p>{{/more}}
    {{/hasRows}}
    {{^hasRows}}<p class="lead">None.</p>{{/hasRows}}
    </section>
    {{/lists}}
    {{> foot}}
    """
}
