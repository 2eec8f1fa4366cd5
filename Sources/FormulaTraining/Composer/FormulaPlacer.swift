import Formulas
import Foundation
import InkCore
import InkSynthesis

/// Places the symbols of a formula as a hand would.
struct FormulaPlacer {
  let hand: FormulaHand
  let manner: FormulaManner
  /// The source of the differences between inks.
  var generator: SeededGenerator

  private static let pairs = [
    "(": ")", "[": "]", #"\{"#: #"\}"#, #"\langle"#: #"\rangle"#, #"\lfloor"#: #"\rfloor"#,
    #"\lceil"#: #"\rceil"#, "|": "|", #"\|"#: #"\|"#,
  ]
  /// The height of the middle of operators.
  private static let axis = 46.0

  /// Places a row; nil if a symbol cannot be written or the row is empty.
  ///
  /// - Parameter size: The size relative to the outermost row.
  mutating func row(_ items: Formula.Row, size: Double) -> FormulaPiece? {
    guard !items.isEmpty else { return nil }
    var result: FormulaPiece?
    var previous: Formula.Item?
    var index = 0
    while index < items.count {
      guard let (piece, next) = part(items, from: index, size: size) else { return nil }
      let gap =
        max(
          -14, self.gap(after: previous, before: items[index]) + generator.normal(7)) * size
        * exp(generator.normal(0.3))
      let drop = generator.normal(manner.lift) * size
      if var row = result {
        row.append(piece.moved(x: row.box.maxX + gap - piece.box.minX, y: drop))
        result = row
      } else {
        result = piece.moved(x: -piece.box.minX, y: 0)
      }
      previous = items[next - 1]
      index = next
    }
    return result
  }

  /// Places an item, or brackets with their content; returns the index behind it.
  private mutating func part(
    _ items: Formula.Row, from index: Int, size: Double
  ) -> (FormulaPiece, next: Int)? {
    if let end = closing(items, index), end > index + 1,
      generator.chance(manner.growingBrackets),
      let piece = bracketed(items, index, end, size: size)
    {
      return (piece, end + 1)
    }
    return item(items[index], size: size).map { ($0, index + 1) }
  }

  /// The index of the bracket that closes one; nil if the item does not open any.
  private func closing(_ items: Formula.Row, _ index: Int) -> Int? {
    guard let open = Self.label(items[index]), let close = Self.pairs[open],
      items[index].lower.isEmpty, items[index].upper.isEmpty
    else { return nil }
    var depth = 0
    for place in (index + 1)..<max(index + 1, items.count) {
      let label = Self.label(items[place])
      if label == close {
        if depth == 0 { return place }
        depth -= 1
      } else if label == open {
        depth += 1
      }
    }
    return nil
  }

  private mutating func bracketed(
    _ items: Formula.Row, _ start: Int, _ end: Int, size: Double
  ) -> FormulaPiece? {
    guard let inner = row(Array(items[(start + 1)..<end]), size: size),
      let open = Self.label(items[start]), let close = Self.label(items[end]),
      var left = symbol(open, size: size), let right = symbol(close, size: size)
    else { return nil }
    let height = generator.number(0.85...1.2)
    let top = min(inner.box.minY * height, left.box.minY)
    let bottom = max(inner.box.maxY * height, left.box.maxY)
    left = stretched(left, top, bottom)
    let gap = manner.letterGap * size * generator.number(0.3...1.2)
    left.append(inner.moved(x: left.box.maxX + gap - inner.box.minX, y: 0))
    var closed = stretched(
      right, top + generator.normal(4) * size, bottom + generator.normal(4) * size)
    closed = scripts(items[end], closed, label: close, size: size) ?? closed
    left.append(closed.moved(x: left.box.maxX + gap - closed.box.minX, y: 0))
    return left
  }

  /// Stretches a symbol to a height.
  private func stretched(_ piece: FormulaPiece, _ top: Double, _ bottom: Double) -> FormulaPiece {
    let box = piece.box
    guard box.height > 1, bottom - top > 1 else { return piece }
    let factor = (bottom - top) / box.height
    let width = factor > 1 ? factor.squareRoot() : 1
    return piece.mapped {
      StrokePoint(x: $0.x * width, y: top + ($0.y - box.minY) * factor)
    }
  }

  // MARK: - Items

  private mutating func item(_ item: Formula.Item, size: Double) -> FormulaPiece? {
    switch item.kind {
    case .empty, .table: return nil
    case .accent(let mark, let base):
      guard let piece = accent(mark.label, base, size: size) else { return nil }
      return scripts(item, piece, label: "", size: size)
    case .symbol(let symbol):
      guard let piece = self.symbol(symbol.label, size: size) else { return nil }
      return scripts(item, piece, label: symbol.label, size: size)
    case .fraction(_, let upper, let lower):
      guard let piece = fraction(upper, lower, size: size) else { return nil }
      return scripts(item, piece, label: "", size: size)
    case .root(_, let degree, let radicand):
      guard let piece = root(degree, radicand, size: size) else { return nil }
      return scripts(item, piece, label: "", size: size)
    }
  }

  private mutating func symbol(_ label: String, size: Double) -> FormulaPiece? {
    guard let strokes = hand.symbol(label, using: &generator) else { return nil }
    var factor = size * exp(generator.normal(manner.sizeNoise))
    let piece = FormulaPiece(label, strokes)
    guard SymbolText.largeOperators.contains(label) || label == #"\int"# || label == #"\oint"#
    else { return piece.mapped { StrokePoint(x: $0.x * factor, y: $0.y * factor) } }
    if label != #"\lim"#, SymbolLibrary.letters(ofFunction: label) == nil {
      factor *= manner.operatorSize
    } else {
      return piece.mapped { StrokePoint(x: $0.x * factor, y: $0.y * factor) }
    }
    // Large operators stand around the axis.
    let middle = piece.box.midY
    return piece.mapped {
      StrokePoint(x: $0.x * factor, y: ($0.y - middle) * factor - Self.axis * size)
    }
  }

  private mutating func fraction(
    _ upper: Formula.Row, _ lower: Formula.Row, size: Double
  ) -> FormulaPiece? {
    let inner = max(0.35, size * manner.fractionSize)
    guard let numerator = row(upper, size: inner), let denominator = row(lower, size: inner) else {
      return nil
    }
    let inside = max(numerator.box.width, denominator.box.width)
    let width = max(
      30 * size, inside + 2 * (manner.barOverhang + generator.normal(16)) * size)
    let axis = -(Self.axis + generator.normal(6)) * size
    let bar = self.bar(width, at: axis, size: size)
    func gap(_ generator: inout SeededGenerator) -> Double {
      max(-4, manner.barGap + generator.normal(12)) * size
    }
    func shift(_ box: BoundingBox, _ generator: inout SeededGenerator) -> Double {
      bar.box.midX - box.midX + (generator.normal(0.06) - 0.02) * width
    }
    let over = numerator.moved(
      x: shift(numerator.box, &generator),
      y: bar.box.minY - gap(&generator) - numerator.box.maxY)
    let under = denominator.moved(
      x: shift(denominator.box, &generator),
      y: bar.box.maxY + gap(&generator) - denominator.box.minY)
    var piece = bar
    let order = generator.number(0...1)
    if order > 1 - manner.barLast {
      piece.attach(under, .below, isBefore: true)
      piece.attach(over, .above, isBefore: true)
    } else {
      piece.attach(over, .above, isBefore: order >= manner.barFirst)
      piece.attach(under, .below)
    }
    return piece
  }

  private mutating func bar(_ width: Double, at y: Double, size: Double) -> FormulaPiece {
    let slope = generator.normal(0.02) * width
    var knots = [Knot(0, -y), Knot(width, -y + slope)]
    if generator.chance(0.5) {
      knots.insert(Knot(width / 2, -y + slope / 2 + generator.normal(2) * size), at: 1)
    }
    if generator.chance(0.05) { knots.reverse() }
    return FormulaPiece("-", hand.path([knots], using: &generator))
  }

  private mutating func root(
    _ degree: Formula.Row, _ radicand: Formula.Row, size: Double
  ) -> FormulaPiece? {
    guard let inner = row(radicand, size: size) else { return nil }
    let top = inner.box.minY - max(6, manner.roofGap + generator.normal(10)) * size
    let bottom = max(inner.box.maxY, 0) + (generator.normal(14) + 6) * size
    let height = max(40 * size, bottom - top)
    let lean = generator.number(0.12...0.4) * min(height, 120 * size)
    let hook = generator.number(0.08...0.22) * min(height, 140 * size)
    let start = generator.number(0.3...0.6) * height
    let gap = generator.number(-4...14) * size
    // A roof that is too short, or longer than it needs to be.
    let end =
      hook + lean + gap + inner.box.width * generator.number(0.9...1.06) + generator.number(-6...56)
      * size
    var knots = [
      Knot(0, start - bottom), Knot(hook, -bottom, isCorner: true),
      Knot(hook + lean, height - bottom, isCorner: true),
      Knot(end, height - bottom + generator.normal(4) * size),
    ]
    if generator.chance(0.6) {
      knots.insert(
        Knot(-0.5 * hook, start - bottom - generator.number(2...12) * size, isCorner: true), at: 0)
    }
    if generator.chance(0.15), let last = knots.last {
      knots[knots.count - 1].x += 1
      knots.append(Knot(last.x + 1, last.y - generator.number(8...22) * size))
    }
    var strokes = [knots]
    if generator.chance(0.1), let corner = knots.firstIndex(where: { $0.y == height - bottom }) {
      strokes = [Array(knots[...corner]), Array(knots[corner...])]
    }
    let sign = FormulaPiece(#"\sqrt"#, hand.path(strokes, using: &generator))
    let content = inner.moved(x: hook + lean + gap - inner.box.minX, y: 0)
    var piece = sign
    if !degree.isEmpty {
      guard let index = row(degree, size: size * 0.55 * generator.number(0.8...1.2)) else {
        return nil
      }
      let place = index.moved(
        x: hook + 0.35 * lean - index.box.maxX + generator.normal(4) * size,
        y: bottom - start - generator.number(4...18) * size - index.box.maxY)
      piece.attach(place, .above, isBefore: generator.chance(0.2))
    }
    piece.attach(content, .inside, isBefore: generator.chance(0.06))
    return piece
  }

  /// Places a sign above a row: a bar and an arrow as wide as the row, others over its middle.
  private mutating func accent(
    _ label: String, _ base: Formula.Row, size: Double
  ) -> FormulaPiece? {
    guard let sign = AccentSigns.sign(of: label), let inner = row(base, size: size) else {
      return nil
    }
    let box = inner.box
    let gap = max(2, 0.4 * manner.limitGap + 4 + generator.normal(4)) * size
    var mark: FormulaPiece
    if sign == "-" {
      let width = max(20 * size, box.width * generator.number(0.8...1.25))
      mark = bar(width, at: 0, size: size)
    } else {
      guard let drawn = symbol(sign, size: size) else { return nil }
      let isArrow = sign == #"\rightarrow"#
      let width =
        isArrow
        ? max(26 * size, box.width * generator.number(0.8...1.3))
        : sign == #"\cdot"#
          ? drawn.box.width : min(max(0.8 * box.width, 22 * size), 42 * size)
      let factor = width / max(drawn.box.width, 1)
      // An arrow gets longer and not taller.
      let tall = isArrow ? min(factor, 0.5) : min(factor, 0.6)
      mark =
        sign == #"\cdot"#
        ? drawn
        : drawn.mapped {
          StrokePoint(x: $0.x * factor, y: $0.y * tall)
        }
    }
    mark = mark.moved(
      x: box.midX - mark.box.midX + generator.normal(6) * size,
      y: box.minY - gap - mark.box.maxY)
    mark.attach(inner, .below, isBefore: generator.chance(0.9))
    return mark
  }

  // MARK: - Scripts

  private mutating func scripts(
    _ item: Formula.Item, _ base: FormulaPiece, label: String, size: Double
  ) -> FormulaPiece? {
    if item.lower.isEmpty, item.upper.isEmpty { return base }
    if isOver(label) { return limits(item, base, size: size) }
    var result = base
    let edge = base.box.maxX
    var lower: FormulaPiece?
    if !item.lower.isEmpty {
      guard let piece = row(item.lower, size: scriptSize(size)) else { return nil }
      let isTall = base.box.height > 130 * size
      let drop =
        (manner.subscriptDrop + generator.normal(5)) * size
        + (isTall ? max(0, base.box.maxY - 10 * size) : max(0, 0.3 * base.box.maxY))
      let inward = label == #"\int"# ? generator.number(0...24) * size : 0
      lower = piece.moved(
        x: edge - inward + scriptGap(size) - piece.box.minX, y: drop)
    }
    var upper: FormulaPiece?
    if !item.upper.isEmpty {
      if let primes = self.primes(item.upper, size: size) {
        upper = primes.moved(x: edge + 0.4 * scriptGap(size) - primes.box.minX, y: 0)
      } else {
        guard let piece = row(item.upper, size: scriptSize(size)) else { return nil }
        let top = min(base.box.minY, -40 * size)
        // The baseline of the script is under the top of the base, its lower edge is not far under.
        let rise = top + (manner.superscriptDrop + generator.normal(5)) * size
        let lowest = max(0, piece.box.maxY) * 0.5
        upper = piece.moved(
          x: edge + scriptGap(size) - piece.box.minX,
          y: min(rise - lowest, -20 * size))
      }
    }
    let isLowerFirst = generator.chance(0.6)
    if let lower, isLowerFirst { result.attach(lower, .subscript) }
    if let upper { result.attach(upper, .superscript) }
    if let lower, !isLowerFirst { result.attach(lower, .subscript) }
    return result
  }

  private mutating func scriptSize(_ size: Double) -> Double {
    max(0.3, size * manner.scriptSize * generator.number(0.9...1.1))
  }

  private mutating func scriptGap(_ size: Double) -> Double {
    (manner.scriptGap + generator.normal(13)) * size
  }

  /// Primes are drawn in their own height; nil for other scripts.
  private mutating func primes(_ row: Formula.Row, size: Double) -> FormulaPiece? {
    guard row.allSatisfy({ Self.label($0) == "'" }) else { return nil }
    var result: FormulaPiece?
    for _ in row {
      guard let piece = symbol("'", size: size) else { return nil }
      if var all = result {
        all.append(piece.moved(x: all.box.maxX + 6 * size - piece.box.minX, y: 0))
        result = all
      } else {
        result = piece
      }
    }
    return result
  }

  private func isOver(_ label: String) -> Bool {
    if label == #"\int"# || label == #"\oint"# { return manner.putsIntegralLimitsOver }
    if label == #"\lim"# || label == #"\max"# || label == #"\min"# { return true }
    return SymbolText.largeOperators.contains(label) && manner.putsLimitsOver
  }

  private mutating func limits(
    _ item: Formula.Item, _ base: FormulaPiece, size: Double
  ) -> FormulaPiece? {
    var result = base
    let inner = max(0.3, size * manner.limitSize * generator.number(0.9...1.1))
    var over: FormulaPiece?
    if !item.upper.isEmpty {
      guard let piece = row(item.upper, size: inner) else { return nil }
      over = piece.moved(
        x: base.box.midX - piece.box.midX + generator.normal(26) * size,
        y: base.box.minY - max(-10, manner.limitGap + generator.normal(12)) * size - piece.box.maxY)
    }
    var under: FormulaPiece?
    if !item.lower.isEmpty {
      guard let piece = row(item.lower, size: inner) else { return nil }
      under = piece.moved(
        x: base.box.midX - piece.box.midX + generator.normal(26) * size,
        y: base.box.maxY + max(-10, 1.3 * manner.limitGap + generator.normal(14)) * size
          - piece.box.minY)
    }
    let isUnderFirst = generator.chance(0.6)
    if let under, isUnderFirst { result.attach(under, .below) }
    if let over { result.attach(over, .above) }
    if let under, !isUnderFirst { result.attach(under, .below) }
    return result
  }

  // MARK: - Gaps

  private func gap(after: Formula.Item?, before: Formula.Item) -> Double {
    guard let after else { return 0 }
    func isWide(_ item: Formula.Item) -> Bool {
      guard let label = Self.label(item) else { return false }
      return Self.operators.contains(label) || SymbolText.largeOperators.contains(label)
        || SymbolLibrary.letters(ofFunction: label) != nil
    }
    if isWide(after) || isWide(before) { return manner.operatorGap }
    if let label = Self.label(after), label == "," { return manner.operatorGap }
    return manner.letterGap
  }

  private static let operators: Set<String> = Set(
    (#"+ - = < > / : \times \div \pm \mp \cup \cap \wedge \vee \setminus \leq \geq \neq \approx "#
      + #"\equiv \sim \cong \simeq \propto \ll \gg \subset \supset \subseteq \supseteq \in \notin \perp "#
      + #"\rightarrow \leftarrow \leftrightarrow \Rightarrow \Leftarrow \Leftrightarrow \mapsto "#
      + #"\oplus \otimes \ldots \therefore \because"#).split(separator: " ").map(String.init))

  private static func label(_ item: Formula.Item) -> String? {
    guard case .symbol(let symbol) = item.kind else { return nil }
    return symbol.label
  }
}
