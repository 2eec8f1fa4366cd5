import Formulas

/// Counts places that break the rules of formulas: brackets without a partner, operators without
/// operands, and roots and relations of nothing.
package struct FormulaFaults {
  private static let partners = ["(": ")", "[": "]", #"\{"#: #"\}"#]
  private static let operators: Set<String> = [
    "+", "=", #"\times"#, #"\div"#, #"\pm"#, #"\leq"#, #"\geq"#, #"\neq"#, "<", ">", "/",
    #"\rightarrow"#, #"\in"#,
  ]

  /// Returns the number of faults. O(symbols).
  ///
  /// - Parameter knowsAccents: False for models that have learned no accents, so that they are faults.
  package static func count(in formula: Formula, knowsAccents: Bool = true) -> Int {
    FormulaFaults(knowsAccents: knowsAccents).count(in: formula.row, isScript: false)
  }

  private let knowsAccents: Bool

  private func count(in row: Formula.Row, isScript: Bool) -> Int {
    var faults = 0
    var open: [String] = []
    var bars = 0
    for (index, item) in row.enumerated() {
      switch item.kind {
      case .empty: faults += 1
      case .symbol(let symbol):
        let label = symbol.label
        if let partner = Self.partners[label] {
          open.append(partner)
        } else if Self.partners.values.contains(label) {
          if open.last == label { open.removeLast() } else { faults += 1 }
        } else if label == "|" {
          bars += 1
        } else if Self.operators.contains(label), !isScript {
          // A sign may begin a row; nothing else may begin or end with an operator.
          if index == row.count - 1 && label != "=" { faults += 1 }
          if index == 0, label != "+", label != #"\pm"# { faults += 1 }
        }
      case .fraction(_, let upper, let lower):
        faults += count(in: upper, isScript: false) + count(in: lower, isScript: false)
      case .root(_, let degree, let radicand):
        if radicand.isEmpty { faults += 1 }
        faults += count(in: degree, isScript: false) + count(in: radicand, isScript: false)
      case .accent(_, let base):
        faults += (knowsAccents ? 0 : 1) + count(in: base, isScript: false)
      case .table(let table):
        for cell in table.cells.joined() { faults += count(in: cell, isScript: false) }
      }
      faults += count(in: item.lower, isScript: true) + count(in: item.upper, isScript: true)
    }
    return faults + open.count + bars % 2
  }
}
