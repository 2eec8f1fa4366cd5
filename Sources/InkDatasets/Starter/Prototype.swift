import InkCore

/// One way to write a label: strokes in their order, each a chain of knots.
struct Prototype: Hashable, Sendable {
  /// What it shows: a character, or the name of a shape or gesture.
  var label: String
  /// How often people write the label this way, relative to its other prototypes; above 0.
  var weight: Double
  /// Whether the first stroke begins and ends with a movement that joins it to its neighbours in
  /// a word; the other strokes are then added when the word is written.
  var isJoining: Bool
  /// The strokes in the order written, each with at least two knots.
  var strokes: [[Knot]]

  /// The box of the knots, with y growing upward: `minY` is its lower edge.
  var box: BoundingBox {
    var box = BoundingBox(
      minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for stroke in strokes {
      for knot in stroke { box.formUnion(x: knot.x, y: knot.y) }
    }
    return box
  }
}
