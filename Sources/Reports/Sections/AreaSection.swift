import Evaluation

/// The table of writing areas on a page. Its template is ``AreaTemplate``.
struct AreaSection {
  let table: AreaTable

  /// The values of the template.
  var values: [String: Any] {
    [
      "columns": AreaTable.columns.map { ["name": $0] },
      "rows": table.rows.map { row -> [String: Any] in
        ["title": row.title, "cells": row.rates.map { ["value": ReportText.percent($0)] }]
      },
      "counts": table.counts.map { ["value": CountText.count($0)] },
    ]
  }
}

/// The table of writing areas; see ``AreaSection``.
enum AreaTemplate {
  static let text = """
    {{#areas}}
    <h3>Writing areas</h3>
    <p class="lead">Wrong characters with each writing area, and confusions of characters that \
    differ only in size or position: <q>c as C</q> is c k o p s u v w x z read as their \
    capitals, <q>/ as l</q> a slash read as l I 1 | \\ , or an apostrophe.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Errors with each writing area">
    <table><thead><tr><th scope="col">Writing area</th>{{#columns}}<th scope="col">{{name}}</th>\
    {{/columns}}</tr></thead>
    <tbody>
    {{#rows}}<tr><th scope="row">{{title}}</th>{{#cells}}<td>{{value}}</td>{{/cells}}</tr>
    {{/rows}}
    <tr><th scope="row">characters</th><td></td><td></td>{{#counts}}<td>{{value}}</td>{{/counts}}</tr>
    </tbody></table></div>

    {{/areas}}
    """
}
