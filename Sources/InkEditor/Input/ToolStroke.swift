import InkCore

/// What a pointer or a pen does while it is down.
struct ToolStroke {
  let type: PointerType
  let tool: PointerTool
  /// The item of ink that it writes; 0 for other tools.
  let item: Int
  /// How its pixels relate to millimetres: that of its beginning.
  let transform: ViewTransform
  /// The number of the part that it began on.
  let generation: Int
  let style: StrokeStyle?
  /// Millimetres and milliseconds since 1970. Empty for pens that write: their samples may change.
  var points: [StrokePoint] = []
  /// Where the history stood after the last ink that an eraser took.
  var erasedAt: Int?
  /// Whether the hand moves the selected block.
  var movesBlock = false
  /// It was taken for a palm: what follows does nothing.
  var isPalm = false

  /// The distance between its first and last point in millimetres.
  var distance: Double {
    guard let first = points.first, let last = points.last else { return 0 }
    return ((last.x - first.x) * (last.x - first.x) + (last.y - first.y) * (last.y - first.y))
      .squareRoot()
  }
}

/// A pointer that is down.
struct ActivePointer {
  let id: Int
  var stroke: ToolStroke
}

/// A stroke that a pen is drawing or whose values may still change.
struct PenStroke {
  let pointer: Int
  /// The part that it is drawn in, which may be set elsewhere by the time of a correction.
  let part: ContentPart
  var stroke: ToolStroke
  var isDown = true
  var isInDocument = false
}
