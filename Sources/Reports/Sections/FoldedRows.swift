import Evaluation

/// A long table: rows that are open, rows that unfold, and how many are left out.
enum FoldedRows {
  /// Rows that are open.
  static let open = 30
  /// Rows of a table, open ones and those that unfold.
  static let most = 400

  /// The rows under two names for a template; the second has `count`, and `omitted` where rows are
  /// left out.
  static func values<Row>(
    _ rows: [Row], names: (open: String, more: String), _ values: (Row) -> [String: Any]
  ) -> [String: Any] {
    // A few rows more are not worth a fold.
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
