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

extension [InkStroke] {
  /// The strokes from which a formula is read. Typed superscripts are put higher than they are set, where
  /// people write them: the model would take those of digits for a part of the row. O(signs²).
  var formulaStrokes: [Stroke] {
    let order = indices.filter { self[$0].typed != nil }.sorted {
      (self[$0].points.first?.x ?? 0, $0) < (self[$1].points.first?.x ?? 0, $1)
    }
    var raises = [Double](repeating: 0, count: count)
    for (place, index) in order.enumerated() {
      raises[index] =
        order[..<place].lazy.map { self.raise(of: index, behind: $0, raised: raises[$0]) }.max()
        ?? 0
    }
    return zip(self, raises).map { stroke, raise in
      var result = stroke.formulaStroke
      guard raise > 0 else { return result }
      for index in result.points.indices { result.points[index].y -= raise }
      return result
    }
  }

  /// The millimetres by which a sign is raised because of a sign before it: that is its base, or a raised
  /// sign of the same script.
  private func raise(of index: Int, behind other: Int, raised: Double) -> Double {
    let (sign, before) = (self[index], self[other])
    guard let start = sign.points.first, let end = before.points.last,
      abs(start.x - end.x) < Raised.gap * before.fontSize
    else { return 0 }
    let height = end.y - start.y
    let ratio = sign.fontSize / before.fontSize
    if ratio < Raised.script, height > Raised.leastHeight * before.fontSize {
      return raised + Raised.share * before.fontSize
    }
    let isBeside = abs(height) < Raised.gap * sign.fontSize && ratio < 1 / Raised.script
    return isBeside ? raised : 0
  }
}

/// Numbers about typed superscripts, chosen by hand with those of ``FormulaMeasures``.
private enum Raised {
  /// The greatest gap to the sign before, in sizes of its font.
  static let gap = 0.15
  /// Scripts are smaller than this share of their base.
  static let script = 0.85
  /// The least height of their baseline above that of the base, in sizes of its font.
  static let leastHeight = 0.2
  /// Superscripts are put higher by this share of the size of their base.
  static let share = 0.2
}
