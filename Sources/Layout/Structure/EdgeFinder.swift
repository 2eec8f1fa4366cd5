import InkCore

/// Joins the strokes of connectors, and finds the blocks at their ends.
struct EdgeFinder {
  /// The page.
  let ink: Ink
  /// The boxes of its strokes that have points.
  let boxes: [Int: BoundingBox]
  /// The height of the writing, in the unit of the ink.
  let height: Double

  // All distances are in heights of the writing.

  /// A connector ends at a block that is nearer.
  private static let reach = 2.5
  /// A head is nearer to the end of its shaft.
  private static let touching = 0.6
  /// The strokes of one head are nearer to each other.
  private static let together = 0.3
  /// The strokes of a head are shorter.
  private static let head = 1.6

  /// The path of a bent stroke is longer than the distance of its ends by this factor.
  private static let bent = 1.2

  private typealias Point = (x: Double, y: Double)

  /// The evidence for a head at an end: a bent stroke or two strokes are one. A single dash may be stray.
  private enum Head: Int {
    case none, dash, sure

    /// Adds strokes at the end; a second dash makes a head of both.
    mutating func add(isSure: Bool) {
      self = isSure || self != .none ? .sure : .dash
    }
  }

  /// A shaft with its heads.
  private struct Connector {
    var ends: (Point, Point)
    var strokes: [Int]
    var heads = (Head.none, Head.none)

    /// The ends that have heads: a single dash is none if the other end has a sure head.
    var hasHeads: (Bool, Bool) {
      let least = Head.sure == heads.0 || Head.sure == heads.1 ? Head.sure : .dash
      return (heads.0.rawValue >= least.rawValue, heads.1.rawValue >= least.rawValue)
    }
  }

  /// Returns the edges. O(connectors · (connectors + blocks)).
  ///
  /// - Parameters:
  ///   - strokes: The strokes of all connectors.
  ///   - page: The blocks, and the frames among its marks.
  func edges(of strokes: [Int], between page: PageStructure) -> [PageStructure.Edge] {
    let shafts = strokes.filter { size($0) >= Self.head }
    var connectors = shafts.compactMap { connector([$0]) }
    // The strokes of a head go to one end together.
    for head in StrokeGroups.near(
      strokes.filter { size($0) < Self.head }, boxes, within: Self.together * height)
    {
      if !add(head, to: &connectors), let alone = connector(head) { connectors.append(alone) }
    }
    let nodes = nodes(of: page)
    return connectors.map { connector in
      // From the tail to the head.
      let heads = connector.hasHeads
      let isTurned = heads.0 && !heads.1
      let (tail, head) =
        isTurned ? (connector.ends.1, connector.ends.0) : connector.ends
      let from = nearest(to: tail, among: nodes, without: nil)
      let isBoth = heads.0 && heads.1
      let hasHead = heads.0 || heads.1
      return PageStructure.Edge(
        from: from, to: nearest(to: head, among: nodes, without: from),
        arrow: isBoth ? .both : hasHead ? .end : .none, strokes: connector.strokes.sorted())
    }
  }

  private func size(_ stroke: Int) -> Double {
    boxes[stroke].map { max($0.width, $0.height) / height } ?? 0
  }

  private func connector(_ strokes: [Int]) -> Connector? {
    let points = strokes.flatMap { ink.strokes[$0].points }
    guard let first = points.first, let last = points.last else { return nil }
    return Connector(ends: ((first.x, first.y), (last.x, last.y)), strokes: strokes)
  }

  /// Adds a head to the nearest end of a connector. Returns false if none is near.
  private func add(_ head: [Int], to connectors: inout [Connector]) -> Bool {
    let box = StrokeGroups.box(of: head, boxes)
    var best: (connector: Int, isFirst: Bool, distance: Double)?
    for (index, connector) in connectors.enumerated() {
      for (end, isFirst) in [(connector.ends.0, true), (connector.ends.1, false)] {
        let distance = Self.distance(box, end)
        if distance < best?.distance ?? (Self.touching * height) {
          best = (index, isFirst, distance)
        }
      }
    }
    guard let best else { return false }
    connectors[best.connector].strokes += head
    let isSure = head.count > 1 || head.contains(where: isBent)
    if best.isFirst {
      connectors[best.connector].heads.0.add(isSure: isSure)
    } else {
      connectors[best.connector].heads.1.add(isSure: isSure)
    }
    return true
  }

  /// Returns true if a stroke changes its direction, as a head in one stroke does.
  private func isBent(_ stroke: Int) -> Bool {
    let points = ink.strokes[stroke].points
    guard let first = points.first, let last = points.last else { return false }
    let path = zip(points, points.dropFirst()).reduce(0) { sum, pair in
      let (dx, dy) = (pair.1.x - pair.0.x, pair.1.y - pair.0.y)
      return sum + (dx * dx + dy * dy).squareRoot()
    }
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    return path > Self.bent * (dx * dx + dy * dy).squareRoot()
  }

  /// The boxes of the blocks; a block in a frame reaches to the frame.
  private func nodes(of page: PageStructure) -> [BoundingBox] {
    let frames = page.marks.filter { $0.kind == .frame }.map(\.box)
    return page.blocks.map { block in
      frames.filter { $0.holds(block.box) }.min { $0.width * $0.height < $1.width * $1.height }
        ?? block.box
    }
  }

  private func nearest(to end: Point, among nodes: [BoundingBox], without other: Int?) -> Int? {
    var best: (node: Int, distance: Double)?
    for (index, box) in nodes.enumerated() where index != other {
      let distance = Self.distance(box, end)
      if distance < best?.distance ?? (Self.reach * height) { best = (index, distance) }
    }
    return best?.node
  }

  private static func distance(_ box: BoundingBox, _ point: Point) -> Double {
    box.gap(to: BoundingBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y))
  }
}
