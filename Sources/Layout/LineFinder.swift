import InkCore

/// Finds the lines of a whole page: first in the order of writing, then again with the whole page
/// known.
package struct LineFinder {
  private let strokes: [StrokeMeasure]
  /// True if the strokes are in the order of writing.
  private let isOrdered: Bool
  /// False if marks do not count for the height of the writing.
  private let marksCount: Bool

  // All distances are in heights of the writing.

  /// The largest standard deviation of the strokes' middles about a straight line that counts as
  /// one line. On val1 and val2 of IAM-OnDB, 99.5 % of single lines are below it, and 99.5 % of
  /// pairs of lines above it.
  private static let oneLine = 0.55
  /// The least slope that is corrected, dy per dx.
  private static let leastSlope = 0.04
  /// The least width of a line from which its slope is measured.
  private static let slopeWidth = 8.0
  /// The largest number of passes over all strokes.
  private static let passes = 3
  /// The bonus for the line of the strokes before and after, subtracted from the distance.
  private static let neighbourhood = 0.25
  /// The least gain in distance for which a stroke changes to another line.
  private static let inertia = 0.15
  /// Marks between lines are of a line whose middle is nearer.
  private static let scrapReach = 1.6
  /// A single letter joins a line whose middle is nearer, and is at least this high.
  private static let (alone, letter) = (1.3, 0.4)
  /// On ink of more lines, single letters are no lines of their own.
  private static let mostLines = 300
  /// The largest distance between the middles of two pieces of one line.
  private static let sameLine = 0.55
  /// The widest space across which two pieces of a line are joined.
  private static let joinGap = 8.0

  /// The same for two pieces side by side: the distance between their middles, and the limits of
  /// their overlap and of the space between them.
  private static let sideBySide = 0.9
  private static let besides = 0.5
  private static let nextGap = 3.0
  /// The least share of the smaller height that they have in common, and the same if the pen went straight
  /// on from one to the other: q beside t has little.
  private static let (common, commonNext) = (0.5, 0.3)
  /// The same for pieces that interleave, if nothing is known about the order of writing.
  private static let interleaved = 1.3
  private static let interleavedDeviation = 0.5
  /// The pen has moved this far back where another line may begin.
  private static let returnDistance = 4.0
  /// Two lines are split if each has this many strokes, and if they overlap by this share of the
  /// smaller width and are this far apart.
  private static let leastStrokes = 3
  private static let cover = 0.5
  private static let apart = 0.5

  /// The limits of a symbol of parts above each other: strokes; length in diagonals of the box of a
  /// simple stroke; size of a dot, height of all strokes and width of the symbol in its heights.
  /// Chosen on the symbols of UNIPEN's validation writers (1d).
  private static let symbolStrokes = 3
  private static let simple = 1.6
  private static let dot = 0.4
  private static let symbolHeight = 0.75
  private static let symbolWidth = 8.0

  /// - Parameters:
  ///   - isOrdered: False if nothing is known about the order of writing.
  ///   - marksCount: False if marks do not count for the height of the writing.
  init(_ strokes: [StrokeMeasure], isOrdered: Bool = true, marksCount: Bool = false) {
    self.strokes = strokes
    self.isOrdered = isOrdered
    self.marksCount = marksCount
  }

  private func height(of strokes: some Sequence<StrokeMeasure>) -> Double {
    marksCount ? PageInk.height(of: strokes) : PageInk.letterHeight(of: strokes)
  }

  /// Returns the lines in the order they were begun.
  func lines() -> [LineShape] {
    let found = found()
    guard found.count > 1 else { return found }
    let all = LineShape(id: 0, members: strokes)
    return isOneSymbol(all) || isOneLine(all) && !hasStack(found) ? [all] : found
  }

  /// Returns true if all strokes together are one symbol of parts above each other: a colon, a
  /// semicolon, an equals sign. They are few, simple, and cover little of the height.
  private func isOneSymbol(_ line: LineShape) -> Bool {
    line.members.count <= Self.symbolStrokes
      && line.members.allSatisfy { stroke in
        let (width, height) = (stroke.box.width, stroke.box.height)
        return stroke.length <= Self.simple * (width * width + height * height).squareRoot()
          || max(width, height) < Self.dot * line.box.height
      }
      && line.members.reduce(0) { $0 + $1.box.height } < Self.symbolHeight * line.box.height
      && line.box.width < Self.symbolWidth * line.box.height
  }

  /// Returns true if the middles of all strokes are near one straight line.
  private func isOneLine(_ line: LineShape) -> Bool {
    let height = height(of: line.members)
    return line.deviation(height) < Self.oneLine * height
  }

  /// Returns true if one piece is below another and their heights do not overlap.
  private func hasStack(_ lines: [LineShape]) -> Bool {
    let height = height(of: strokes)
    return lines.contains { upper in
      lines.contains { lower in
        let shared =
          min(upper.box.maxX, lower.box.maxX) - max(upper.box.minX, lower.box.minX)
        let least = min(upper.box.width, lower.box.width)
        return least > 2 * height && shared > Self.cover * least
          && lower.box.minY > upper.box.maxY - 0.25 * height
      }
    }
  }

  private func found() -> [LineShape] {
    let first = pass(strokes)
    let slope = Self.slope(of: first)
    guard abs(slope) > Self.leastSlope else { return refined(first) }
    // A sloped page is sheared level first. The boxes of the result are those of the page.
    let level = strokes.map { $0.sheared(by: slope) }
    let own = Dictionary(uniqueKeysWithValues: strokes.map { ($0.item, $0) })
    return refined(pass(level)).map { line in
      LineShape(id: line.id, members: line.members.compactMap { own[$0.item] })
    }
  }

  /// Finds the lines of strokes in the order of writing.
  private func pass(_ strokes: [StrokeMeasure]) -> [LineShape] {
    guard isOrdered else { return LineSweep(strokes).lines() }
    var grouper = LineGrouper(marksCount: marksCount)
    var lines: [LineShape] = []
    for stroke in strokes {
      let id = grouper.line(of: stroke, among: lines) ?? lines.count
      if id == lines.count { lines.append(LineShape(id: id, box: stroke.box)) }
      lines[id].add(stroke)
      grouper.remember(stroke, line: id)
    }
    return lines
  }

  /// Returns the median slope of all wide lines, weighted by width.
  static func slope(of lines: [LineShape]) -> Double {
    var slopes: [(slope: Double, weight: Double)] = []
    for line in lines {
      let height = PageInk.height(of: line.members)
      guard line.box.width > slopeWidth * height else { continue }
      slopes.append((line.slope(height), line.box.width))
    }
    slopes.sort { $0.slope < $1.slope }
    let half = slopes.reduce(0) { $0 + $1.weight } / 2
    var sum = 0.0
    for entry in slopes {
      sum += entry.weight
      if sum >= half { return entry.slope }
    }
    return 0
  }

  // MARK: - Refining

  /// Looks again at lines that were found stroke by stroke, now that all of their ink is known.
  ///
  /// - Parameter lines: Lines with identifiers of 0 or more, with strokes.
  /// - Returns: For each stroke that belongs elsewhere, the identifier of its line. A new line has a
  ///   negative identifier.
  package static func moves(in lines: [LineShape]) -> [Int: Int] {
    let strokes = lines.flatMap(\.members)
    guard lines.count > 1, !strokes.isEmpty else { return [:] }
    // Lines that were found stroke by stroke go by the height of all strokes.
    let finder = LineFinder(strokes, marksCount: true)
    // A sloped page is left as it is: the lines of a block seldom slope, and all alike.
    guard abs(slope(of: lines)) <= leastSlope else { return [:] }
    var old: [Int: Int] = [:]
    for line in lines { for member in line.members { old[member.item] = line.id } }
    var moves: [Int: Int] = [:]
    for line in finder.refined(lines) {
      for member in line.members where old[member.item] != line.id { moves[member.item] = line.id }
    }
    return moves
  }

  /// Joins pieces of lines, and moves strokes to nearer lines.
  private func refined(_ found: [LineShape]) -> [LineShape] {
    var lines = joined(isOrdered ? found.flatMap(partedAtReturns) : found)
    for _ in 0..<Self.passes {
      let moved = moveStrokes(&lines)
      lines.removeAll(where: \.members.isEmpty)
      if moved == 0 { break }
    }
    return withoutScraps(joined(lines))
  }

  /// Splits a line that holds two: the pen went far back, and then wrote below the ink from before.
  /// A word that was added later covers only a small part of the line.
  private func partedAtReturns(_ line: LineShape) -> [LineShape] {
    let height = height(of: line.members)
    var parts: [LineShape] = []
    var (begin, right) = (0, -Double.infinity)
    for (index, stroke) in line.members.enumerated() {
      if index - begin >= Self.leastStrokes, line.members.count - index >= Self.leastStrokes,
        stroke.box.midX < right - Self.returnDistance * height
      {
        let before = LineShape(id: line.id, members: Array(line.members[begin..<index]))
        let behind = LineShape(id: line.id, members: Array(line.members[index...]))
        let shared =
          min(before.box.maxX, behind.box.maxX) - max(before.box.minX, behind.box.minX)
        if shared > Self.cover * min(before.box.width, behind.box.width),
          behind.mean - before.mean > Self.apart * height
        {
          parts.append(before)
          (begin, right) = (index, -.infinity)
        }
      }
      right = max(right, stroke.box.maxX)
    }
    parts.append(LineShape(id: line.id, members: Array(line.members[begin...])))
    for index in parts.indices.dropFirst() {
      parts[index] = LineShape(id: -1 - parts[index].members[0].item, members: parts[index].members)
    }
    return parts
  }

  /// Puts pieces of one or two strokes, such as marks between lines, into the nearest line.
  private func withoutScraps(_ found: [LineShape]) -> [LineShape] {
    let height = height(of: found.flatMap(\.members))
    var lines = found
    for scrap in found where scrap.members.count <= 3 {
      guard let own = lines.firstIndex(where: { $0.id == scrap.id }), lines.count > 1,
        scrap.box.height < 0.8 * height, scrap.box.width < 4 * height
      else { continue }
      let isLetter =
        lines.count < Self.mostLines
        && scrap.members.contains { $0.box.height > Self.letter * height }
      let reach = isLetter ? Self.alone : Self.scrapReach
      let near = lines.indices.filter { $0 != own }.map { index in
        (
          index: index, gap: scrap.box.gap(to: lines[index].box),
          offset: abs(scrap.mean - lines[index].centre(at: scrap.box.midX, height: height))
        )
      }.filter { $0.gap < 1.2 * height && $0.offset < reach * height }
      guard let nearest = near.min(by: { $0.offset < $1.offset }) else { continue }
      for member in lines[own].members { lines[nearest.index].add(member) }
      lines.remove(at: own)
    }
    return lines
  }

  /// Joins pieces that continue at the same height.
  private func joined(_ found: [LineShape]) -> [LineShape] {
    var lines = found
    var heights = lines.map { height(of: $0.members) }
    var index = 0
    while index < lines.count {
      let line = lines[index]
      let other = lines.indices.first {
        $0 != index && isSame(lines[$0], line, height: max(heights[$0], heights[index]))
      }
      guard let other else {
        index += 1
        continue
      }
      let (kept, gone) = (min(index, other), max(index, other))
      lines[kept] = LineShape(
        id: lines[kept].id, members: lines[kept].members + lines[gone].members)
      heights[kept] = height(of: lines[kept].members)
      lines.remove(at: gone)
      heights.remove(at: gone)
      index = 0
    }
    return lines
  }

  /// - Parameter height: The height of the larger letters of both.
  private func isSame(_ one: LineShape, _ other: LineShape, height: Double) -> Bool {
    let shared = min(one.box.maxX, other.box.maxX) - max(one.box.minX, other.box.minX)
    guard -shared < Self.joinGap * height else { return false }
    let x =
      shared > 0
      ? max(one.box.minX, other.box.minX) + shared / 2
      : (one.box.midX < other.box.midX ? one.box.maxX - shared / 2 : other.box.maxX - shared / 2)
    let offset = abs(one.centre(at: x, height: height) - other.centre(at: x, height: height))
    if shared < Self.besides * height {
      // Pieces side by side are one line if they share half of their height.
      let common = min(one.box.maxY, other.box.maxY) - max(one.box.minY, other.box.minY)
      let least = min(one.box.height, other.box.height)
      let (left, right) = one.box.midX < other.box.midX ? (one, other) : (other, one)
      let goesOn = isOrdered && left.precedes(right)
      return offset < Self.sameLine * height
        || (goesOn || -shared < Self.nextGap * height) && offset < Self.sideBySide * height
          && common > (goesOn ? Self.commonNext : Self.common) * least
    }
    if !isOrdered {
      // Pieces that the sweep found side by side are one line if their strokes are near one straight
      // line.
      guard offset < Self.interleaved * height else { return false }
      let both = LineShape(id: one.id, members: one.members + other.members)
      return both.deviation(height) < Self.interleavedDeviation * self.height(of: both.members)
    }
    guard offset < Self.sameLine * height else { return false }
    // Pieces that overlap for most of their width are two lines, however near they are.
    return shared < 0.3 * min(one.box.width, other.box.width) + height
  }

  /// Moves each stroke to the line that it is nearer to.
  ///
  /// - Returns: The number of strokes that moved.
  private func moveStrokes(_ lines: inout [LineShape]) -> Int {
    var place: [Int: Int] = [:]
    for (index, line) in lines.enumerated() {
      for member in line.members { place[member.item] = index }
    }
    let heights = lines.map { height(of: $0.members) }
    let members = lines.flatMap(\.members).sorted { $0.number < $1.number }
    var moved = 0
    for (index, stroke) in members.enumerated() {
      guard let current = place[stroke.item] else { continue }
      // A forgotten dot says nothing about the line of the next one.
      func line(at other: Int) -> Int? {
        guard isOrdered, members.indices.contains(other),
          members[other].box.gap(to: stroke.box) < Self.joinGap * heights[current]
        else { return nil }
        return place[members[other].item]
      }
      let (before, behind) = (line(at: index - 1), line(at: index + 1))
      var best = (score: Double.infinity, line: current)
      for (other, line) in lines.enumerated() {
        let height = heights[other]
        guard stroke.box.maxY > line.box.minY - height, stroke.box.minY < line.box.maxY + height,
          stroke.box.maxX > line.box.minX - Self.joinGap * height,
          stroke.box.minX < line.box.maxX + Self.joinGap * height,
          line.members.count > (other == current ? 1 : 0)
        else { continue }
        let centre = line.centre(at: stroke.box.midX, height: height, without: stroke.item)
        var score = abs(stroke.meanY - centre) / height
        if other == before { score -= Self.neighbourhood }
        if other == behind { score -= Self.neighbourhood }
        if other == current { score -= Self.inertia }
        // A letter that stands alone stays a line, rather than join one that is far above or below.
        let isAlone =
          lines.count < Self.mostLines && lines[current].members.count == 1 && other != current
        if isAlone, score > Self.alone, stroke.box.height > Self.letter * height { continue }
        if score < best.score { best = (score, other) }
      }
      guard best.line != current else { continue }
      lines[current].remove(stroke.item)
      lines[best.line].add(stroke)
      place[stroke.item] = best.line
      moved += 1
    }
    return moved
  }
}

extension LineShape {
  /// Returns whether another line was begun when this one was finished.
  fileprivate func precedes(_ other: LineShape) -> Bool {
    guard let last = members.map(\.number).max(), let first = other.members.map(\.number).min()
    else { return false }
    return last + 1 == first
  }
}

extension StrokeMeasure {
  /// Returns the stroke on a page that was sheared so that its lines are level.
  fileprivate func sheared(by slope: Double) -> StrokeMeasure {
    let shift = slope * box.midX
    return StrokeMeasure(
      item: item, number: number,
      box: BoundingBox(
        minX: box.minX, minY: box.minY - shift, maxX: box.maxX, maxY: box.maxY - shift),
      meanY: meanY - shift, length: length)
  }
}
