extension Formula {
  /// The formula of some of its symbols, in the places that they had. O(symbols).
  ///
  /// Scripts without their base are in its row, as is what was over or under a bar that is gone if the
  /// other side is empty.
  ///
  /// - Parameter isKept: Gets the index of a symbol in reading order, that of ``forEachSymbol(_:)``.
  /// - Returns: nil if the places no longer tell the structure: a numerator and a denominator without
  ///   their bar, a table without a bracket.
  package func keeping(_ isKept: (Int) -> Bool) -> Formula? {
    var keeper = SymbolKeeper()
    return keeper.row(row, isKept).map { Formula(row: $0) }
  }
}

/// Takes symbols out of rows, in reading order.
private struct SymbolKeeper {
  /// The symbols that were seen.
  private var count = 0

  private mutating func next(_ isKept: (Int) -> Bool) -> Bool {
    defer { count += 1 }
    return isKept(count)
  }

  mutating func row(_ row: Formula.Row, _ isKept: (Int) -> Bool) -> Formula.Row? {
    var result: Formula.Row = []
    for item in row {
      guard let parts = parts(of: item.kind, isKept), let lower = self.row(item.lower, isKept),
        let upper = self.row(item.upper, isKept)
      else { return nil }
      switch parts.count {
      case 0:
        guard lower.isEmpty || upper.isEmpty else { return nil }
        result += lower + upper
      case 1 where parts[0].lower.isEmpty && parts[0].upper.isEmpty:
        result.append(Formula.Item(parts[0].kind, lower: lower, upper: upper))
      default:
        guard lower.isEmpty, upper.isEmpty else { return nil }
        result += parts
      }
    }
    return result
  }

  /// The rest of an item without its scripts; nil if its structure is gone.
  private mutating func parts(
    of kind: Formula.Kind, _ isKept: (Int) -> Bool
  ) -> Formula.Row? {
    switch kind {
    case .empty: return [Formula.Item(.empty)]
    case .symbol(let symbol): return next(isKept) ? [Formula.Item(.symbol(symbol))] : []
    case .fraction(let bar, let upper, let lower):
      let hasBar = next(isKept)
      guard let upper = row(upper, isKept), let lower = row(lower, isKept) else { return nil }
      guard hasBar else { return upper.isEmpty || lower.isEmpty ? upper + lower : nil }
      let isBar = upper.isEmpty && lower.isEmpty
      return [Formula.Item(isBar ? .symbol(bar) : .fraction(bar, upper, lower))]
    case .root(let sign, let degree, let radicand):
      let hasSign = next(isKept)
      guard let degree = row(degree, isKept), let radicand = row(radicand, isKept) else {
        return nil
      }
      if hasSign { return [Formula.Item(.root(sign, degree: degree, radicand))] }
      return degree.isEmpty || radicand.isEmpty ? degree + radicand : nil
    case .accent(let mark, let base):
      let hasMark = next(isKept)
      guard let base = row(base, isKept) else { return nil }
      guard hasMark else { return base }
      return base.isEmpty ? nil : [Formula.Item(.accent(mark, base))]
    case .table(let table): return self.table(table, isKept)
    }
  }

  private mutating func table(
    _ table: Formula.Table, _ isKept: (Int) -> Bool
  ) -> Formula.Row? {
    let open = table.open.flatMap { next(isKept) ? $0 : nil }
    var cells: [[Formula.Row]] = []
    for line in table.cells {
      var kept: [Formula.Row] = []
      for cell in line {
        guard let cell = row(cell, isKept) else { return nil }
        kept.append(cell)
      }
      cells.append(kept)
    }
    let close = table.close.flatMap { next(isKept) ? $0 : nil }
    guard !cells.joined().allSatisfy(\.isEmpty) else {
      return [open, close].compactMap { $0.map { Formula.Item(.symbol($0)) } }
    }
    guard (open == nil) == (table.open == nil), (close == nil) == (table.close == nil) else {
      return nil
    }
    return [Formula.Item(.table(Formula.Table(open: open, cells: cells, close: close)))]
  }
}
