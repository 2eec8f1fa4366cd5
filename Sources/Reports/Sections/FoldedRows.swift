import Evaluation

/// A long table: rows that are shown, rows that unfold, and the number of rows left out.
enum FoldedRows {
  /// The number of rows shown at once.
  static let open = 30
  /// The most rows of a table, including those that unfold.
  static let most = 400

  /// The rows under two names for a template. The second has `count`, and `omitted` if rows are
  /// left out.
  static func values<Row>(
    _ rows: [Row], names: (open: String, more: String), _ values: (Row) -> [String: Any]
  ) -> [String: Any] {
    // Folding only a few rows is not useful.
    let open = rows.count <= Self.open + 10 ? rows.count : Self.open
    var result: [String: Any] = [names.open: [["rows": rows.prefix(open).map(values)]]]
    let folded = rows.dropFirst(open).prefix(most - open)
    guard !folded.isEmpty else { return result }
    var more: [String: Any] = [
      "count": CountText.count(folded.count), "rows": folded.map(values),
    ]
    let omitted = rows.count - open - folded.count
    if omitted > 0 { more["omitted"] = CountText.count(omitted) }
    result[names.more] = more
    return result
  }
}

/// Rows of the table of classes.
enum ClassRowsTemplate {
  static let text = """
    {{#rows}}
    <tr><th scope="row"><bdi>{{label}}</bdi></th><td>{{support}}</td><td class="bar" \
    style="--p:{{recallShare}}%">{{recall}}</td><td class="bar" style="--p:{{precisionShare}}%">\
    {{precision}}</td><td class="list">{{#readAs}}<span><bdi>{{label}}</bdi> {{count}}</span> \
    {{/readAs}}</td></tr>
    {{/rows}}

    """
}
