import Foundation
import InkCore

/// Finds lines that may run in another direction than those of the page: notes along the margin,
/// text along a connector.
///
/// A turned line is a long strip of ink that is not level. Its strokes follow each other, in the order
/// of writing if that is known, else by their places. Each part that is found is only possible: a
/// column of digits is such a strip too. Whoever reads it both ways can tell.
package struct TurnedParts {
  private let page: PageInk
  private let moments: [InkMoments]
  /// True if the strokes are in the order of writing.
  private let isOrdered: Bool
  private var height: Double { page.height }

  // All distances are in heights of the writing, all angles in degrees.

  /// Lines that fall or climb by less are read well as they are.
  private static let leastAngle = 18.0
  /// The least length of a strip: about four letters. The standard deviation of even ink is its length
  /// over the root of 12.
  private static let leastLength = 3.5
  /// The same for strips nearer to level than an angle: a word of tall letters looks like one.
  private static let (steep, leastLengthLevel) = (30.0, 7.0)
  /// The same for strips that are neither near to level nor near to upright.
  private static let leastLengthSlanted = 5.0
  /// The largest standard deviation across a strip.
  private static let across = 0.8
  /// A strip is longer than wide by this factor.
  private static let elongated = 4.0
  /// The path of writing is longer than its strip by this factor; a line or dashes are not.
  private static let winding = 1.35
  /// A straight stroke of this size is a line: its path is no longer than this many diagonals.
  private static let (rule, straight) = (2.5, 1.15)
  /// Strokes of one line are nearer.
  private static let near = 4.0
  /// The same for strokes in any order.
  private static let nearAlone = 1.2
  /// Letters of one word are nearer.
  private static let touching = 1.0
  /// The same three limits for a strip beside a connector that runs in its direction, within an angle
  /// and a distance: text is often written along a connector.
  private static let (leastLengthBeside, elongatedBeside) = (2.0, 2.5)
  private static let (parallel, besideRule) = (12.0, 2.5)
  /// The path of a frame is that of its box within this share, and both sides are longer than this.
  private static let (perimeter, leastSide) = (0.15, 1.2)
  /// The least standard deviation of the ink of a frame, in sides of its box: 0.29 for even ink.
  private static let hollow = 0.33
  /// A stroke this far from the axis of a line that is clearly longer than wide is not of it.
  private static let off = 1.0
  /// Lines of one part are nearer, side by side, and differ less in direction.
  private static let (beside, sameAngle) = (3.0, 15.0)
  /// Marks in the strip that were written at another time are smaller and nearer to its axis.
  private static let (mark, markReach) = (0.8, 1.0)
  /// A piece of a line has fewer strokes than this; longer ones are strips themselves.
  private static let mostPieces = 30
  /// Pages of fewer strokes are not searched.
  private static let leastStrokes = 8
  /// The most parts; a page with more is none of writing.
  private static let mostParts = 12

  private struct Strip {
    var members: [Int]
    var moments: InkMoments
    /// The direction of writing, in radians.
    var angle: Double
    /// True if a connector runs beside it.
    var isBesideRule: Bool
  }

  /// The slanted connectors: their middles, directions and half lengths.
  private var rules: [(x: Double, y: Double, angle: Double, half: Double)] = []

  /// Measures a page. O(points + strokes log strokes).
  private init(_ ink: Ink, isOrdered: Bool) {
    let page = PageInk(ink)
    self.page = page
    self.isOrdered = isOrdered
    moments = page.strokes.map { InkMoments(ink.strokes[$0.item], scale: page.scale) }
    for (index, stroke) in page.strokes.enumerated() where isLine(stroke) {
      let (middle, axis) = (moments[index].middle, moments[index].axis)
      guard abs(sin(axis.angle)) > sin(Self.leastAngle * .pi / 180) else { continue }
      rules.append((middle.x, middle.y, axis.angle, axis.along * 3.0.squareRoot()))
    }
  }

  /// Returns true if a connector runs beside ink in a direction.
  private func isBesideRule(_ ink: InkMoments, _ angle: Double) -> Bool {
    let (x, y) = ink.middle
    return rules.contains { rule in
      let turn = abs(remainder(rule.angle - angle, .pi)) * 180 / .pi
      let (dx, dy) = (x - rule.x, y - rule.y)
      let along = dx * cos(rule.angle) + dy * sin(rule.angle)
      let across = dy * cos(rule.angle) - dx * sin(rule.angle)
      return turn < Self.parallel && abs(along) < rule.half
        && abs(across) < Self.besideRule * height
    }
  }

  /// Returns the parts of an upright page that may be turned. O(points + strokes log strokes), plus
  /// O(strokes) for each part.
  ///
  /// - Parameter isOrdered: False if the order of the strokes says nothing. Then the direction of a part
  ///   may be the opposite.
  package static func found(in ink: Ink, isOrdered: Bool) -> [TurnedPart] {
    if isOrdered, let joined = InterruptedStrokes(ink) {
      return found(in: joined.ink, isOrdered: isOrdered).map {
        TurnedPart(strokes: joined.parts(of: $0.strokes), angle: $0.angle)
      }
    }
    guard ink.strokes.count >= leastStrokes else { return [] }
    return TurnedParts(ink, isOrdered: isOrdered).parts()
  }

  private func parts() -> [TurnedPart] {
    let runs = isOrdered ? runs() : clusters()
    var strips = runs.compactMap(strip)
    guard !strips.isEmpty, strips.count <= Self.mostParts else { return [] }
    var taken = Set(strips.flatMap(\.members))
    if isOrdered { addBeginnings(to: &strips, &taken) }
    addPieces(of: runs, to: &strips, &taken)
    guard taken.count < page.strokes.count else { return [] }
    addMarks(to: &strips, without: taken)
    return grouped(strips).map { group in
      let longest = group.max { $0.moments.weight < $1.moments.weight }
      let degrees = Int(((longest?.angle ?? 0) * 180 / .pi).rounded())
      return TurnedPart(
        strokes: group.flatMap(\.members).map { page.strokes[$0].item }.sorted(),
        angle: degrees == -180 ? 180 : degrees)
    }
  }

  // MARK: - Strokes that follow each other

  /// Returns true for connectors and frames, which are not in a line of text.
  private func isRule(_ stroke: StrokeMeasure) -> Bool { isLine(stroke) || isFrame(stroke) }

  /// Returns true if a stroke goes once around its box and keeps to the edges.
  private func isFrame(_ stroke: StrokeMeasure) -> Bool {
    let (width, height) = (stroke.box.width, stroke.box.height)
    let path = 2 * (width + height)
    guard min(width, height) > Self.leastSide * self.height,
      abs(stroke.length - path) < Self.perimeter * path
    else { return false }
    // Ink along the edges spreads more than ink all over the box.
    let spread = moments[stroke.number].spread
    return spread.x > Self.hollow * width && spread.y > Self.hollow * height
  }

  private func isLine(_ stroke: StrokeMeasure) -> Bool {
    let diagonal =
      (stroke.box.width * stroke.box.width + stroke.box.height * stroke.box.height).squareRoot()
    return diagonal > Self.rule * height && stroke.length < Self.straight * diagonal
  }

  /// The strokes by their order of writing, parted where the pen jumps or leaves a line.
  private func runs() -> [[Int]] {
    var runs: [[Int]] = []
    var run: [Int] = []
    var sum = InkMoments()
    for (index, stroke) in page.strokes.enumerated() {
      if isRule(stroke) {
        runs.append(run)
        (run, sum) = ([], InkMoments())
        continue
      }
      if let last = run.last,
        page.strokes[last].box.gap(to: stroke.box) > Self.near * height
          || !isMark(stroke) && isOff(moments[index], sum)
      {
        runs.append(run)
        (run, sum) = ([], InkMoments())
      }
      run.append(index)
      sum.add(moments[index])
    }
    runs.append(run)
    return runs.filter { !$0.isEmpty }
  }

  /// Returns true for dots and bars, which are beside the axis of their line.
  private func isMark(_ stroke: StrokeMeasure) -> Bool {
    max(stroke.box.width, stroke.box.height) < Self.mark * height
  }

  /// Returns true if a stroke is beside the axis of ink that is a line already.
  private func isOff(_ stroke: InkMoments, _ line: InkMoments) -> Bool {
    let axis = line.axis
    guard axis.along > Self.elongated * axis.across, axis.along > 0.8 * height else { return false }
    return abs(Self.distance(of: stroke, from: line, axis.angle)) > Self.off * height
  }

  /// The distance of the middle of ink from a line through the middle of other ink.
  private static func distance(of ink: InkMoments, from other: InkMoments, _ angle: Double)
    -> Double
  {
    let (one, middle) = (ink.middle, other.middle)
    return (one.y - middle.y) * cos(angle) - (one.x - middle.x) * sin(angle)
  }

  /// The strokes by their places: groups with space around them.
  private func clusters() -> [[Int]] {
    let numbers = page.strokes.indices.filter { !isRule(page.strokes[$0]) }
    let boxes = Dictionary(uniqueKeysWithValues: numbers.map { ($0, page.strokes[$0].box) })
    return StrokeGroups.near(numbers, boxes, within: Self.nearAlone * height)
  }

  // MARK: - Strips

  /// The strip of some strokes; nil if they are not one, or a level one.
  private func strip(_ members: [Int]) -> Strip? {
    var sum = InkMoments()
    for member in members { sum.add(moments[member]) }
    let axis = sum.axis
    let length = axis.along * 12.0.squareRoot()
    let isBeside = isBesideRule(sum, axis.angle)
    guard length > (isBeside ? Self.leastLengthBeside : Self.leastLength) * height,
      axis.across < Self.across * height,
      axis.along > (isBeside ? Self.elongatedBeside : Self.elongated) * axis.across,
      sum.weight > Self.winding * length
    else { return nil }
    let isForward = ahead(members, axis.angle) >= 0
    let angle = isForward ? axis.angle : axis.angle + (axis.angle > 0 ? -Double.pi : Double.pi)
    // Level ink that was written backward is level.
    let rise = abs(sin(angle))
    guard rise > sin(Self.leastAngle * .pi / 180) else { return nil }
    if isBeside { return Strip(members: members, moments: sum, angle: angle, isBesideRule: true) }
    guard rise > sin(Self.steep * .pi / 180) || length > Self.leastLengthLevel * height,
      rise > cos(Self.steep * .pi / 180) || length > Self.leastLengthSlanted * height
    else { return nil }
    return Strip(members: members, moments: sum, angle: angle, isBesideRule: false)
  }

  /// The way of the strokes along a direction, in the order of writing; 0 without an order.
  private func ahead(_ members: [Int], _ angle: Double) -> Double {
    guard isOrdered, members.count > 1 else { return 0 }
    let places = members.map { member in
      let middle = moments[member].weight > 0 ? moments[member].middle : middle(of: member)
      return middle.x * cos(angle) + middle.y * sin(angle)
    }
    let half = max(1, places.count / 3)
    let (first, last) = (places.prefix(half), places.suffix(half))
    return last.reduce(0, +) / Double(half) - first.reduce(0, +) / Double(half)
  }

  private func middle(of member: Int) -> (x: Double, y: Double) {
    (page.strokes[member].box.midX, page.strokes[member].box.midY)
  }

  /// Adds the first letters of a strip, which may have been taken for the end of the line before it:
  /// strokes near its axis that are next to it, or nearer to it than to the stroke before them.
  private func addBeginnings(to strips: inout [Strip], _ taken: inout Set<Int>) {
    for index in strips.indices {
      while let first = strips[index].members.min(), first > 0, !taken.contains(first - 1) {
        let (own, next) = (page.strokes[first - 1].box, page.strokes[first].box)
        let before = first > 1 ? page.strokes[first - 2].box.gap(to: own) : .infinity
        let offset = Self.distance(
          of: moments[first - 1], from: strips[index].moments, strips[index].angle)
        guard own.gap(to: next) < max(before, Self.touching * height),
          own.gap(to: next) < Self.near * height,
          abs(offset) < Self.across * height, !isRule(page.strokes[first - 1])
        else { break }
        strips[index].members.append(first - 1)
        taken.insert(first - 1)
      }
    }
  }

  /// Adds other pieces of the lines: ink that lies wholly on the axis of a strip, in it or next to it. A
  /// word after a wide space, or the end of a line after its dots, may be too short for a strip.
  private func addPieces(of runs: [[Int]], to strips: inout [Strip], _ taken: inout Set<Int>) {
    for run in runs where run.count <= Self.mostPieces {
      let members = run.filter { !taken.contains($0) }
      guard !members.isEmpty, members.allSatisfy({ !isRule(page.strokes[$0]) }) else { continue }
      // The text of a frame may be on the axis of a connector, which begins there.
      let place = strips.firstIndex { strip in
        guard !strip.isBesideRule || run.allSatisfy({ isBesideRule(moments[$0], strip.angle) })
        else { return false }
        let extent = extent(of: strip.members, along: strip)
        let own = self.extent(of: members, along: strip)
        return own.across < Self.across * height
          && own.low < extent.high + Self.near * height
          && own.high > extent.low - Self.near * height
      }
      guard let place else { continue }
      strips[place].members += members
      taken.formUnion(members)
    }
  }

  /// The range of the middles of strokes along the axis of a strip, and their largest distance from it.
  private func extent(
    of members: [Int], along strip: Strip
  ) -> (low: Double, high: Double, across: Double) {
    let (middle, angle) = (strip.moments.middle, strip.angle)
    var result = (low: Double.infinity, high: -Double.infinity, across: 0.0)
    for member in members {
      let (x, y) = self.middle(of: member)
      let along = (x - middle.x) * cos(angle) + (y - middle.y) * sin(angle)
      result.low = min(result.low, along)
      result.high = max(result.high, along)
      result.across = max(
        result.across, abs((y - middle.y) * cos(angle) - (x - middle.x) * sin(angle)))
    }
    return result
  }

  /// Adds small strokes in a strip that were written before or after it.
  private func addMarks(to strips: inout [Strip], without taken: Set<Int>) {
    for (index, stroke) in page.strokes.enumerated() where !taken.contains(index) {
      guard isMark(stroke) else { continue }
      let (x, y) = middle(of: index)
      let place = strips.firstIndex { strip in
        let (middle, axis) = (strip.moments.middle, strip.moments.axis)
        let along = (x - middle.x) * cos(strip.angle) + (y - middle.y) * sin(strip.angle)
        let across = (y - middle.y) * cos(strip.angle) - (x - middle.x) * sin(strip.angle)
        return abs(across) < Self.markReach * height && abs(along) < 3.0.squareRoot() * axis.along
      }
      if let place { strips[place].members.append(index) }
    }
  }

  /// Strips of one part: they run in the same direction side by side.
  private func grouped(_ strips: [Strip]) -> [[Strip]] {
    var groups: [[Strip]] = []
    for strip in strips {
      let place = groups.firstIndex { group in
        group.contains { other in
          let turn = abs(remainder(strip.angle - other.angle, 2 * .pi)) * 180 / .pi
          guard turn < Self.sameAngle else { return false }
          let (one, two) = (strip.moments.middle, other.moments.middle)
          let along = (one.x - two.x) * cos(other.angle) + (one.y - two.y) * sin(other.angle)
          let across = Self.distance(of: strip.moments, from: other.moments, other.angle)
          let reach =
            3.0.squareRoot() * (strip.moments.axis.along + other.moments.axis.along)
            + Self.near * height
          return abs(across) < Self.beside * height && abs(along) < reach
        }
      }
      if let place { groups[place].append(strip) } else { groups.append([strip]) }
    }
    return groups
  }
}
