import InkCore

/// The measures of a stroke for finding lines, independent of any document.
package struct StrokeMeasure: Hashable, Sendable {
  /// The identifier of the stroke.
  package let item: Int
  /// The position in the order of writing.
  package let number: Int
  package let box: BoundingBox
  /// The mean of y along the path.
  package let meanY: Double
  /// The length of the path.
  package let length: Double

  /// Makes the measure of a stroke.
  package init(item: Int, number: Int, box: BoundingBox, meanY: Double, length: Double) {
    self.item = item
    self.number = number
    self.box = box
    self.meanY = meanY
    self.length = length
  }

  /// Turns the measure of a stroke of a level line from the page into the reading frame, or back.
  fileprivate func turned(_ direction: WritingDirection) -> StrokeMeasure {
    StrokeMeasure(
      item: item, number: number, box: box.turned(direction), meanY: meanY, length: length)
  }

  /// The weight of the stroke in a mean: its length plus a small constant, so that dots count too.
  fileprivate var weight: Double { length + 0.1 }
}

/// A line of writing: its strokes in the order they were written, and its slope.
package struct LineShape: Sendable {
  /// The identifier of the line.
  package let id: Int
  /// The strokes, in the order they were written.
  package var members: [StrokeMeasure] = []
  package var box: BoundingBox

  /// Makes a line without strokes.
  package init(id: Int, box: BoundingBox) {
    self.id = id
    self.box = box
  }

  /// Makes a line of at least one stroke, and puts the strokes in the order they were written.
  package init(id: Int, members: [StrokeMeasure]) {
    self.id = id
    self.members = members.sorted { ($0.number, $0.item) < ($1.number, $1.item) }
    box = members.dropFirst().reduce(into: members[0].box) { $0.formUnion($1.box) }
  }

  /// Turns the line from left to right or from right to left from the page into the reading frame, or
  /// back. O(strokes), O(1) from left to right.
  package func turned(_ direction: WritingDirection) -> LineShape {
    guard direction == .rightToLeft else { return self }
    var line = LineShape(id: id, box: box.turned(direction))
    line.members = members.map { $0.turned(direction) }
    return line
  }

  /// Removes a stroke; an empty line keeps its last box. O(strokes).
  package mutating func remove(_ item: Int) {
    members.removeAll { $0.item == item }
    guard let first = members.first else { return }
    box = members.reduce(into: first.box) { $0.formUnion($1.box) }
  }

  /// Adds a stroke at its position in the order of writing. O(strokes).
  package mutating func add(_ stroke: StrokeMeasure) {
    let place = members.lastIndex { ($0.number, $0.item) < (stroke.number, stroke.item) }
    members.insert(stroke, at: place.map { $0 + 1 } ?? 0)
    box.formUnion(stroke.box)
  }

  /// The standard deviation of the strokes' middles about the line's slope, weighted by length.
  /// `height` is the height of the writing. O(strokes).
  package func deviation(_ height: Double) -> Double {
    let slope = slope(height)
    var (weight, x) = (0.0, 0.0)
    for member in members {
      weight += member.weight
      x += member.weight * member.box.midX
    }
    guard weight > 0 else { return 0 }
    let (middle, mean) = (x / weight, mean)
    let squares = members.reduce(0.0) { sum, member in
      let offset = member.meanY - mean - slope * (member.box.midX - middle)
      return sum + member.weight * offset * offset
    }
    return (squares / weight).squareRoot()
  }

  /// The standard deviation of the ink about the line's slope, if the ink of each stroke is evenly
  /// spread over its height. It grows with the size of the letters, however they are joined.
  /// `height` is the height of the writing. O(strokes).
  package func spread(_ height: Double) -> Double {
    var (weight, squares) = (0.0, 0.0)
    for member in members {
      weight += member.weight
      squares += member.weight * member.box.height * member.box.height / 12
    }
    guard weight > 0 else { return 0 }
    let deviation = deviation(height)
    return (squares / weight + deviation * deviation).squareRoot()
  }

  /// The mean height of all strokes, weighted by length. O(strokes).
  package var mean: Double {
    var (sum, weight) = (0.0, 0.0)
    for member in members {
      sum += member.weight * member.meanY
      weight += member.weight
    }
    return weight > 0 ? sum / weight : box.midY
  }

  /// The number of strokes that determine the middle of the line near a place.
  private static let neighbours = 8

  /// The strength of the prior for a level line, in heights of the writing. On a line with few
  /// letters, their shapes hide the slope.
  private static let slopePrior = 4.0
  /// The distance outside of the ink up to which the slope is extrapolated, in heights of writing.
  private static let slopeReach = 10.0

  /// Returns the slope, dy per dx, for a height of writing: the regression of the strokes' middles,
  /// weighted by length. It is positive if the line falls to the right.
  package func slope(_ height: Double) -> Double {
    var (weight, x, y) = (0.0, 0.0, 0.0)
    for member in members {
      weight += member.weight
      x += member.weight * member.box.midX
      y += member.weight * member.meanY
    }
    guard weight > 0 else { return 0 }
    (x, y) = (x / weight, y / weight)
    var (squares, products) = (weight * Self.slopePrior * Self.slopePrior * height * height, 0.0)
    for member in members {
      let dx = member.box.midX - x
      squares += member.weight * dx * dx
      products += member.weight * dx * (member.meanY - y)
    }
    return squares > 0 ? products / squares : 0
  }

  /// Returns the height of the middle of the writing near a place: the mean of the strokes next to
  /// it, weighted by length and moved along the slope of the line. `height` is the height of the
  /// writing.
  ///
  /// - Parameter item: A stroke to leave out, or nil.
  package func centre(at x: Double, height: Double, without item: Int? = nil) -> Double {
    var near: [(distance: Double, index: Int)] = []
    for (index, member) in members.enumerated() where member.item != item {
      let distance = max(member.box.minX - x, x - member.box.maxX, 0)
      if near.count == Self.neighbours, let last = near.last, distance >= last.distance { continue }
      let place = near.firstIndex { $0.distance > distance } ?? near.count
      near.insert((distance, index), at: place)
      if near.count > Self.neighbours { near.removeLast() }
    }
    let slope = slope(height)
    var (sum, weight) = (0.0, 0.0)
    for entry in near {
      let member = members[entry.index]
      let reach = Self.slopeReach * height
      let dx = min(max(x - member.box.midX, -reach), reach)
      sum += member.weight * (member.meanY + slope * dx)
      weight += member.weight
    }
    return weight > 0 ? sum / weight : box.midY
  }
}
