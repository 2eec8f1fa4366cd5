import Formulas
import InkCore

// The items of a typed formula as symbols that a reader knows.
extension InkStroke {
  /// The symbol that an item of a typed formula is, as LaTeX; nil for ink, for pictures, and for text and
  /// lines that are no symbol.
  var formulaSymbol: String? {
    switch digital {
    case .text(let typed): Self.marks[typed.text] ?? SymbolText.token(of: typed.text)
    case .outline: lineSymbol
    case .picture, nil: nil
    }
  }

  /// True if the item may be a part of a formula: ink, a line, or a typed symbol.
  var isOfFormula: Bool { isInk || digital == .outline || formulaSymbol != nil }

  /// The strokes from which a formula is read: ink, lines, and the boxes of typed characters, without the
  /// places of the pen around them.
  var formulaStroke: Stroke {
    guard typed != nil else { return Stroke(points: points) }
    return Stroke(
      points: typedCharacters.compactMap(\.box).flatMap { box in
        [
          StrokePoint(x: box.minX, y: box.minY), StrokePoint(x: box.maxX, y: box.minY),
          StrokePoint(x: box.maxX, y: box.maxY), StrokePoint(x: box.minX, y: box.maxY),
          StrokePoint(x: box.minX, y: box.minY),
        ]
      })
  }

  /// The symbol of a line that ``FormulaSetter`` draws: a bar, an arrow or a root. A part of a bar is one.
  private var lineSymbol: String? {
    if box.height <= Self.flatness * box.width { return "-" }
    guard points.count == Self.pointsOfSign else { return nil }
    let hasHead = (points[1].x, points[1].y) == (points[3].x, points[3].y)
    return hasHead ? #"\rightarrow"# : #"\sqrt"#
  }

  /// The most height of a bar as a share of its width. Chosen by hand.
  private static let flatness = 0.05
  /// The points of an arrow: its line and its head; and those of a root: hook, foot, top and roof.
  private static let pointsOfSign = 5
  /// The signs of accents that are typed above a row.
  private static let marks = ["ˆ": #"\wedge"#, "˙": #"\cdot"#, "˜": #"\sim"#]
}
