import InkCore

/// A place on the screen.
public struct GesturePixel: Hashable, Sendable {
  /// Pixels.
  public var x: Double
  /// Pixels.
  public var y: Double
}

/// A gesture that was found, with the content that it hits.
public struct EditorGesture: Hashable, Sendable {
  /// The kind.
  public var kind: GestureKind
  /// The item id of its stroke, as `pointerDown` returned it. The ink of an applied gesture does not
  /// stay. 0 for taps and long presses.
  public var stroke: Int
  /// The tool that drew it.
  public var tool: PointerTool
  /// The block that is hit, or nil for several or none.
  public var block: String?
  /// The ids of the words that are hit, as far as they are read.
  public var words: [Int] = []
  /// The items of ink that are hit as a whole.
  public var items: [Int] = []
  /// The parts of ink that are hit, such as single characters of a word.
  public var parts: [ItemPart] = []
  /// For join and insert, the ink that stands before and after the place.
  public var before: ItemPart?
  public var after: ItemPart?
  /// For taps and long presses, the id of the pointer; nil for gestures that are drawn.
  public var pointer: Int?
  /// For taps and long presses, the place on the screen.
  public var view: GesturePixel?
  /// The box of the stroke in millimetres.
  public var box: BoundingBox

  init(
    _ kind: GestureKind, pointer: Int, tool: PointerTool, block: String?, view: GesturePixel,
    box: BoundingBox
  ) {
    (self.kind, self.stroke, self.tool, self.block) = (kind, 0, tool, block)
    (self.pointer, self.view, self.box) = (pointer, view, box)
  }

  init(_ decision: GestureDecision, _ kind: GestureKind, stroke: InkStroke) {
    self.kind = kind
    self.stroke = stroke.id
    tool = .pen
    let target = decision.target
    block = target.block ?? (target.blocks.count == 1 ? target.blocks[0] : nil)
    words = target.words
    items = target.items.sorted()
    parts = target.parts
    (before, after) = (target.place?.left, target.place?.right)
    box = stroke.box
  }
}
