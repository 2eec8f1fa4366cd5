import Formulas
import Foundation
import InkCore

/// Formulas of seven plain symbols, drawn by virtual writers: sums, powers and fractions.
struct DrawnFormulas {
  private var generator: SeededGenerator
  private var strokes: [Stroke] = []
  private var symbols: [FormulaSymbol] = []
  private var links: [SymbolLayout.Link?] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private static let digits = ["0", "1", "7"]

  /// Draws a number of formulas.
  static func records(_ count: Int, seed: UInt64) throws -> [LabeledFormula] {
    var drawing = DrawnFormulas(seed: seed)
    return try (0..<count).map { try drawing.record($0) }
  }

  private mutating func record(_ index: Int) throws -> LabeledFormula {
    strokes = []
    symbols = []
    links = []
    var last: Int?
    var x = 0.0
    let terms = 1 + generator.index(below: 3)
    for term in 0..<terms {
      if term > 0 {
        let sign = draw(generator.index(below: 2) == 0 ? "+" : "-", x: x + 0.6, y: 0, size: 0.8)
        link(sign, last, .right)
        last = sign
        x += 1.2
      }
      if generator.index(below: 3) == 0 {
        let bar = draw("-", x: x + 0.7, y: 0, size: 1.3)
        link(bar, last, .right)
        link(draw(digit(), x: x + 0.7, y: -0.9, size: 0.9), bar, .above)
        link(draw(digit(), x: x + 0.7, y: 0.9, size: 0.9), bar, .below)
        last = bar
        x += 1.5
      } else {
        let base = draw(digit(), x: x + 0.4, y: 0, size: 1)
        link(base, last, .right)
        last = base
        x += 0.9
        if generator.index(below: 3) == 0 {
          link(draw(digit(), x: x, y: -0.7, size: 0.5), base, .superscript)
          x += 0.4
        }
      }
    }
    let layout = try SymbolLayout(symbols: symbols, links: links)
    return LabeledFormula(
      name: "drawn-\(index)", writer: "writer-\(index % 24)", ink: Ink(strokes: strokes),
      latex: try Formula(layout).latex, symbols: symbols, layout: layout)
  }

  private mutating func digit() -> String { Self.digits[generator.index(below: 3)] }

  private mutating func link(_ symbol: Int, _ parent: Int?, _ relation: FormulaRelation) {
    links[symbol] = parent.map { SymbolLayout.Link($0, relation) }
  }

  /// Draws a symbol around a place and returns its index.
  private mutating func draw(_ label: String, x: Double, y: Double, size: Double) -> Int {
    let first = strokes.count
    for path in Self.paths(label) {
      strokes.append(
        Stroke(
          points: path.map { point in
            let left: Double = x + size * point.0 + 0.02 * noise()
            let top: Double = y + size * point.1 + 0.02 * noise()
            return StrokePoint(x: 100 * left, y: 100 * top)
          }))
    }
    symbols.append(FormulaSymbol(label, strokes: Array(first..<strokes.count)))
    links.append(nil)
    return symbols.count - 1
  }

  private mutating func noise() -> Double {
    (0..<4).reduce(0) { sum, _ in sum + Double(generator.index(below: 1000)) / 1000 - 0.5 }
  }

  /// The strokes of a symbol in a box from -0.5 to 0.5.
  private static func paths(_ label: String) -> [[(Double, Double)]] {
    func line(_ from: (Double, Double), _ to: (Double, Double)) -> [(Double, Double)] {
      (0...8).map {
        let part = Double($0) / 8
        return (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
      }
    }
    switch label {
    case "0":
      let angles: [Double] = (0...16).map { Double($0) * .pi / 8 }
      return [
        angles.map { (angle: Double) -> (Double, Double) in (0.3 * sin(angle), -0.5 * cos(angle)) }
      ]
    case "1": return [line((0, -0.5), (0, 0.5))]
    case "7": return [line((-0.3, -0.5), (0.3, -0.5)) + line((0.3, -0.5), (-0.1, 0.5))]
    case "+": return [line((-0.4, 0), (0.4, 0)), line((0, -0.4), (0, 0.4))]
    default: return [line((-0.5, 0), (0.5, 0))]
    }
  }
}
