import Formulas
import InkCore

/// A part of a composed formula: drawn symbols on one baseline, in the order in which they are written.
///
/// Units are those of prototypes with y growing downward: the baseline is y = 0, small letters are 50
/// high, capitals 100.
struct FormulaPiece {
  /// A symbol with its ink.
  struct Symbol {
    var label: String
    var strokes: [[StrokePoint]]
  }

  /// The symbols, in the order in which they are written.
  private(set) var symbols: [Symbol]
  /// The parent of each symbol; nil for the first one of the row.
  private(set) var links: [SymbolLayout.Link?]
  /// The first symbol of the row.
  private(set) var first: Int
  /// The last symbol of the row, to which scripts and the next piece belong.
  private(set) var last: Int
  /// The box of the ink.
  private(set) var box: BoundingBox

  /// Makes a piece of one symbol.
  init(_ label: String, _ strokes: [[StrokePoint]]) {
    symbols = [Symbol(label: label, strokes: strokes)]
    links = [nil]
    (first, last) = (0, 0)
    box = Self.box(of: strokes)
  }

  static func box(of strokes: [[StrokePoint]]) -> BoundingBox {
    var box = BoundingBox(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for point in strokes.joined() { box.formUnion(x: point.x, y: point.y) }
    return box
  }

  /// Moves all ink.
  func moved(x: Double, y: Double) -> FormulaPiece {
    mapped { StrokePoint(x: $0.x + x, y: $0.y + y) }
  }

  /// Maps all points.
  func mapped(_ map: (StrokePoint) -> StrokePoint) -> FormulaPiece {
    var copy = self
    copy.box = BoundingBox(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for index in copy.symbols.indices {
      copy.symbols[index].strokes = symbols[index].strokes.map { $0.map(map) }
      for point in copy.symbols[index].strokes.joined() {
        copy.box.formUnion(x: point.x, y: point.y)
      }
    }
    return copy
  }

  /// Adds a piece that continues the row.
  mutating func append(_ next: FormulaPiece) {
    let offset = add(next)
    links[offset + next.first] = SymbolLayout.Link(last, .right)
    last = offset + next.last
  }

  /// Adds a piece around the last symbol of the row.
  ///
  /// - Parameter isBefore: True if the piece was written before this one.
  mutating func attach(_ other: FormulaPiece, _ relation: FormulaRelation, isBefore: Bool = false) {
    if isBefore {
      let count = other.symbols.count
      symbols = other.symbols + symbols
      links =
        other.links
        + links.map { link in
          link.map { SymbolLayout.Link($0.parent + count, $0.relation) }
        }
      first += count
      last += count
      links[other.first] = SymbolLayout.Link(last, relation)
      box.formUnion(other.box)
    } else {
      let offset = add(other)
      links[offset + other.first] = SymbolLayout.Link(last, relation)
    }
  }

  private mutating func add(_ other: FormulaPiece) -> Int {
    let offset = symbols.count
    symbols += other.symbols
    links += other.links.map { link in
      link.map { SymbolLayout.Link($0.parent + offset, $0.relation) }
    }
    box.formUnion(other.box)
    return offset
  }
}
