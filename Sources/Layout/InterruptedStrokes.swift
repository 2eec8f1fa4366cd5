import InkCore

/// Joins the parts of strokes that the pen did not end: it only lost contact, or a driver dropped samples. The
/// parts are too low and too narrow to be letters, so that a line of them looks like a drawing.
///
/// Only the layout sees the joined strokes. The network reads the strokes as they are: it has learned
/// interruptions, and where the pen was lifted after all it reads joined letters worse.
struct InterruptedStrokes {
  // All distances are in heights of the writing, times in milliseconds. They were chosen on lines and pages of
  // IAM-OnDB's val1, as written and with long strokes cut, with and without times.

  /// The greatest distance between both parts if the times show that the pen was not lifted.
  private static let timedGap = 1.0
  /// The same if the times say nothing.
  private static let gap = 0.7
  /// The distance below which the direction from part to part says nothing.
  private static let touching = 0.03
  /// The distance over which directions are measured.
  private static let lever = 0.1
  /// The cosine of the greatest angle between directions.
  private static let leastCosine = 0.0
  /// The path of a straight stroke, in distances of its ends.
  private static let straight = 1.05
  /// Hardly anybody lifts the pen and puts it down again in this time.
  private static let contactLoss = 60.0
  /// People take longer than this from stroke to stroke, as a rule.
  private static let lift = 80.0
  /// The least share of such lifts in ink whose times are those of the pen: some programs write times
  /// without the way above the paper.
  private static let lifts = 0.2
  /// The least share of strokes that go on. Fewer do no harm.
  private static let least = 0.1

  /// The ink with those parts joined, and the strokes of the given ink that each of its strokes consists of.
  /// They follow each other.
  let ink: Ink
  let parts: [[Int]]

  /// Joins the parts of interrupted strokes. O(points).
  ///
  /// - Parameters:
  ///   - ink: The strokes in the order of writing.
  ///   - apart: Strokes that stay as they are.
  ///   - kinds: The kind of each stroke: only parts of one kind are joined. Nil if it is not known.
  /// - Returns: Nil if few strokes are interrupted: they are found and read as they are.
  init?(_ ink: Ink, apart: Set<Int> = [], kinds: [StrokeKind]? = nil) {
    guard ink.strokes.count > 1 else { return nil }
    let isTimed = Self.knowsLifts(ink)
    // Most ink needs no measures.
    guard !isTimed || Self.isEnough(Self.shortLifts(in: ink), of: ink) else { return nil }
    let page = PageInk(ink)
    let height = page.height / page.scale
    let continued = ink.strokes.indices.map { index in
      index > 0 && !apart.contains(index) && !apart.contains(index - 1)
        && kinds?[index - 1] == kinds?[index]
        && Self.continues(
          ink.strokes[index - 1].points, ink.strokes[index].points, height: height,
          isTimed: isTimed)
    }
    guard Self.isEnough(continued.count { $0 }, of: ink) else { return nil }
    var (joined, parts): ([Stroke], [[Int]]) = ([], [])
    for index in ink.strokes.indices {
      if continued[index] {
        joined[joined.count - 1].points += ink.strokes[index].points
        parts[parts.count - 1].append(index)
      } else {
        joined.append(ink.strokes[index])
        parts.append([index])
      }
    }
    self.ink = Ink(strokes: joined)
    self.parts = parts
  }

  /// The first part of each stroke.
  var first: [Int] { parts.map { $0[0] } }

  /// Returns the parts of some strokes of the joined ink.
  func parts(of strokes: [Int]) -> [Int] { strokes.flatMap { parts[$0] } }

  /// Returns a value for each part from one for each stroke of the joined ink.
  func forParts<Value>(_ values: [Value]) -> [Value] {
    zip(values, parts).flatMap { value, parts in parts.map { _ in value } }
  }

  private static func isEnough(_ count: Int, of ink: Ink) -> Bool {
    count > 0 && Double(count) >= least * Double(ink.strokes.count)
  }

  /// The number of times that the pen was off the paper for less than anybody lifts it.
  private static func shortLifts(in ink: Ink) -> Int {
    zip(ink.strokes, ink.strokes.dropFirst()).count { before, after in
      guard let end = before.points.last?.t, let start = after.points.first?.t else { return false }
      return (0...contactLoss).contains(start - end)
    }
  }

  /// True if the times between strokes are those of a pen that is lifted.
  private static func knowsLifts(_ ink: Ink) -> Bool {
    var (long, count) = (0, 0)
    for (before, after) in zip(ink.strokes, ink.strokes.dropFirst()) {
      guard let end = before.points.last?.t, let start = after.points.first?.t else {
        return false
      }
      count += 1
      if start - end > lift { long += 1 }
    }
    return Double(long) >= lifts * Double(count)
  }

  private static func continues(
    _ before: [StrokePoint], _ after: [StrokePoint], height: Double, isTimed: Bool
  ) -> Bool {
    guard let end = before.last, let start = after.first else { return false }
    let way = vector(from: end, to: start)
    let gap = way.length / height
    if isTimed {
      guard let stop = end.t, let begin = start.t else { return false }
      return (0...contactLoss).contains(begin - stop) && gap <= timedGap
    }
    // Dashes continue each other as well.
    guard gap <= Self.gap, !(isStraight(before) && isStraight(after)),
      let arrival = heading(before.reversed(), height: height),
      let departure = heading(after, height: height)
    else { return false }
    let backward = (x: -arrival.x, y: -arrival.y)
    guard cosine(backward, departure) > leastCosine else { return false }
    guard gap > touching else { return true }
    let jump = (x: way.x / way.length, y: way.y / way.length)
    return cosine(backward, jump) > leastCosine && cosine(jump, departure) > leastCosine
  }

  /// True for a stroke that hardly deviates from the way between its ends.
  private static func isStraight(_ points: [StrokePoint]) -> Bool {
    guard let first = points.first, let last = points.last else { return true }
    let length = zip(points, points.dropFirst()).reduce(0) {
      $0 + vector(from: $1.0, to: $1.1).length
    }
    return length <= straight * vector(from: first, to: last).length
  }

  private static func vector(
    from first: StrokePoint, to second: StrokePoint
  ) -> (x: Double, y: Double, length: Double) {
    let (x, y) = (second.x - first.x, second.y - first.y)
    return (x, y, (x * x + y * y).squareRoot())
  }

  private static func cosine(_ one: (x: Double, y: Double), _ other: (x: Double, y: Double))
    -> Double
  {
    one.x * other.x + one.y * other.y
  }

  /// The direction from the first point to one that is far enough from it; nil if none is.
  private static func heading(
    _ points: some Sequence<StrokePoint>, height: Double
  ) -> (x: Double, y: Double)? {
    var first: StrokePoint?
    for point in points {
      guard let first else {
        first = point
        continue
      }
      let way = vector(from: first, to: point)
      if way.length >= lever * height { return (way.x / way.length, way.y / way.length) }
    }
    return nil
  }
}
