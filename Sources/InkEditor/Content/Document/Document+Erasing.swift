import InkCore

// Erasing.
extension Document {
  /// Removes the strokes near an eraser's path. O(strokes + points near the path × points of the
  /// path).
  func erase(along path: [StrokePoint], within radius: Double) {
    let path = Self.densified(path, step: Chosen.pathStep * radius)
    let touched = strokes(near: path, within: radius).filter { stroke in
      path.contains { stroke.distance(to: $0) <= radius }
    }
    remove(Set(touched.map(\.id)))
  }

  /// Removes the parts of strokes near an eraser's path. The remaining parts become separate
  /// strokes with their times and forces. Complexity as in ``erase(along:within:)``.
  func erasePrecisely(along path: [StrokePoint], within radius: Double) {
    guard let box = Ink(strokes: [Stroke(points: path)]).boundingBox else { return }
    let eraser = InkStroke(id: 0, pointer: .eraser, points: path)
    let reach = 2 * radius
    let area = BoundingBox(
      minX: box.minX - reach, minY: box.minY - reach, maxX: box.maxX + reach,
      maxY: box.maxY + reach)
    var remainders: [Int: [InkStroke]] = [:]
    var sources: [Int: [Double]] = [:]
    for stroke in strokes(near: path, within: radius) {
      guard stroke.isInk || stroke.digital == .outline else {
        let steps = Self.densified(path, step: Chosen.pathStep * radius)
        remainders[stroke.id] = remainder(of: stroke, erasedAlong: steps, within: radius)
        continue
      }
      let dense = Self.densified(stroke.points, step: Chosen.inkStep * radius, within: area)
      let pieces = dense.split { eraser.distance(to: $0.point) <= radius }
      if let whole = pieces.first, whole.count == dense.count { continue }
      remainders[stroke.id] = pieces.map { piece in
        let id = makeItemID()
        sources[id] = piece.map(\.place)
        var rest = InkStroke(id: id, pointer: stroke.pointer, points: piece.map(\.point))
        rest.digital = stroke.digital
        return rest
      }
    }
    replace(remainders, sources: sources)
  }

  /// Returns the characters of typed text that an eraser leaves, none for a picture; nil if it
  /// touches nothing.
  private func remainder(
    of stroke: InkStroke, erasedAlong path: [StrokePoint], within radius: Double
  ) -> [InkStroke]? {
    let count = TypedGlyphs.pointsPerCharacter
    guard stroke.typed != nil else {
      return path.contains { stroke.distance(to: $0) <= radius } ? [] : nil
    }
    let characters = stroke.points.indices.filter { $0 % count == 0 }
    let touched = characters.filter { first in
      guard let letter = stroke.piece(first..<first + count, id: 0) else { return false }
      return path.contains { letter.distance(to: $0) <= radius }
    }
    guard !touched.isEmpty else { return nil }
    return pieces(of: stroke, without: touched.map { $0..<$0 + count })
  }

  /// Returns true if a path comes near ink. Complexity as in ``erase(along:within:)``.
  func isInk(near path: [StrokePoint], within radius: Double) -> Bool {
    let path = Self.densified(path, step: Chosen.pathStep * radius)
    return strokes(near: path, within: radius).contains { stroke in
      path.contains { stroke.distance(to: $0) <= radius }
    }
  }

  /// Returns the strokes whose boxes come near a path, in the order they were written.
  private func strokes(near path: [StrokePoint], within radius: Double) -> [InkStroke] {
    guard let area = Ink(strokes: [Stroke(points: path)]).boundingBox else { return [] }
    return order.compactMap { strokes[$0] }.filter {
      $0.box.gapX(to: area) <= radius && $0.box.gapY(to: area) <= radius
    }
  }

  /// Returns a stroke with additional points inside an area, where two points are farther apart
  /// than a step. Outside of the area, and on a stroke of very many steps, the points stay as far
  /// apart as they are: erasing a stroke again and again must not fill the memory.
  ///
  /// - Returns: Each point with its position among the points of the stroke.
  private static func densified(
    _ points: [StrokePoint], step: Double, within area: BoundingBox
  ) -> [(point: StrokePoint, place: Double)] {
    let segments = zip(points, points.dropFirst()).map { from, to in
      let length = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y))
        .squareRoot()
      return (from: from, to: to, length: length, inside: area.share(from: from, to: to))
    }
    let total = segments.reduce(0) { sum, segment in
      sum + segment.length * (segment.inside.map { $0.upperBound - $0.lowerBound } ?? 0)
    }
    let step = max(step, 1e-3, total / Chosen.mostSteps)
    var result = points.prefix(1).map { (point: $0, place: 0.0) }
    for (index, (from, to, length, inside)) in segments.enumerated() {
      if let inside {
        let count = max(1, Int(length * (inside.upperBound - inside.lowerBound) / step))
        for step in 0...count {
          let share = Double(step) / Double(count)
          let part = inside.lowerBound + share * (inside.upperBound - inside.lowerBound)
          if part > 0, part < 1 {
            result.append((from.interpolated(to: to, part), Double(index) + part))
          }
        }
      }
      result.append((to, Double(index + 1)))
    }
    return result
  }

  /// Returns a path with additional points where two points are farther apart than a step.
  private static func densified(_ path: [StrokePoint], step: Double) -> [StrokePoint] {
    var result = Array(path.prefix(1))
    for (from, to) in zip(path, path.dropFirst()) {
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let count = Int(
        min((dx * dx + dy * dy).squareRoot() / max(step, 1e-3), Chosen.mostSteps))
      for index in 1..<max(1, count) {
        let part = Double(index) / Double(count)
        result.append(from.interpolated(to: to, part))
      }
      result.append(to)
    }
    return result
  }
}

extension BoundingBox {
  /// Returns the part of a line from one point to another that is inside the box, as shares of its
  /// length; nil if it is outside.
  fileprivate func share(from: StrokePoint, to: StrokePoint) -> ClosedRange<Double>? {
    var (low, high) = (0.0, 1.0)
    for (start, end, least, greatest) in [
      (from.x, to.x, minX, maxX), (from.y, to.y, minY, maxY),
    ] {
      let way = end - start
      if way == 0 {
        guard start >= least, start <= greatest else { return nil }
        continue
      }
      let bounds = ((least - start) / way, (greatest - start) / way)
      low = max(low, min(bounds.0, bounds.1))
      high = min(high, max(bounds.0, bounds.1))
    }
    return low <= high ? low...high : nil
  }
}

extension StrokePoint {
  /// Returns a point between two points. A value that either point lacks is missing.
  fileprivate func interpolated(to other: StrokePoint, _ part: Double) -> StrokePoint {
    func between(_ from: Double?, _ to: Double?) -> Double? {
      guard let from, let to else { return nil }
      return from + part * (to - from)
    }
    return StrokePoint(
      x: x + part * (other.x - x), y: y + part * (other.y - y), t: between(t, other.t),
      force: between(force, other.force), azimuth: azimuth,
      altitude: between(altitude, other.altitude), roll: roll)
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Radii of the eraser, chosen by hand.
  static let pathStep = 0.5
  /// Radii of the eraser, chosen by hand.
  static let inkStep = 0.125
  /// The most points that are added to a stroke, or to a step of the eraser's path. Chosen by
  /// hand.
  static let mostSteps = 10_000.0
}
