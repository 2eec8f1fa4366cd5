import InkCore
import InkEditor
import PenInput

/// The ink that an editor must hold, as plain arrays.
struct InkModel {
  typealias Place = EditorOperation.Place

  /// The ink of a part, and before each of its changes.
  struct Part {
    var items: [Int] = []
    var past: [[Int]] = []
    var future: [[Int]] = []
    /// The decorations.
    var marks: [Decoration] = []
    /// Those before each change; nil for one in the middle of a call.
    var pastMarks: [[Decoration]?] = []
    var futureMarks: [[Decoration]?] = []
    /// How far each change moved items that kept their ids.
    var pastMoves: [[Int: Place]] = []
    var futureMoves: [[Int: Place]] = []
    /// How far each item is from where it was written.
    var shifts: [Int: Place] = [:]
  }

  /// A pointer or pen that is down.
  struct Contact {
    var type: PointerType
    var tool: PointerTool
    /// The transform at its down event, by which the hand goes on.
    var transform: ViewTransform
    /// The item that its down event returned.
    var item: Int?
    /// The number of times that a part had been set.
    var generation: Int
    /// Positions in millimetres.
    var path: [Place]
    /// True if a pen came down meanwhile, so that a touch may have become a palm.
    var mayBePalm = false
    /// The number of the pen's stroke.
    var stroke = 0
  }

  /// A sample of a pen whose position may still be corrected.
  struct Estimate {
    var stroke: Int
    var index: Int
    /// The transform of the view at the time of the sample.
    var transform: ViewTransform
  }

  /// A stroke of a pen that has ended and may still be corrected.
  struct PenStroke {
    var part: Int
    var item: Int
    var path: [Place]
  }

  var parts: [Part] = []
  var current: Int?
  /// The number of times that a part or none was set.
  var generation = 0
  /// The positions of each item that ever was, in millimetres, by part.
  var ink: [Int: [Int: [Place]]] = [:]
  var pointers: [Int: Contact] = [:]
  var pens: [Int: Contact] = [:]
  var estimates: [Int: Estimate] = [:]
  var penStrokes: [Int: PenStroke] = [:]
  var strokes = 0
  /// The keys of all estimated samples, in order.
  var keys: [Int] = []
  var penTime = 0.0
  /// The copied ink; nil if it is not known.
  var clipboard: [[Place]]? = []
  var copiedCount = 0
  /// The decorations of the copied ink, with the places of the items among the copied ones; nil if
  /// they are not known.
  var copiedMarks: [Decoration]? = []

  var items: [Int] { current.map { parts[$0].items } ?? [] }

  var isDown: Bool { !pointers.isEmpty || !pens.isEmpty }

  /// Returns the positions of an item of the present part.
  func places(of item: Int) -> [Place]? { current.flatMap { ink[$0]?[item] } }
}

/// The effect that an operation must have had on the ink of the part.
enum InkEffect {
  /// No change of ink.
  case none
  /// A new item at the end, or a gesture, which may erase, move, cut and decorate ink.
  case mayBeGesture(item: Int, places: [InkModel.Place])
  /// New items at the end.
  case appended([(item: Int, places: [InkModel.Place])])
  /// A new item at the end, or nothing.
  case mayHaveAppended(item: Int, places: [InkModel.Place])
  /// These items are gone.
  case removed(Set<Int>)
  /// Some items are gone.
  case mayHaveRemoved
  /// Each item near the paths is gone, or its near parts are.
  case erased(paths: [[InkModel.Place]], radius: Double, isPrecise: Bool)
  /// Some items have moved and have new ids.
  case mayHaveMoved(dx: Double, dy: Double)
  /// These items are gone, and these came at the end; decorations went with them.
  case replaced(Set<Int>, by: [(item: Int, places: [InkModel.Place])])
  /// Decorations of these kinds were added or removed, which was checked.
  case decorated
  /// Words may have a highlight.
  case mayHaveHighlighted
  /// Decorations of pasted ink, which may not be known.
  case pastedMarks([Decoration]?)
  /// The state before the last change, or before the last undo.
  case undone
  case redone
}

/// A difference between the editor and the model, or a call that should not have failed.
struct Violation: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

extension Array where Element == InkModel.Place {
  /// Returns the places after a move.
  func moved(dx: Double, dy: Double) -> [Element] {
    map { Element(x: $0.x + dx, y: $0.y + dy) }
  }

  /// Returns whether two paths differ by rounding only.
  func isAlmost(_ other: [Element]) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { one, two in
        abs(one.x - two.x) <= 1e-9 * Swift.max(1, abs(one.x))
          && abs(one.y - two.y) <= 1e-9 * Swift.max(1, abs(one.y))
      }
  }

  /// The path without its last place if the pen leaves the view where it was: a dot is one place.
  var dotted: [Element] {
    count > 1 && last == self[count - 2] ? dropLast() : self
  }

  /// Returns the least distance of a place from the path.
  func distance(to place: Element) -> Double {
    var least = Double.infinity
    for (from, to) in zip(self, dropFirst() + suffix(1)) {
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let square = dx * dx + dy * dy
      let along = (place.x - from.x) * dx + (place.y - from.y) * dy
      let share = square > 0 ? Swift.min(1, Swift.max(0, along / square)) : 0
      let (ex, ey) = (place.x - from.x - share * dx, place.y - from.y - share * dy)
      least = Swift.min(least, (ex * ex + ey * ey).squareRoot())
    }
    return least
  }
}
