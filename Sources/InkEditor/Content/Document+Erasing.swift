import InkCore

// Erasing.
extension Document {
  /// Removes the strokes near an eraser's path. O(strokes + points near the path × points of the
  /// path).
  func erase(along path: [StrokePoint], within radius: Double) {
    let path = Self.densified(path, step: radius / 2)
    let touched = strokes(near: path, within: radius).filter { stroke in
      path.contains { stroke.distance(to: $0) <= radius }
    }
    remove(Set(touched.map(\.id)))
  }

  /// Removes the parts of strokes near an eraser's path. The remaining parts become separate
  /// strokes with their times and forces. Complexity as in ``erase(along:within:)``.
  func erasePrecisely(along path: [StrokePoint], within radius: Double) {
    guard !path.isEmpty else { return }
    let eraser = InkStroke(id: 0, pointer: .eraser, points: path)
    var remainders: [Int: [InkStroke]] = [:]
    for stroke in strokes(near: path, within: radius) {
      let dense = Self.densified(stroke.points, step: radius / 8)
      let pieces = dense.split { eraser.distance(to: $0) <= radius }
      if let whole = pieces.first, whole.count == dense.count { continue }
      remainders[stroke.id] = pieces.map { piece in
        InkStroke(id: makeItemID(), pointer: stroke.pointer, points: Array(piece))
      }
    }
    replace(remainders)
  }

  /// Returns true if a path comes near ink. Complexity as in ``erase(along:within:)``.
  func isInk(near path: [StrokePoint], within radius: Double) -> Bool {
    let path = Self.densified(path, step: radius / 2)
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

  /// Returns a path with additional points where two points are farther apart than a step.
  private static func densified(_ path: [StrokePoint], step: Double) -> [StrokePoint] {
    var result = Array(path.prefix(1))
    for (from, to) in zip(path, path.dropFirst()) {
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let count = Int(min((dx * dx + dy * dy).squareRoot() / max(step, 1e-3), 10_000))
      for index in 1..<max(1, count) {
        let part = Double(index) / Double(count)
        result.append(from.interpolated(to: to, part))
      }
      result.append(to)
    }
    return result
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
      altitude: between(altitude, other.altitude))
  }
}
