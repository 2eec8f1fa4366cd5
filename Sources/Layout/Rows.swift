import InkCore

// Reads ink of several rows, one below another, such as a list, or a sentence longer than the paper
// is wide. A line model reads along one line, so the rows are concatenated for it.

/// The arrangement of concatenated rows.
package struct RowLayout {
  /// The strokes of each row from the top, two rows or more, in drawing order.
  package let rows: [[Int]]
  /// The distance by which each stroke was moved to the right, in drawing order.
  package var shifts: [Float]
  /// The mean height of the first row.
  package var middle: Float = 0

  /// The drawing index of each stroke, row by row.
  package var order: [Int] { rows.flatMap(\.self) }
}

extension Trajectory {
  /// The largest number of strokes in which rows are searched. The time grows with its square.
  private static let mostStrokes = 1000

  /// Concatenates rows of writing, each level about y = 0, and puts the strokes in the order of the
  /// rows. O(points + strokes log strokes), plus the square of the strokes if the pen moves back
  /// and down.
  ///
  /// - Parameter sources: The source of each point, moved with it.
  /// - Returns: nil if nothing was done: if the ink is one row, if a row was written before one
  ///   above it or may not be a row, such as a single letter, or for more than 1,000 strokes.
  package mutating func layRowsSideBySide(sources: inout [Int32]) -> RowLayout? {
    guard (2...Self.mostStrokes).contains(strokeEnds.count), let rows = RowFinder(self).rows()
    else { return nil }
    let (ink, inkSources) = (self, sources)
    var layout = RowLayout(rows: rows, shifts: [Float](repeating: 0, count: strokeEnds.count))
    removeAll()
    sources.removeAll(keepingCapacity: true)
    var row = Trajectory()
    var edge: Float = 0
    for (place, strokes) in rows.enumerated() {
      row.removeAll()
      for stroke in strokes {
        for point in ink.stroke(stroke) {
          row.append(x: ink.x[point], y: ink.y[point], time: ink.time[point])
          sources.append(inkSources[point])
        }
        row.endStroke()
      }
      guard let box = row.bounds else { continue }
      let slope = row.slope(of: box)
      let moments = row.heightMoments(slope: slope)
      if place == 0 { layout.middle = moments.mean }
      let centerX = (box.minX + box.maxX) / 2
      for index in row.strokeEnds.indices {
        for point in row.stroke(index) {
          append(
            x: row.x[point] - box.minX + edge,
            y: row.y[point] - slope * (row.x[point] - centerX) - moments.mean,
            time: row.time[point])
        }
        endStroke()
        layout.shifts[strokes[index]] = edge - box.minX
      }
      // A wide space between words. The line height is four deviations.
      edge += box.maxX - box.minX + 3 * moments.deviation
    }
    return layout
  }
}

/// Finds the rows of an ink, stroke by stroke in drawing order. All distances are in heights of its
/// larger strokes. The rule was tuned on training and validation writers of UNIPEN and IAM-OnDB.
private struct RowFinder {
  private struct Stroke {
    var minX, minY, maxX, maxY: Float
    /// Measures of the path.
    var meanY, length: Float
    var width: Float { maxX - minX }
    var height: Float { maxY - minY }
    var midX: Float { (minX + maxX) / 2 }
  }

  private struct Row {
    var strokes: [Int] = []
    var minX = Float.infinity
    var minY = Float.infinity
    var maxX = -Float.infinity
    var maxY = -Float.infinity
    var length: Float = 0
    var weightedY: Float = 0
    var meanY: Float { weightedY / length }
    var width: Float { maxX - minX }
    var height: Float { maxY - minY }

    mutating func append(_ index: Int, _ stroke: Stroke) {
      strokes.append(index)
      minX = min(minX, stroke.minX)
      minY = min(minY, stroke.minY)
      maxX = max(maxX, stroke.maxX)
      maxY = max(maxY, stroke.maxY)
      length += stroke.length
      weightedY += stroke.length * stroke.meanY
    }
  }

  /// The share of the path length that is in strokes lower than the height of the writing.
  private static let quantile: Float = 0.7
  /// The pen begins a row if it moves back and down by these distances: less back if it moves down
  /// more.
  private static let returns: [(back: Float, down: Float)] = [(2, 0.9), (1, 1.2)]
  /// The least distance of a new row from all previous rows.
  private static let away: Float = 0.6
  /// The bonus of the current row over other rows, as a distance.
  private static let preference: Float = 0.3
  /// The least distance between the middles of rows.
  private static let distance: Float = 1
  /// The gap between two rows that shows that neither is part of the other.
  private static let gap: Float = 0.1
  /// The number of strokes of a row that determine its course.
  private static let neighbours = 6

  private let strokes: [Stroke]
  private let height: Float

  init(_ ink: Trajectory) {
    strokes = ink.strokeEnds.indices.map { index in
      let range = ink.stroke(index)
      let (x, y) = (ink.x[range.lowerBound], ink.y[range.lowerBound])
      var stroke = Stroke(minX: x, minY: y, maxX: x, maxY: y, meanY: 0, length: 0)
      for point in range.dropFirst() {
        stroke.minX = min(stroke.minX, ink.x[point])
        stroke.maxX = max(stroke.maxX, ink.x[point])
        stroke.minY = min(stroke.minY, ink.y[point])
        stroke.maxY = max(stroke.maxY, ink.y[point])
        let length = ink.distance(point - 1, point)
        stroke.length += length
        stroke.meanY += length * (ink.y[point - 1] + ink.y[point]) / 2
      }
      // A dot has almost no weight, and its position is its middle.
      stroke.meanY = stroke.length > 0 ? stroke.meanY / stroke.length : y
      stroke.length += 1e-6
      return stroke
    }
    let total = strokes.reduce(0) { $0 + $1.length }
    var below: Float = 0
    height =
      strokes.sorted { $0.height < $1.height }.first { stroke in
        below += stroke.length
        return below >= Self.quantile * total
      }?.height ?? 0
  }

  /// Returns the strokes of each row, from the top; nil if all are one row, or some may not be
  /// rows.
  func rows() -> [[Int]]? {
    guard height > 0, mayHoldRows else { return nil }
    var rows = [Row()]
    var current = 0
    rows[0].append(0, strokes[0])
    for (index, stroke) in strokes.enumerated().dropFirst() {
      let offsets = rows.map { stroke.meanY - centre(of: $0, at: stroke.midX) }
      var (nearest, least) = (current, abs(offsets[current]) - Self.preference * height)
      for (row, offset) in offsets.enumerated() where row != current && abs(offset) < least {
        (nearest, least) = (row, abs(offset))
      }
      if begins(stroke, after: rows[current], by: offsets[current]), least > Self.away * height {
        nearest = rows.count
        rows.append(Row())
      }
      rows[nearest].append(index, stroke)
      current = nearest
    }
    let pairs = zip(rows, rows.dropFirst())
    guard rows.count > 1, pairs.allSatisfy(isBelow) else { return nil }
    let gaps = [true] + pairs.map { $1.minY - $0.maxY > Self.gap * height } + [true]
    for (row, content) in rows.enumerated()
    where !isWriting(content, standsAlone: gaps[row] && gaps[row + 1]) {
      return nil
    }
    return rows.map(\.strokes)
  }

  /// Returns whether the pen ever moves back and down, which is necessary for rows.
  private var mayHoldRows: Bool {
    var (right, top) = (-Float.infinity, Float.infinity)
    for stroke in strokes {
      if stroke.minX < right - height, stroke.maxY > top + height { return true }
      right = max(right, stroke.maxX)
      top = min(top, stroke.minY)
    }
    return false
  }

  /// Returns whether a stroke begins a row: not a dot, bar or comma, and far back and down.
  private func begins(_ stroke: Stroke, after row: Row, by offset: Float) -> Bool {
    let isSmall = stroke.width < 0.6 * height && stroke.height < 0.4 * height
    let isFlat = stroke.height < 0.3 * height
    // A small letter below the whole row. Marks of the row are not so low, and bars are straight.
    let isLetterBelow =
      stroke.minY > row.maxY + 0.3 * height && stroke.height > 0.15 * height
      && stroke.length > 1.8 * stroke.width
    return (!isSmall && !isFlat || isLetterBelow)
      && Self.returns.contains {
        row.maxX - stroke.minX > $0.back * height && offset > $0.down * height
      }
  }

  /// Returns whether a row is letters, and not the tail of a letter that touches those above, or a
  /// bar.
  private func isWriting(_ row: Row, standsAlone: Bool) -> Bool {
    let isStroke = row.strokes.count == 1
    // Bars are straight.
    if isStroke, row.length < 1.8 * row.width { return false }
    if standsAlone { return row.height >= 0.35 * height && row.length >= 1.5 * height }
    return row.height >= 0.5 * height && row.length >= 4 * height
      && (!isStroke || row.width >= 2.5 * height)
  }

  /// Returns whether a row is below another: most of it is lower than the other's middle at that
  /// position, and it is neither next to the other nor across it.
  private func isBelow(_ upper: Row, _ lower: Row) -> Bool {
    let shared = min(upper.maxX, lower.maxX) - max(upper.minX, lower.minX)
    guard shared >= 0.5 * min(upper.width, lower.width),
      upper.maxY - lower.minY <= 0.5 * min(upper.height, lower.height),
      lower.meanY - upper.meanY >= Self.distance * height
    else { return false }
    var under: Float = 0
    for stroke in lower.strokes.lazy.map({ strokes[$0] })
    where stroke.meanY - centre(of: upper, at: stroke.midX) > Self.away * height {
      under += stroke.length
    }
    return under >= 0.8 * lower.length
  }

  /// Returns the mean height of the strokes of a row near a position.
  private func centre(of row: Row, at x: Float) -> Float {
    var near: [(distance: Float, stroke: Int)] = []
    near.reserveCapacity(Self.neighbours + 1)
    for index in row.strokes {
      let distance = max(strokes[index].minX - x, x - strokes[index].maxX, 0)
      if near.count == Self.neighbours, distance >= near[Self.neighbours - 1].distance { continue }
      near.insert((distance, index), at: near.firstIndex { $0.distance > distance } ?? near.count)
      if near.count > Self.neighbours { near.removeLast() }
    }
    var (sum, weight): (Float, Float) = (0, 0)
    for entry in near {
      sum += strokes[entry.stroke].length * strokes[entry.stroke].meanY
      weight += strokes[entry.stroke].length
    }
    return sum / weight
  }
}
