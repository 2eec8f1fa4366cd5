import Evaluation
import InkCore

/// An evaluation of a formula model as one self-contained HTML page: figures, tables, and drawings of
/// the worst formulas, with the truth and the reading typeset.
package struct FormulaReport: Sendable {
  /// Figures of parts of the data.
  package struct Table: Sendable {
    let title: String
    /// The names of the columns; the first one names the parts.
    let columns: [String]
    let rows: [[String]]

    /// Makes a table.
    package init(title: String, columns: [String], rows: [[String]]) {
      (self.title, self.columns, self.rows) = (title, columns, rows)
    }
  }

  /// A formula that was read wrong.
  package struct Misreading: Sendable {
    let ink: LabeledInk
    let name: String
    let truth, reading: Text
    let wrongSymbols: Int

    /// Makes a misreading.
    ///
    /// - Parameters:
    ///   - ink: The ink, with its writer.
    ///   - name: The name of the record.
    ///   - wrongSymbols: The symbols with a wrong label, group or relation.
    package init(ink: LabeledInk, name: String, truth: Text, reading: Text, wrongSymbols: Int) {
      (self.ink, self.name, self.truth, self.reading) = (ink, name, truth, reading)
      self.wrongSymbols = wrongSymbols
    }
  }

  /// A formula as LaTeX, and as MathML of our own writer; nil if that cannot be made.
  package struct Text: Sendable {
    let latex: String
    let mathML: String?

    /// Makes a text.
    package init(latex: String, mathML: String?) {
      (self.latex, self.mathML) = (latex, mathML)
    }
  }

  private let model: String
  private let data: [String]
  private let tiles: [ReportTile]
  private let tables: [Table]
  private let worst: [Misreading]
  private let omitted: Int

  /// The most formulas that are drawn.
  package static let mostErrors = 60

  /// Makes a report; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - model: The path or name of the model.
  ///   - figures: Headline figures by name; the first is the main one.
  ///   - worst: All formulas that were read wrong, worst first; ``mostErrors`` of them are drawn.
  package init(
    model: String, data: [String], figures: [(name: String, value: String)], tables: [Table],
    worst: [Misreading]
  ) {
    (self.model, self.data, self.tables) = (model, data, tables)
    tiles = figures.enumerated().map { index, figure in
      ReportTile(name: figure.name, value: figure.value, isMain: index == 0)
    }
    self.worst = Array(worst.prefix(Self.mostErrors))
    omitted = max(0, worst.count - Self.mostErrors)
  }

  /// The page. Texts are escaped; absolute paths are reduced to their last part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  package func html() throws(ReportError) -> String {
    let head = ReportHead(
      kind: "Evaluation of a formula model",
      title: model.split(separator: "/").last.map(String.init) ?? model, data: data,
      links: [("errors", "Worst formulas"), ("parts", "By length and source")])
    let errors = InkSection(
      id: "errors", title: "Worst formulas",
      note: "The formulas with the most wrong symbols: the ink, the truth, and the reading.",
      absence: "None: every formula was read correctly.", isOfLines: true,
      cards: worst.map(card), omitted: omitted)
    let values: [String: Any] = [
      "tiles": tiles.map(\.values), "errors": errors.values,
      "tables": tables.filter { !$0.rows.isEmpty }.map { table in
        [
          "title": table.title, "columns": table.columns,
          "rows": table.rows.map { row in
            ["name": row.first ?? "", "cells": Array(row.dropFirst())]
          },
        ] as [String: Any]
      },
    ]
    return try ReportTemplates().render(.formulas, head, values)
  }

  private func card(_ misreading: Misreading) -> InkSection.Card {
    func row(_ tag: String, _ text: Text, isTrue: Bool, figure: String? = nil) -> InkSection.Row {
      InkSection.Row(
        tag: tag, text: text.latex.isEmpty ? "–" : text.latex, isTrue: isTrue, figure: figure,
        markup: text.mathML)
    }
    return InkSection.Card(
      ink: misreading.ink, caption: "A formula",
      rows: [
        row("written", misreading.truth, isTrue: true),
        row(
          "read", misreading.reading, isTrue: false,
          figure: CountText.count(misreading.wrongSymbols, "symbol") + " wrong"),
      ], origin: ReportText.label(misreading.name))
  }
}

/// The page of an evaluation of a formula model.
enum FormulasTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{> tiles}}
    </section>

    {{#errors}}
    {{> inkSection}}
    {{/errors}}

    <section id="parts">
    <h2>By length and source</h2>
    {{#tables}}
    <h3>{{title}}</h3>
    <div class="scroll"><table><thead><tr>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead>
    <tbody>{{#rows}}<tr><th scope="row">{{name}}</th>{{#cells}}<td>{{.}}</td>{{/cells}}</tr>
    {{/rows}}</tbody></table></div>
    {{/tables}}
    </section>

    {{> foot}}
    """
}
