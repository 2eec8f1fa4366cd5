import Foundation
import InkCore
import Layout

/// Formulas: symbols in a row, fractions, roots, powers and indices. All of their ink is of kind
/// formula, and y = 0 is the axis of the fraction bar.
extension PageScribe {
  /// A formula in a line of text.
  func inlineFormula(using generator: inout SeededGenerator) -> PagePiece {
    let formula: PagePiece
    switch generator.number(0...1) {
    case ..<0.35: formula = power(atom(using: &generator), using: &generator)
    case ..<0.75: formula = equation(depth: 0, using: &generator)
    default: formula = expression(depth: 1, using: &generator)
    }
    let box = formula.box
    // A tall formula is written smaller.
    let limit = generator.number(1.1...2)
    return box.height > limit ? formula.scaled(limit / box.height) : formula
  }

  /// A formula in a line of its own.
  func displayedFormula(using generator: inout SeededGenerator) -> PagePiece {
    let depth = generator.chance(0.3) ? 0 : 1 + generator.index(below: 2)
    var formula =
      generator.chance(0.75)
      ? equation(depth: depth, using: &generator) : expression(depth: depth, using: &generator)
    if generator.chance(0.1) {
      formula = row([formula, matrix(using: &generator)], using: &generator)
    }
    return formula.scaled(generator.number(0.9...1.6))
  }

  private func equation(depth: Int, using generator: inout SeededGenerator) -> PagePiece {
    var parts = [
      generator.chance(0.5)
        ? power(atom(using: &generator), chance: 0.4, using: &generator)
        : expression(depth: depth, using: &generator)
    ]
    repeat {
      parts.append(relation(using: &generator))
      parts.append(expression(depth: depth, using: &generator))
    } while generator.chance(0.18)
    return row(parts, using: &generator)
  }

  private func expression(depth: Int, using generator: inout SeededGenerator) -> PagePiece {
    var parts: [PagePiece] = []
    let count = 1 + generator.index(below: depth > 0 ? 3 : 2)
    for index in 0..<max(count, depth == 0 ? 2 : 1) {
      if index > 0, generator.chance(0.8) { parts.append(operation(using: &generator)) }
      parts.append(term(depth: depth, using: &generator))
    }
    return row(parts, using: &generator)
  }

  private func term(depth: Int, using generator: inout SeededGenerator) -> PagePiece {
    guard depth > 0 else { return power(atom(using: &generator), chance: 0.35, using: &generator) }
    switch generator.number(0...1) {
    case ..<0.22: return fraction(depth: depth, using: &generator)
    case ..<0.32: return root(expression(depth: depth - 1, using: &generator), using: &generator)
    case ..<0.44: return sum(depth: depth, using: &generator)
    case ..<0.54:
      let inner = expression(depth: depth - 1, using: &generator)
      return power(
        row(
          [paren(true, inner, using: &generator), inner, paren(false, inner, using: &generator)],
          using: &generator), chance: 0.3, using: &generator)
    case ..<0.62:
      let name = ["sin", "cos", "log", "lim", "ln", "tan", "max", "exp"][generator.index(below: 8)]
      return row(
        [formula(printed(name, using: &generator)), term(depth: 0, using: &generator)],
        using: &generator)
    default: return power(atom(using: &generator), using: &generator)
    }
  }

  // MARK: - Parts

  private func formula(_ piece: PagePiece) -> PagePiece {
    var result = piece
    for index in result.strokes.indices { result.strokes[index].kind = .formula }
    return result
  }

  private func atom(using generator: inout SeededGenerator) -> PagePiece {
    switch generator.number(0...1) {
    case ..<0.3:
      let number = String(generator.index(below: generator.chance(0.7) ? 10 : 200))
      return formula(printed(number, using: &generator))
    case ..<0.75:
      let names = Array("abcdefghiklmnpqrstuvwxyzxyzABCEFGHKLMNPRSTVXYZ")
      if let glyph = glyph(names[generator.index(below: names.count)], using: &generator) {
        return formula(glyph)
      }
      fallthrough
    default:
      let greek = [
        "alpha", "beta", "gamma", "delta", "epsilon", "theta", "iota", "pi", "sigma", "omega",
        "chi", "psi", "zeta", "nu", "eta", "infinity", "Delta", "Phi", "Sigma", "Lambda", "Xi",
        "diff", "gradient", "RR", "NN", "emptyset", "Upsilon", "Eta", "forall",
      ]
      return symbol(among: greek, height: generator.number(0.6...1), using: &generator)
        ?? formula(printed("x", using: &generator))
    }
  }

  /// A symbol of one of these names at x = 0, its middle on the axis.
  private func symbol(
    among names: [String], height: Double, using generator: inout SeededGenerator
  ) -> PagePiece? {
    let known = names.filter { material.symbols[$0] != nil }
    guard !known.isEmpty, let forms = material.symbols[known[generator.index(below: known.count)]]
    else { return nil }
    let piece = PagePiece(forms[generator.index(below: forms.count)], kind: .formula)
    let box = piece.box
    let size = max(box.height, 0.6 * box.width)
    guard size > 0 else { return nil }
    return piece.moved(-box.minX, -box.midY).scaled(height / size * exp(generator.normal(0.08)))
  }

  private func relation(using generator: inout SeededGenerator) -> PagePiece {
    let choice = generator.number(0...1)
    if choice < 0.25, let glyph = glyph("=", using: &generator) { return formula(glyph) }
    if choice < 0.65 {
      let (width, gap) = (generator.number(0.4...0.9), generator.number(0.12...0.35))
      return PagePiece(
        [-gap / 2, gap / 2].map { y in
          pen.line(
            PagePoint(generator.normal(0.04), y + generator.normal(0.02)),
            PagePoint(width + generator.normal(0.04), y + generator.normal(0.02)),
            using: &generator)
        }, kind: .formula)
    }
    let names = material.symbolNames.filter { name in
      [
        "lt", "gt", "eq", "approx", "tilde", "in", "subset", "supset", "prop", "prec", "succ",
        "arrow.r", "arrow.l", "harpoon", "equiv", "models", "perp", "parallel", "divides",
      ].contains { name.hasPrefix($0) } && !name.hasPrefix("integral")
    }
    return symbol(among: names, height: generator.number(0.4...0.75), using: &generator)
      ?? formula(printed("<", using: &generator))
  }

  private func operation(using generator: inout SeededGenerator) -> PagePiece {
    let width = generator.number(0.35...0.7)
    let minus = pen.line(
      PagePoint(0, 0), PagePoint(width, generator.normal(0.03)), using: &generator)
    switch generator.number(0...1) {
    case ..<0.25: return PagePiece([minus], kind: .formula)
    case ..<0.5:
      let bar = pen.line(
        PagePoint(width / 2 + generator.normal(0.03), -width / 2),
        PagePoint(width / 2 + generator.normal(0.03), width / 2), using: &generator)
      return PagePiece([minus, bar], kind: .formula)
    case ..<0.62:
      return formula(glyph("+", using: &generator) ?? PagePiece([minus], kind: .formula))
    default:
      let names = material.symbolNames.filter { name in
        [
          "plus", "minus", "times", "dot.basic", "compose", "union", "sect", "or", "and", "dot",
          "star.op",
          "ast", "div", "slash",
        ].contains { name.hasPrefix($0) }
      }
      return symbol(among: names, height: generator.number(0.3...0.7), using: &generator)
        ?? PagePiece([minus], kind: .formula)
    }
  }

  /// Pieces beside each other.
  private func row(_ parts: [PagePiece], using generator: inout SeededGenerator) -> PagePiece {
    var result = PagePiece()
    var x = 0.0
    for part in parts where !part.strokes.isEmpty {
      let box = part.box
      result.add(part.moved(x - box.minX, generator.normal(0.03)))
      x += box.width + symbolGap * exp(generator.normal(0.35))
    }
    return result
  }

  private func power(
    _ base: PagePiece, chance: Double = 0.8, using generator: inout SeededGenerator
  ) -> PagePiece {
    var result = base
    guard generator.chance(chance) else { return result }
    let box = base.box
    let isIndex = generator.chance(0.45)
    func script() -> PagePiece {
      var script = atom(using: &generator)
      if generator.chance(0.2) {
        script = row(
          [script, operation(using: &generator), atom(using: &generator)], using: &generator)
      }
      script = script.scaled(generator.number(0.45...0.75))
      return script.moved(
        -script.box.minX + box.maxX + generator.number(0.02...0.2), -script.box.midY)
    }
    let shift = generator.number(-0.15...0.15)
    if !isIndex || generator.chance(0.15) { result.add(script().moved(0, box.minY + shift)) }
    if isIndex { result.add(script().moved(0, box.maxY + shift)) }
    return result
  }

  private func fraction(depth: Int, using generator: inout SeededGenerator) -> PagePiece {
    func part() -> PagePiece {
      generator.chance(0.5)
        ? expression(depth: depth - 1, using: &generator)
        : power(atom(using: &generator), chance: 0.4, using: &generator)
    }
    let (upper, lower) = (part(), part())
    let (over, under) = (upper.box, lower.box)
    let width = max(over.width, under.width) + generator.number(0...0.5)
    let gap = generator.number(0.08...0.35)
    var result = PagePiece()
    result.add(upper.moved(-over.midX, -over.maxY - gap))
    result.add(
      [
        pen.line(
          PagePoint(-width / 2, generator.normal(0.04)),
          PagePoint(width / 2, generator.normal(0.04)), using: &generator)
      ],
      .formula)
    result.add(lower.moved(-under.midX, -under.minY + gap))
    return result
  }

  private func root(_ inner: PagePiece, using generator: inout SeededGenerator) -> PagePiece {
    let box = inner.box
    let top = box.minY - generator.number(0.08...0.3)
    let bottom = box.maxY + generator.number(-0.05...0.15)
    let left = box.minX - generator.number(0.1...0.25)
    let height = bottom - top
    let sign = [
      PagePoint(left - 0.5 * min(height, 1.3), bottom - 0.45 * height),
      PagePoint(left - 0.3 * min(height, 1.3), bottom - 0.5 * height),
      PagePoint(left - 0.2 * min(height, 1.3), bottom), PagePoint(left, top),
    ]
    let bar = PagePoint(box.maxX + generator.number(0...0.3), top + generator.normal(0.05))
    var result = inner
    if generator.chance(0.8) {
      result.strokes.insert(
        PageStroke(points: pen.path(sign + [bar], using: &generator), kind: .formula), at: 0)
    } else {
      result.add(
        [pen.path(sign, using: &generator), pen.line(sign[3], bar, using: &generator)], .formula)
    }
    return result
  }

  private func sum(depth: Int, using generator: inout SeededGenerator) -> PagePiece {
    let names = material.symbolNames.filter { name in
      ["integral", "sum", "union.big", "sect.big", "or.big", "plus.circle.big", "Pi", "Sigma"]
        .contains {
          name.hasPrefix($0)
        }
    }
    guard let sign = symbol(among: names, height: generator.number(1.2...2.2), using: &generator)
    else { return atom(using: &generator) }
    let box = sign.box
    var whole = sign
    if generator.chance(0.7) {
      let lower = equationOfIndex(using: &generator).scaled(generator.number(0.4...0.65))
      whole.add(lower.moved(box.midX - lower.box.midX, box.maxY + 0.12 - lower.box.minY))
    }
    if generator.chance(0.7) {
      let upper = atom(using: &generator).scaled(generator.number(0.4...0.65))
      whole.add(upper.moved(box.midX - upper.box.midX, box.minY - 0.12 - upper.box.maxY))
    }
    return row([whole, expression(depth: depth - 1, using: &generator)], using: &generator)
  }

  private func equationOfIndex(using generator: inout SeededGenerator) -> PagePiece {
    generator.chance(0.5)
      ? atom(using: &generator)
      : row(
        [atom(using: &generator), relation(using: &generator), atom(using: &generator)],
        using: &generator)
  }

  /// A bracket as tall as its content.
  private func paren(
    _ isLeft: Bool, _ inner: PagePiece, using generator: inout SeededGenerator
  ) -> PagePiece {
    let box = inner.box
    let (top, bottom) = (min(box.minY, -0.45) - 0.1, max(box.maxY, 0.3) + 0.1)
    let bulge = generator.number(0.15...0.4) * (isLeft ? -1 : 1)
    let isBar = generator.chance(0.08)
    let points =
      isBar
      ? pen.line(PagePoint(0, top), PagePoint(0, bottom), using: &generator)
      : generator.chance(0.8)
        ? pen.curve(
          PagePoint(0, top), PagePoint(2 * bulge, (top + bottom) / 2), PagePoint(0, bottom),
          using: &generator)
        : pen.path(
          [
            PagePoint(0, top), PagePoint(bulge, top), PagePoint(bulge, bottom),
            PagePoint(0, bottom),
          ], using: &generator)
    return PagePiece([points], kind: .formula)
  }

  private func matrix(using generator: inout SeededGenerator) -> PagePiece {
    let (rows, columns) = (2 + generator.index(below: 2), 1 + generator.index(below: 3))
    var inner = PagePiece()
    for y in 0..<rows {
      for x in 0..<columns {
        let entry = power(atom(using: &generator), chance: 0.2, using: &generator)
        let box = entry.box
        inner.add(
          entry.moved(1.6 * Double(x) - box.midX, 1.4 * (Double(y) - Double(rows - 1) / 2)))
      }
    }
    return row(
      [paren(true, inner, using: &generator), inner, paren(false, inner, using: &generator)],
      using: &generator)
  }
}
