import Evaluation

/// The table of writing areas on a page. Its template is ``AreaTemplate``.
struct AreaSection {
  let table: AreaTable

  /// What the template needs.
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
