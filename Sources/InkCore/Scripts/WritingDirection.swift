/// The direction of writing along a line. Unicode determines it for each script, see
/// ``ScriptTraits``.
///
/// Everything that reads or arranges ink works in the *reading frame*: x grows in the direction of
/// writing, and y grows from line to line. Ink of another direction is turned into this frame where
/// it enters (``Ink/turned(_:)``, ``Trajectory/turn(_:)``). Turning twice gives the original ink, so
/// results are turned back in the same way. Text is in logical order, which is the order of writing,
/// for every direction.
public enum WritingDirection: String, Hashable, Sendable, Codable, CaseIterable {
  /// From left to right; lines from top to bottom. The reading frame is the ink itself.
  case leftToRight = "left-to-right"
  /// From right to left; lines from top to bottom. The reading frame is mirrored.
  case rightToLeft = "right-to-left"
  /// From top to bottom; lines from left to right. The reading frame has x and y exchanged.
  case topToBottom = "top-to-bottom"
}

extension WritingDirection {
  /// The direction of most letters of a text; nil if no letter has one. If both have equally many,
  /// that of the first letter. O(scalars).
  public init?(of text: String) {
    var counts: [WritingDirection: Int] = [:]
    var first: WritingDirection?
    for scalar in text.unicodeScalars {
      guard let own = WritingDirection(of: scalar) else { continue }
      counts[own, default: 0] += 1
      if first == nil { first = own }
    }
    guard let first, let most = counts.values.max() else { return nil }
    self = counts[first] == most ? first : counts.first { $0.value == most }?.key ?? first
  }

  /// The direction of a letter; nil for digits, marks and signs. O(log ranges).
  public init?(of scalar: Unicode.Scalar) {
    // Letters of ASCII need no table.
    if scalar.value < 0x80 {
      guard scalar.properties.isAlphabetic else { return nil }
      self = .leftToRight
      return
    }
    guard scalar.properties.numericType == nil, let own = ScriptTraits(of: scalar)?.direction else {
      return nil
    }
    self = own
  }
}

extension Ink {
  /// Turns the ink from the page into the reading frame of a direction, or back. Strokes and points
  /// keep their indices. O(points), O(1) from left to right.
  public func turned(_ direction: WritingDirection) -> Ink {
    guard direction != .leftToRight else { return self }
    return Ink(
      strokes: strokes.map { stroke in
        Stroke(
          points: stroke.points.map { point in
            var point = point
            switch direction {
            case .leftToRight: break
            case .rightToLeft: point.x = -point.x
            case .topToBottom: (point.x, point.y) = (point.y, point.x)
            }
            return point
          })
      })
  }
}

extension BoundingBox {
  /// Turns the box like ``Ink/turned(_:)`` turns the ink in it.
  public func turned(_ direction: WritingDirection) -> BoundingBox {
    switch direction {
    case .leftToRight: self
    case .rightToLeft: BoundingBox(minX: -maxX, minY: minY, maxX: -minX, maxY: maxY)
    case .topToBottom: BoundingBox(minX: minY, minY: minX, maxX: maxY, maxY: maxX)
    }
  }
}

extension WritingArea {
  /// The area in the reading frame of a direction. Nil from top to bottom: an area has the height of
  /// a line, and a line from top to bottom has a width.
  public func turned(_ direction: WritingDirection) -> WritingArea? {
    switch direction {
    case .leftToRight: self
    case .rightToLeft: try? WritingArea(x: -x - width, y: y, width: width, height: height)
    case .topToBottom: nil
    }
  }
}
