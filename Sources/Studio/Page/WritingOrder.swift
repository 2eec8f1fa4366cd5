import Foundation

/// Finds the commands of a journal whose effect depends on what was read before them.
///
/// A stroke at the end of a line continues it, whatever was read. A stroke between words that were
/// read begins a word of its own. So a replay that reads everything at its end would read such ink
/// otherwise than it was read while it was written.
struct WritingOrder {
  /// The box of a stroke in millimetres.
  private struct Box {
    var left: Double
    var right: Double
    /// The middle between top and bottom.
    var middle: Double
  }

  private var boxes: [Box] = []
  private let start = ContinuousClock.now
  /// The greatest distance in millimetres of the middles of ink in the same line, and of ink to the
  /// right.
  private static let nearY = 5.0
  private static let nearX = 60.0
  /// Seconds after which ink is read at the end only: a page must open.
  private static let patience = 20.0

  /// Returns whether the ink so far must be read before an action, and notes the ink of the action.
  /// O(strokes so far) for each stroke.
  mutating func needsReading(before action: PageCommand.Action) -> Bool {
    switch action {
    case .choose: return true
    case .strokes(let strokes):
      var result = false
      for stroke in strokes {
        guard let box = Self.box(stroke) else { continue }
        result = result || isBetween(box)
        boxes.append(box)
      }
      return result && ContinuousClock.now - start < .seconds(Self.patience)
    case .erase, .type, .clear, .undo, .redo: return false
    }
  }

  /// Returns true if there is ink to the right in the same line, and none above, below
  /// or at the place of the box.
  private func isBetween(_ box: Box) -> Bool {
    var hasRight = false
    for other in boxes where abs(other.middle - box.middle) < Self.nearY {
      if other.left <= box.right, other.right >= box.left { return false }
      if other.left > box.right, other.left < box.right + Self.nearX { hasRight = true }
    }
    return hasRight
  }

  private static func box(_ stroke: PageStroke) -> Box? {
    guard let left = stroke.x.min(), let right = stroke.x.max(), let top = stroke.y.min(),
      let bottom = stroke.y.max()
    else { return nil }
    return Box(left: left, right: right, middle: (top + bottom) / 2)
  }
}
