import InkCore
import PenInput

/// A stroke of a pointer or a pen, from its first sample until no value of it can change.
struct ActiveStroke {
  /// The origin of a stroke's samples.
  enum Source: Hashable {
    /// A pointer, by its id. No sample of it changes.
    case pointer(Int)
    /// The assembler of pen events, by the number of the stroke. Samples may change, also after the
    /// pen has left.
    case pen(Int)
  }

  let source: Source
  /// The number of the pointer or pen among all that touch the view, by which palms are known.
  let contact: Int
  let type: PointerType
  let tool: PointerTool
  /// The id of the item of ink that it writes; 0 for other tools.
  let item: Int
  /// The transform from pixels to millimetres when the stroke began.
  let transform: ViewTransform
  /// The part that it is drawn in. A correction may come when the part is set elsewhere.
  let part: ContentPart
  /// The generation of the part that it began on.
  let generation: Int
  let style: StrokeStyle?
  /// The samples in millimetres and milliseconds since 1970.
  var points: [StrokePoint] = []
  /// The index of the history after the last ink that the eraser removed.
  var erasedAt: Int?
  /// True if the hand moves the selected block.
  var movesBlock = false
  /// True if the hand moves the selected ink.
  var movesSelection = false
  /// True if it is a palm: its later samples have no effect.
  var isPalm = false
  var isDown = true
  /// Its place on the screen, if it may be a tap or a long press.
  var press: Press?
  /// True if its item was added to the part.
  var isInDocument = false
  /// The transforms of the view while a pen drew it, each with its first sample.
  private var transforms: [(first: Int, transform: ViewTransform)] = []

  init(
    _ source: Source, contact: Int, type: PointerType, tool: PointerTool, item: Int,
    transform: ViewTransform, part: ContentPart, generation: Int, style: StrokeStyle?
  ) {
    (self.source, self.contact, self.type, self.tool) = (source, contact, type, tool)
    (self.item, self.transform, self.style) = (item, transform, style)
    (self.part, self.generation) = (part, generation)
  }

  /// Returns true if it is one of some fingers that are down.
  ///
  /// - Parameter contacts: The numbers of the fingers.
  func isFinger(among contacts: [Int]) -> Bool {
    isDown && type == .touch && contacts.contains(contact)
  }

  /// The distance between its first and last point in millimetres.
  var distance: Double {
    guard let first = points.first, let last = points.last else { return 0 }
    return ((last.x - first.x) * (last.x - first.x) + (last.y - first.y) * (last.y - first.y))
      .squareRoot()
  }

  /// The points that become ink. A tap of a pen is one point.
  var inkPoints: [StrokePoint] {
    guard case .pen = source, points.count == 2, points[0].x == points[1].x,
      points[0].y == points[1].y
    else { return points }
    return [points[0]]
  }

  /// Returns the transform of the next sample.
  ///
  /// - Parameter present: The transform of the view.
  @inline(__always)
  func transform(present: ViewTransform) -> ViewTransform {
    // The hand may itself move the view: its way is measured on the screen.
    tool == .hand ? transform : present
  }

  /// Records the transform of a pen's next samples.
  mutating func samplesFollow(_ transform: ViewTransform) {
    guard transform != self.transform(of: points.count) else { return }
    transforms.append((points.count, transform))
  }

  /// Returns the transform at the time of a pen's sample.
  func transform(of sample: Int) -> ViewTransform {
    transforms.last { $0.first <= sample }?.transform ?? transform
  }
}
