import Formulas

/// Counts places that break the rules of formulas: brackets without a partner, operators without
/// operands, and roots and relations of nothing.
package enum FormulaFaults {
  private static let partners = ["(": ")", "[": "]", #"\{"#: #"\}"#]
  private static let operators: Set<String> = [
    "+", "=", #"\times"#, #"\div"#, #"\pm"#, #"\leq"#, #"\geq"#, #"\neq"#, "<", ">", "/",
    #"\rightarrow"#, #"\in"#,
  ]

  /// Returns the number of faults. O(symbols).
  package static func count(in formula: Formula) -> Int { count(in: formula.row, isScript: false) }

  private static func count(in row: Formula.Row, isScript: Bool) -> Int {
    var faults = 0
    var open: [String] = []
    var bars = 0
    for (index, item) in row.enumerated() {
      switch item.kind {
      case .empty: faults += 1
      case .symbol(let symbol):
        let label = symbol.label
        if let partner = partners[label] {
          open.append(partner)
        } else if partners.values.contains(label) {
          if open.last == label { open.removeLast() } else { faults += 1 }
        } else if label == "|" {
          bars += 1
        } else if operators.contains(label), !isScript {
          // A sign may begin a row; nothing else may begin or end with an operator.
          if index == row.count - 1 && label != "=" { faults += 1 }
          if index == 0, label != "+", label != #"\pm"# { faults += 1 }
        }
      case .fraction(_, let upper, let lower):
        faults += count(in: upper, isScript: false) + count(in: lower, isScript: false)
      case .root(_, let degree, let radicand):
        if radicand.isEmpty { faults += 1 }
        faults += count(in: degree, isScript: false) + count(in: radicand, isScript: false)
      case .accent(_, let base): faults += 1 + count(in: base, isScript: false)
      }
      faults += count(in: item.lower, isScript: true) + count(in: item.upper, isScript: true)
    }
    return faults + open.count + bars % 2
  }
}
