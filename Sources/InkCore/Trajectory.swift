/// An ink as columns of numbers in its own frame, the input of transforms and features.
///
/// Positions are relative to the centre of the ink's box and divided by the larger of its width and
/// height, so they are in -0.5 ... 0.5 for any unit; `frame` maps them back. Memory is kept between
/// loads, so that a reused trajectory allocates nothing.
public struct Trajectory: Sendable {
  /// The relation of local positions to those of the ink: ink = center + unit * local.
  @usableFromInline package struct Frame: Hashable, Sendable {
    /// Ink coordinates of local x = 0.
    package var centerX: Double
    /// Ink coordinates of local y = 0.
    package var centerY: Double
    /// Ink units per local unit, above 0.
    package var unit: Double

    package init(centerX: Double, centerY: Double, unit: Double) {
      self.centerX = centerX
      self.centerY = centerY
      self.unit = unit
    }
  }

  /// Local x of each point.
  public var x: [Float] = []
  /// Local y of each point, growing downward.
  public var y: [Float] = []
  /// Milliseconds since the first point that has a time; NaN if a point has none.
  public var time: [Float] = []
  /// The index after the last point of each stroke, increasing; no stroke is empty.
  package var strokeEnds: [Int] = []
  /// The frame of the ink.
  package internal(set) var frame = Frame(centerX: 0, centerY: 0, unit: 1)

  /// Makes an empty trajectory.
  public init() {}

  /// Makes the trajectory of an ink.
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  public init(_ ink: Ink) throws(InkError) {
    try load(ink)
  }

  /// The number of points.
  public var count: Int { x.count }

  /// The straight distance between two points.
  @inlinable
  package func distance(_ first: Int, _ second: Int) -> Float {
    let dx = x[second] - x[first]
    let dy = y[second] - y[first]
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Removes all points and keeps the memory.
  public mutating func removeAll() {
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    time.removeAll(keepingCapacity: true)
    strokeEnds.removeAll(keepingCapacity: true)
  }

  /// Adds a point to the current stroke; `endStroke()` closes it.
  public mutating func append(x pointX: Float, y pointY: Float, time pointTime: Float) {
    x.append(pointX)
    y.append(pointY)
    time.append(pointTime)
  }

  /// Closes the current stroke, if it has points.
  package mutating func endStroke() {
    if x.count > (strokeEnds.last ?? 0) { strokeEnds.append(x.count) }
  }

  /// Copies points, strokes and frame into another trajectory, reusing its memory. O(points).
  public func copy(into target: inout Trajectory) {
    target.removeAll()
    target.x.append(contentsOf: x)
    target.y.append(contentsOf: y)
    target.time.append(contentsOf: time)
    target.strokeEnds.append(contentsOf: strokeEnds)
    target.frame = frame
  }

  /// Replaces the content by an ink's. O(points).
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``; the content is then empty.
  package mutating func load(_ ink: Ink) throws(InkError) {
    removeAll()
    try ink.validate()
    guard let box = ink.boundingBox else {
      frame = Frame(centerX: 0, centerY: 0, unit: 1)
      return
    }
    // Halving first keeps the difference of two huge coordinates finite.
    let half = max(box.maxX / 2 - box.minX / 2, box.maxY / 2 - box.minY / 2)
    let divisor = half > 0 ? half : 0.5
    frame = Frame(
      centerX: box.minX / 2 + box.maxX / 2, centerY: box.minY / 2 + box.maxY / 2,
      unit: min(2 * divisor, .greatestFiniteMagnitude))
    var origin: Double?
    for stroke in ink.strokes where !stroke.points.isEmpty {
      for point in stroke.points {
        if origin == nil { origin = point.t }
        let elapsed = point.t.map { Float($0 - (origin ?? 0)) } ?? .nan
        append(
          x: Float((point.x / 2 - frame.centerX / 2) / divisor),
          y: Float((point.y / 2 - frame.centerY / 2) / divisor), time: elapsed)
      }
      endStroke()
    }
  }

  /// Turns the points and the frame from the page into the reading frame of a direction, or back.
  /// O(points), O(1) from left to right.
  public mutating func turn(_ direction: WritingDirection) {
    switch direction {
    case .leftToRight: break
    case .rightToLeft:
      for point in x.indices { x[point] = -x[point] }
      frame.centerX = -frame.centerX
    case .topToBottom:
      swap(&x, &y)
      (frame.centerX, frame.centerY) = (frame.centerY, frame.centerX)
    }
  }

  /// The box of the points, or nil if there are none. O(points).
  package var bounds: (minX: Float, minY: Float, maxX: Float, maxY: Float)? {
    guard let firstX = x.first, let firstY = y.first else { return nil }
    var box = (minX: firstX, minY: firstY, maxX: firstX, maxY: firstY)
    for value in x {
      box.minX = min(box.minX, value)
      box.maxX = max(box.maxX, value)
    }
    for value in y {
      box.minY = min(box.minY, value)
      box.maxY = max(box.maxY, value)
    }
    return box
  }

  /// The points of stroke `index`, as a range of indices.
  public func stroke(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : strokeEnds[index - 1])..<strokeEnds[index]
  }
}
