/// A table of error rates with different writing areas: the figures of ``LineAblation`` in the
/// order in which they are compared.
package struct AreaTable: Sendable {
  /// One writing area.
  package struct Row: Sendable {
    /// The description of the area.
    package let title: String
    /// Rates 0 ... 1, one for each of ``AreaTable/columns``; nil if the data has no such character.
    package let rates: [Double?]
  }

  /// The names of the rates.
  package static let columns =
    ["errors", "of case alone"] + Lookalike.allCases.map(Self.title)

  /// The areas.
  package let rows: [Row]
  /// Reference characters of each look-alike, in the order of `Lookalike.allCases`.
  package let counts: [Int]

  /// Makes the table of some figures; nil if they include no areas.
  package init?(_ figures: [String: Double]) {
    rows = LineAblation.Area.allCases.compactMap { area in
      let prefix = "area.\(area.rawValue)."
      guard let errors = figures[prefix + "cer"] else { return nil }
      let rates = ["caseErrors"] + Lookalike.allCases.map(\.rawValue)
      return Row(title: area.title, rates: [errors] + rates.map { figures[prefix + $0] })
    }
    counts = Lookalike.allCases.map { Int(figures["lookalikes.\($0.rawValue).count"] ?? 0) }
    guard !rows.isEmpty else { return nil }
  }

  /// Returns whether a figure is in the table.
  package static func contains(_ figure: String) -> Bool {
    figure.hasPrefix("area.") || figure.hasPrefix("lookalikes.")
  }

  private static func title(of lookalike: Lookalike) -> String {
    switch lookalike {
    case .small: "c as C"
    case .capital: "C as c"
    case .comma: ", as '"
    case .apostrophe: "' as ,"
    case .slash: "/ as l"
    case .bar: "l as /"
    }
  }
}
