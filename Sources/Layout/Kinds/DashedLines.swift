import InkCore

/// Finds dashed lines: short straight strokes, each of which continues the one before it.
///
/// No single dash tells what it is; the chain does. A chain around ink is a frame, one that is level is
/// a divider, any other a connector.
struct DashedLines {
  /// A dash.
  private struct Dash {
    var item: Int
    var first, last: (x: Double, y: Double)
    var length: Double

    /// The end at an index, 0 or 1, and the direction in which the dash leaves it.
    func end(_ index: Int) -> (x: Double, y: Double, dx: Double, dy: Double) {
      let (here, there) = index == 0 ? (first, last) : (last, first)
      return (here.x, here.y, (here.x - there.x) / length, (here.y - there.y) / length)
    }
  }

  // Lengths are in heights of the writing.

  /// The lengths of dashes.
  private static let lengths = 0.15...2.0
  /// The path of a dash is longer than the distance of its ends by this factor at most.
  private static let straight = 1.15
  /// The fewest dashes of a line, and the least length of all.
  private static let (leastDashes, leastLength) = (6, 3.0)
  /// The widest gap, in lengths of the longer dash, and in heights.
  private static let gap = (dashes: 2.0, heights: 1.2)
  /// The cosine of the largest turn from a dash to the way to the next one: 50 degrees.
  private static let turn = 0.64
  /// Pages with more strokes like dashes are not searched.
  private static let mostDashes = 400

  /// Returns the strokes of each dashed line, ascending. O(dashes²).
  static func found(in ink: Ink) -> [[Int]] {
    let page = PageInk(ink)
    let dashes = page.strokes.compactMap { stroke -> Dash? in
      let points = ink.strokes[stroke.item].points
      guard let first = points.first, let last = points.last else { return nil }
      let (dx, dy) = ((last.x - first.x) * page.scale, (last.y - first.y) * page.scale)
      let length = (dx * dx + dy * dy).squareRoot()
      guard lengths.contains(length / page.height), stroke.length < straight * length else {
        return nil
      }
      return Dash(
        item: stroke.item, first: (first.x * page.scale, first.y * page.scale),
        last: (last.x * page.scale, last.y * page.scale), length: length)
    }
    guard dashes.count >= leastDashes, dashes.count <= mostDashes else { return [] }
    // For each end of a dash the best end of another one, if each is the best of the other.
    let ends = dashes.indices.flatMap { [2 * $0, 2 * $0 + 1] }
    let best = ends.map { end in partner(of: end, among: dashes, page.height) }
    var chain = Array(dashes.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while chain[index] != index { index = chain[index] }
      return index
    }
    for end in ends {
      guard let other = best[end], best[other] == end else { continue }
      chain[root(end / 2)] = root(other / 2)
    }
    return Dictionary(grouping: dashes.indices, by: root).values.filter { members in
      members.count >= leastDashes
        && members.reduce(0) { $0 + dashes[$1].length } >= leastLength * page.height
    }.map { $0.map { dashes[$0].item }.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// The nearest end that continues a dash at one of its ends.
  private static func partner(of end: Int, among dashes: [Dash], _ height: Double) -> Int? {
    let own = dashes[end / 2]
    let here = own.end(end % 2)
    var best: (end: Int, distance: Double)?
    for (index, dash) in dashes.enumerated() where index != end / 2 {
      let most = min(gap.dashes * max(own.length, dash.length), gap.heights * height)
      for side in 0...1 {
        let there = dash.end(side)
        let (dx, dy) = (there.x - here.x, there.y - here.y)
        let distance = (dx * dx + dy * dy).squareRoot()
        guard distance > 0, distance <= most, distance < best?.distance ?? .infinity,
          here.dx * dx + here.dy * dy >= turn * distance,
          -(there.dx * dx + there.dy * dy) >= turn * distance
        else { continue }
        best = (2 * index + side, distance)
      }
    }
    return best?.end
  }

  /// Sets the kinds of the strokes of dashed lines.
  static func mark(_ kinds: inout [StrokeKind], of ink: Ink) {
    let lines = found(in: ink)
    guard !lines.isEmpty else { return }
    let boxes = ink.strokes.map { Ink(strokes: [$0]).boundingBox }
    let height = PageInk(ink).height / PageInk(ink).scale
    for line in lines {
      let own = line.compactMap { boxes[$0] }
      let box = own.dropFirst().reduce(into: own[0]) { $0.formUnion($1) }
      let members = Set(line)
      let holds = kinds.indices.contains { index in
        guard kinds[index] == .text, !members.contains(index), let ink = boxes[index] else {
          return false
        }
        return box.height > height && box.contains(x: ink.midX, y: ink.midY)
      }
      let kind: StrokeKind = holds ? .frame : box.height < height ? .divider : .connector
      for stroke in line { kinds[stroke] = kind }
    }
  }
}
