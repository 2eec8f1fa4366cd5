import InkCore

/// The path of a pointer or a pen while it is down.
struct ToolStroke {
  let type: PointerType
  let tool: PointerTool
  /// The id of the item of ink that it writes; 0 for other tools.
  let item: Int
  /// The transform from pixels to millimetres when the stroke began.
  let transform: ViewTransform
  /// The generation of the part that it began on.
  let generation: Int
  let style: StrokeStyle?
  /// Points in millimetres and milliseconds since 1970. Empty for pens that write, because their
  /// samples may change.
  var points: [StrokePoint] = []
  /// The index of the history after the last ink that the eraser removed.
  var erasedAt: Int?
  /// True if the hand moves the selected block.
  var movesBlock = false
  /// True if the pointer is a palm: its later events have no effect.
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
  /// The part that it is drawn in. A correction may come when the part is set elsewhere.
  let part: ContentPart
  var stroke: ToolStroke
  var isDown = true
  var isInDocument = false
  /// The transforms of the view while it was drawn, each with its first sample.
  private var transforms: [(first: Int, transform: ViewTransform)] = []

  init(pointer: Int, part: ContentPart, stroke: ToolStroke) {
    (self.pointer, self.part, self.stroke) = (pointer, part, stroke)
  }

  /// Records the transform of new samples.
  mutating func sampled(with transform: ViewTransform, from first: Int) {
    guard stroke.tool != .hand, transform != self.transform(of: first) else { return }
    transforms.append((first, transform))
  }

  /// Returns the transform from pixels at the time of a sample.
  func transform(of sample: Int) -> ViewTransform {
    transforms.last { $0.first <= sample }?.transform ?? stroke.transform
  }
}
