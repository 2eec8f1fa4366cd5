import Formulas
import Typesetting

/// Places the signs and lines of a formula, by the usual rules of typesetting (Knuth, The TeXbook,
/// appendix G, simplified).
///
/// All lengths are in sizes of the font; x grows to the right and y up from the baseline.
struct FormulaSetter {
  /// A sign or a line of a symbol.
  struct Piece {
    enum Content {
      case text(TypesetWord)
      case line([(x: Double, y: Double)])
    }

    /// The index of its symbol, in reading order. Each symbol has one piece.
    var symbol: Int
    var content: Content
    /// The place of the pen before a text, and of the origin of a line.
    var x, y: Double
  }

  /// Pieces on one baseline.
  struct Box {
    var width = 0.0
    /// The extent above the baseline.
    var height = 0.0
    /// The extent below the baseline; negative for a box that is above it.
    var depth = 0.0
    var pieces: [Piece] = []

    /// Adds a box at a place.
    mutating func add(_ other: Box, x: Double, y: Double = 0) {
      pieces += other.pieces.map { piece in
        var piece = piece
        piece.x += x
        piece.y += y
        return piece
      }
      width = max(width, x + other.width)
      height = max(height, y + other.height)
      depth = max(depth, other.depth - y)
    }
  }

  /// The size of a row.
  private struct Style {
    var size = 1.0
    var isScript = false

    var script: Style {
      Style(size: max(FormulaMeasures.leastScript, FormulaMeasures.script * size), isScript: true)
    }
  }

  private let typesetter: Typesetter
  private let face: FontFace
  /// The height of a bar above the baseline: that of the middle of a plus.
  private let axis: Double
  /// The characters that the fonts lack.
  private(set) var missing: Set<Character> = []
  private var count = 0

  /// Makes a setter of a face.
  init(_ face: FontFace, fonts: any FontProvider) {
    self.face = face
    typesetter = Typesetter(fonts: fonts)
    let plus = typesetter.word("+", face: face, size: 1).glyphs.first
    axis = plus.map { ($0.top + $0.bottom) / 2 } ?? FormulaMeasures.usualAxis
  }

  /// Sets a formula. O(symbols).
  mutating func set(_ formula: Formula) -> Box {
    count = 0
    return row(formula.row, Style())
  }

  private mutating func nextSymbol() -> Int {
    defer { count += 1 }
    return count
  }

  // MARK: - Rows

  /// An item before its scripts are placed.
  private struct Part {
    var item: Formula.Item
    var base: Box
    var lower: Box
    var upper: Box
  }

  private mutating func row(_ row: Formula.Row, _ style: Style) -> Box {
    var parts: [Part] = []
    for item in row {
      // The order is that of the symbols.
      let base = base(of: item, style)
      let lower = self.row(item.lower, style.script)
      let upper = self.row(item.upper, style.script)
      parts.append(Part(item: item, base: base, lower: lower, upper: upper))
    }
    growBrackets(&parts, style)
    var result = Box()
    for (index, part) in parts.enumerated() {
      let before = index > 0 ? parts[index - 1].item : nil
      let space = index > 0 && !style.isScript ? Self.space(before, part.item) : 0
      result.add(withScripts(part, style), x: result.width + space * style.size)
    }
    return result
  }

  private mutating func base(of item: Formula.Item, _ style: Style) -> Box {
    switch item.kind {
    case .empty: return Box()
    case .symbol(let symbol): return sign(symbol.label, nextSymbol(), style)
    case .fraction(_, let upper, let lower):
      return fraction(nextSymbol(), upper, lower, style)
    case .root(_, let degree, let radicand): return root(nextSymbol(), degree, radicand, style)
    case .accent(let mark, let base): return accent(mark.label, nextSymbol(), base, style)
    case .table(let table): return self.table(table, style)
    }
  }

  private mutating func sign(_ label: String, _ symbol: Int, _ style: Style) -> Box {
    let isOperator = Self.tallOperators.contains(label)
    let size = style.size * (isOperator ? FormulaMeasures.tallOperator : 1)
    var box = text(SymbolText.text(of: label), symbol, size, isItalic: Self.isVariable(label))
    if isOperator {
      // Its middle is on the axis.
      let shift = axis * style.size - (box.height - box.depth) / 2
      let placed = box
      box = Box()
      box.add(placed, x: 0, y: shift)
      (box.height, box.depth) = (placed.height + shift, placed.depth - shift)
    }
    return box
  }

  private mutating func text(
    _ text: String, _ symbol: Int, _ size: Double, isItalic: Bool = false
  ) -> Box {
    var face = face
    face.isItalic = isItalic
    let word = typesetter.word(text, face: face, size: size)
    missing.formUnion(word.missing)
    let drawn = word.glyphs.filter { !$0.isEmpty }
    return Box(
      width: word.width, height: size * (drawn.map(\.top).max() ?? FormulaMeasures.missingHeight),
      depth: -size * (drawn.map(\.bottom).min() ?? 0),
      pieces: [Piece(symbol: symbol, content: .text(word), x: 0, y: 0)])
  }

  /// An open bracket, and how far what follows it reaches from the axis.
  private struct OpenBracket {
    var index: Int
    var label: String
    var reach = 0.0
  }

  /// Makes brackets as tall as what they hold. O(items).
  private mutating func growBrackets(_ parts: inout [Part], _ style: Style) {
    let middle = axis * style.size
    var open: [OpenBracket] = []
    func reach(_ part: Part) -> Double {
      let box = withScripts(part, style)
      return max(box.height - middle, box.depth + middle)
    }
    for (index, part) in parts.enumerated() {
      let label = Self.label(part.item) ?? ""
      let isBar = label == "|" || label == #"\|"#
      let closes = isBar ? open.last?.label == label : Self.closing.contains(label)
      if closes {
        // A bar that nothing closes is no bracket: what is behind it belongs to the bracket before.
        var loose = 0.0
        while !isBar, let last = open.last, last.label == "|" || last.label == #"\|"# {
          loose = max(loose, last.reach)
          open.removeLast()
        }
        guard let last = open.popLast() else { continue }
        let inner = max(last.reach, loose)
        for place in [last.index, index] where index > last.index + 1 {
          parts[place].base = grown(parts[place].base, to: inner, style)
        }
        let whole = max(inner, reach(parts[index]))
        if !open.isEmpty { open[open.count - 1].reach = max(open[open.count - 1].reach, whole) }
      } else if isBar || Self.opening.contains(label) {
        open.append(OpenBracket(index: index, label: label))
      } else if !open.isEmpty {
        open[open.count - 1].reach = max(open[open.count - 1].reach, reach(part))
      }
    }
  }

  /// A bracket that reaches as far from the axis as what it holds.
  private mutating func grown(_ bracket: Box, to reach: Double, _ style: Style) -> Box {
    let own = (bracket.height + bracket.depth) / 2
    guard own > 0, reach > FormulaMeasures.growth * own, let piece = bracket.pieces.first,
      case .text(let word) = piece.content
    else { return bracket }
    let tall = text(word.text, piece.symbol, word.size * reach / own)
    let shift = axis * style.size - (tall.height - tall.depth) / 2
    var box = Box()
    box.add(tall, x: 0, y: shift)
    (box.height, box.depth) = (tall.height + shift, tall.depth - shift)
    return box
  }

  // MARK: - Scripts

  private func withScripts(_ part: Part, _ style: Style) -> Box {
    let base = part.base
    guard !part.lower.pieces.isEmpty || !part.upper.pieces.isEmpty else { return base }
    let gap = FormulaMeasures.limitGap * style.size
    if let label = Self.label(part.item), SymbolText.largeOperators.contains(label),
      !style.isScript
    {
      let width = max(base.width, part.lower.width, part.upper.width)
      var box = Box(width: width)
      box.add(base, x: (width - base.width) / 2)
      if !part.upper.pieces.isEmpty {
        box.add(
          part.upper, x: (width - part.upper.width) / 2,
          y: base.height + gap + part.upper.depth)
      }
      if !part.lower.pieces.isEmpty {
        box.add(
          part.lower, x: (width - part.lower.width) / 2,
          y: -(base.depth + gap + part.lower.height))
      }
      return box
    }
    var box = base
    let x = base.width + FormulaMeasures.scriptGap * style.size
    var raised = max(
      FormulaMeasures.raise * style.size, base.height - FormulaMeasures.raiseUnderTop * style.size)
    var lowered = max(
      FormulaMeasures.drop * style.size, base.depth + FormulaMeasures.dropUnderBase * style.size)
    raised = max(raised, part.upper.depth + FormulaMeasures.leastRaise * style.size)
    if !part.upper.pieces.isEmpty, !part.lower.pieces.isEmpty {
      // Both stay apart.
      let overlap = gap - (raised - part.upper.depth) + (part.lower.height - lowered)
      if overlap > 0 { lowered += overlap }
    }
    if !part.upper.pieces.isEmpty { box.add(part.upper, x: x, y: raised) }
    if !part.lower.pieces.isEmpty { box.add(part.lower, x: x, y: -lowered) }
    box.width += FormulaMeasures.scriptGap * style.size
    return box
  }

  // MARK: - Fractions, roots, accents

  private mutating func fraction(
    _ symbol: Int, _ upper: Formula.Row, _ lower: Formula.Row, _ style: Style
  ) -> Box {
    let inner = Style(
      size: style.isScript ? style.size : FormulaMeasures.fraction * style.size,
      isScript: style.isScript)
    let (numerator, denominator) = (row(upper, inner), row(lower, inner))
    let inside = max(numerator.width, denominator.width, FormulaMeasures.leastBar * style.size)
    let width = inside + 2 * FormulaMeasures.barOverhang * style.size
    let (middle, gap) = (axis * style.size, FormulaMeasures.barGap * style.size)
    let edge = FormulaMeasures.barSpace * style.size
    var box = Box(width: width + 2 * edge)
    box.pieces = [
      Piece(symbol: symbol, content: .line([(0, 0), (width, 0)]), x: edge, y: middle)
    ]
    box.add(
      numerator, x: edge + (width - numerator.width) / 2, y: middle + gap + numerator.depth)
    box.add(
      denominator, x: edge + (width - denominator.width) / 2,
      y: middle - gap - denominator.height)
    return box
  }

  private mutating func root(
    _ symbol: Int, _ degree: Formula.Row, _ radicand: Formula.Row, _ style: Style
  ) -> Box {
    let index = row(
      degree,
      Style(
        size: max(FormulaMeasures.leastDegree, FormulaMeasures.degree * style.size), isScript: true)
    )
    let inner = row(radicand, style)
    let size = style.size
    let (top, bottom) = (
      inner.height + FormulaMeasures.roofGap * size, inner.depth + FormulaMeasures.rootDepth * size
    )
    let total = top + bottom
    // The hook, the long stroke and the bar.
    let start = max(0, index.width - FormulaMeasures.degreeOverlap * size)
    let width = FormulaMeasures.rootWidth * size
    let roof = start + width + inner.width + FormulaMeasures.roofOverhang * size
    let line: [(x: Double, y: Double)] = [
      (start, FormulaMeasures.hookStart * total - bottom),
      (start + FormulaMeasures.hook * width, FormulaMeasures.hookTop * total - bottom),
      (start + FormulaMeasures.rootFoot * width, -bottom), (start + width, top), (roof, top),
    ]
    var box = Box(
      width: roof + FormulaMeasures.rootSpace * size, height: top, depth: bottom,
      pieces: [Piece(symbol: symbol, content: .line(line), x: 0, y: 0)])
    box.add(index, x: 0, y: FormulaMeasures.degreeHeight * total - bottom + index.depth)
    box.add(inner, x: start + width + FormulaMeasures.rootSpace * size)
    return box
  }

  private mutating func accent(
    _ label: String, _ symbol: Int, _ base: Formula.Row, _ style: Style
  ) -> Box {
    let inner = row(base, style)
    let (size, width) = (style.size, max(inner.width, FormulaMeasures.leastMark))
    var box = inner
    switch label {
    case #"\underline"#:
      let y = -(inner.depth + FormulaMeasures.markGap * size)
      box.pieces.append(
        Piece(symbol: symbol, content: .line([(0, 0), (width, 0)]), x: 0, y: y))
      box.depth = -y
    case #"\hat"#, #"\dot"#, #"\ddot"#, #"\tilde"#:
      let marks = [#"\hat"#: "ˆ", #"\dot"#: "˙", #"\ddot"#: "¨", #"\tilde"#: "˜"]
      let mark = text(marks[label] ?? "ˆ", symbol, size)
      box.add(
        mark, x: max(0, (inner.width - mark.width) / 2),
        y: inner.height + FormulaMeasures.signGap * size + mark.depth)
    default:
      let y = inner.height + FormulaMeasures.markGap * size
      var line: [(x: Double, y: Double)] = [(0, 0), (width, 0)]
      if label == #"\vec"# || label == #"\overrightarrow"# {
        let head = FormulaMeasures.arrowHead * size
        line += [(width - head, head), (width, 0), (width - head, -head)]
      }
      box.pieces.append(Piece(symbol: symbol, content: .line(line), x: 0, y: y))
      box.height = y + FormulaMeasures.barSpace * size
    }
    return box
  }
}

// Tables.
extension FormulaSetter {
  /// Cells in rows and columns: those of a matrix are in the middle of their column, lines and cases at its
  /// left edge.
  private mutating func table(_ table: Formula.Table, _ style: Style) -> Box {
    let open = table.open.map { sign($0.label, nextSymbol(), style) }
    let cells = table.cells.map { $0.map { row($0, style) } }
    let close = table.close.map { sign($0.label, nextSymbol(), style) }
    let size = style.size
    let isLeft = table.isLines || table.close == nil
    let widths = (0..<table.columns).map { column in
      cells.map { $0[column].width }.max() ?? 0
    }
    var inner = Box()
    var y = 0.0
    for (index, boxes) in cells.enumerated() {
      let height = max(boxes.map(\.height).max() ?? 0, FormulaMeasures.rowHeight * size)
      let depth = max(boxes.map(\.depth).max() ?? 0, FormulaMeasures.rowDepth * size)
      if index > 0 { y -= height + FormulaMeasures.rowGap * size }
      var x = 0.0
      for (column, box) in boxes.enumerated() {
        inner.add(box, x: x + (isLeft ? 0 : (widths[column] - box.width) / 2), y: y)
        x += widths[column] + FormulaMeasures.columnGap * size
      }
      if index == 0 { inner.height = max(inner.height, height) }
      y -= depth
      inner.depth = max(inner.depth, -y)
    }
    let gaps = FormulaMeasures.columnGap * size * Double(max(0, widths.count - 1))
    inner.width = max(inner.width, widths.reduce(0, +) + gaps)
    // The middle of the table is on the axis.
    let shift = axis * size - (inner.height - inner.depth) / 2
    var result = Box()
    let reach = (inner.height + inner.depth) / 2
    if let open { result.add(grown(open, to: reach, style), x: 0) }
    var placed = Box()
    placed.add(inner, x: 0, y: shift)
    (placed.height, placed.depth) = (inner.height + shift, inner.depth - shift)
    result.add(placed, x: result.width + (open == nil ? 0 : FormulaMeasures.bracketGap * size))
    if let close {
      result.add(
        grown(close, to: reach, style), x: result.width + FormulaMeasures.bracketGap * size)
    }
    return result
  }
}
