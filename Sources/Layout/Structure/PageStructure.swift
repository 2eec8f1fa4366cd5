import InkCore

/// What a page holds beside the words of its lines: blocks of all kinds, connectors between them, and
/// marks such as underlines.
///
/// Every stroke of the page is in exactly one block, edge or mark.
package struct PageStructure: Hashable, Sendable {
  /// Strokes that belong together.
  package struct Block: Hashable, Sendable {
    /// What a block is.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
      case text, formula, table, drawing
    }

    package var kind: Kind
    package var box: BoundingBox
    /// The strokes, ascending.
    package var strokes: [Int]
    /// The lines of the layout that it holds; for a table, cell by cell.
    package var lines: [Int] = []
    /// For a table, the lines of each cell, row by row; else empty.
    package var rows: [[[Int]]] = []
  }

  /// A line or arrow that joins two blocks.
  package struct Edge: Hashable, Sendable {
    /// The ends that have a head.
    package enum Arrow: String, CaseIterable, Hashable, Sendable {
      case none, end, both
    }

    /// The blocks at its ends, from the tail to the head; nil for an end that is at no block.
    package var from, to: Int?
    package var arrow: Arrow
    /// The strokes, ascending.
    package var strokes: [Int]
  }

  /// A stroke that says something about words, or parts the page.
  package struct Mark: Hashable, Sendable {
    package var kind: StrokeKind
    package var strokes: [Int]
    package var box: BoundingBox
  }

  package var blocks: [Block] = []
  package var edges: [Edge] = []
  package var marks: [Mark] = []

  /// The structure of a page whose strokes have kinds.
  ///
  /// - Parameters:
  ///   - ink: The page.
  ///   - layout: Its lines of text.
  ///   - kinds: The kind of each stroke. Those of lines are text, whatever is said here. Nil if all
  ///     others are drawing.
  package init(_ ink: Ink, layout: PageLayout, kinds: [StrokeKind]?) {
    let page = PageInk(ink)
    let builder = StructureBuilder(
      page: page, ink: ink, layout: layout,
      kinds: kinds ?? ink.strokes.map { _ in .drawing })
    self = builder.structure()
  }

  init() {}
}

/// Puts the strokes of a page that are not in its lines into blocks, edges and marks.
private struct StructureBuilder {
  let page: PageInk
  let ink: Ink
  let layout: PageLayout
  let kinds: [StrokeKind]

  // All distances are in heights of the writing.

  /// Parts of one drawing or formula are nearer.
  private static let near = 0.8
  /// A connector ends at a block that is nearer.
  private static let reach = 2.5
  /// The strokes of one arrow are nearer.
  private static let touching = 0.6
  /// The strokes of a head are shorter.
  private static let head = 1.6

  private var height: Double { page.height / page.scale }

  func structure() -> PageStructure {
    var result = PageStructure()
    var boxes: [Int: BoundingBox] = [:]
    for (index, stroke) in ink.strokes.enumerated() {
      if let box = Ink(strokes: [stroke]).boundingBox { boxes[index] = box }
    }
    var line = 0
    for block in layout.blocks {
      let lines = Array(line..<(line + block.lines.count))
      line += block.lines.count
      result.blocks.append(
        PageStructure.Block(
          kind: .text, box: block.box, strokes: block.lines.flatMap(\.strokes).sorted(),
          lines: lines))
    }
    var other: [StrokeKind: [Int]] = [:]
    for stroke in layout.drawing {
      let kind = boxes[stroke] == nil || kinds[stroke] == .text ? .drawing : kinds[stroke]
      other[kind, default: []].append(stroke)
    }
    addTables(&result, rules: other[.tableRule] ?? [], boxes)
    for (kind, block) in [
      (StrokeKind.formula, PageStructure.Block.Kind.formula), (.drawing, .drawing),
    ] {
      for group in StrokeGroups.near(other[kind] ?? [], boxes, within: Self.near * height) {
        result.blocks.append(
          PageStructure.Block(kind: block, box: StrokeGroups.box(of: group, boxes), strokes: group))
      }
    }
    let dashed = DashedLines.found(in: ink)
    for kind in [StrokeKind.frame, .divider, .underline, .strikeThrough, .bullet, .tickBox] {
      // The dashes of a line are one mark; so are the strokes of a box that touch.
      let lines = dashed.map {
        $0.filter { kinds[$0] == kind && other[kind]?.contains($0) == true }
      }
      .filter { !$0.isEmpty }
      let single = (other[kind] ?? []).filter { stroke in !lines.contains { $0.contains(stroke) } }
      let isBox = kind == .tickBox || kind == .frame
      let groups =
        isBox
        ? StrokeGroups.near(single, boxes, within: Self.touching / 2 * height) : single.map { [$0] }
      for group in lines + groups {
        result.marks.append(
          PageStructure.Mark(
            kind: kind, strokes: group, box: StrokeGroups.box(of: group, boxes)))
      }
    }
    addEdges(&result, connectors: other[.connector] ?? [], boxes)
    return result
  }

  // MARK: - Connectors

  /// Joins the strokes of connectors, and finds the blocks at their ends.
  private func addEdges(
    _ result: inout PageStructure, connectors: [Int], _ boxes: [Int: BoundingBox]
  ) {
    let shafts = connectors.filter { size($0, boxes) >= Self.head }
    var heads = connectors.filter { size($0, boxes) < Self.head }
    var edges: [(ends: [(x: Double, y: Double)], strokes: [Int], heads: [Bool])] = []
    for shaft in shafts {
      let points = ink.strokes[shaft].points
      guard let first = points.first, let last = points.last else { continue }
      edges.append(([(first.x, first.y), (last.x, last.y)], [shaft], [false, false]))
    }
    heads = heads.filter { head in
      guard let box = boxes[head] else { return true }
      var best: (edge: Int, end: Int, distance: Double)?
      for (edge, found) in edges.enumerated() {
        for (end, place) in found.ends.enumerated() {
          let point = BoundingBox(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
          let distance = box.gap(to: point)
          if distance < best?.distance ?? (Self.touching * height) { best = (edge, end, distance) }
        }
      }
      guard let best else { return true }
      edges[best.edge].strokes.append(head)
      edges[best.edge].heads[best.end] = true
      return false
    }
    // What is left is no head of a connector: a small connector of its own.
    for group in StrokeGroups.near(heads, boxes, within: Self.touching / 2 * height) {
      let points = group.flatMap { ink.strokes[$0].points }
      guard let first = points.first, let last = points.last else { continue }
      edges.append(([(first.x, first.y), (last.x, last.y)], group, [false, false]))
    }
    for edge in edges {
      // From the tail to the head.
      let isTurned = edge.heads[0] && !edge.heads[1]
      let ends = isTurned ? Array(edge.ends.reversed()) : edge.ends
      let from = block(at: ends[0], in: result, without: nil)
      let to = block(at: ends[1], in: result, without: from)
      result.edges.append(
        PageStructure.Edge(
          from: from, to: to,
          arrow: edge.heads[0] && edge.heads[1]
            ? .both : edge.heads[0] || edge.heads[1] ? .end : .none,
          strokes: edge.strokes.sorted()))
    }
  }

  private func size(_ stroke: Int, _ boxes: [Int: BoundingBox]) -> Double {
    boxes[stroke].map { max($0.width, $0.height) / height } ?? 0
  }

  /// The block at the end of a connector: the nearest one, or that in the frame that the end touches.
  private func block(
    at end: (x: Double, y: Double), in structure: PageStructure, without other: Int?
  ) -> Int? {
    let point = BoundingBox(minX: end.x, minY: end.y, maxX: end.x, maxY: end.y)
    let boxes = structure.blocks.map { block -> BoundingBox in
      // A block in a frame reaches to the frame.
      structure.marks.filter { $0.kind == .frame && $0.box.holds(block.box) }.map(\.box)
        .min { $0.width * $0.height < $1.width * $1.height } ?? block.box
    }
    let near = boxes.indices.filter { $0 != other }.map { ($0, boxes[$0].gap(to: point)) }
      .filter { $0.1 < Self.reach * height }
    return near.min { $0.1 < $1.1 }?.0
  }

  // MARK: - Tables

  /// Makes a table of the text between rules.
  private func addTables(
    _ result: inout PageStructure, rules: [Int], _ boxes: [Int: BoundingBox]
  ) {
    guard !rules.isEmpty else { return }
    for group in StrokeGroups.near(rules, boxes, within: 2 * Self.near * height) {
      let box = StrokeGroups.box(of: group, boxes)
      let level = group.filter { (boxes[$0].map { $0.width > $0.height }) ?? false }
      let upright = group.filter { (boxes[$0].map { $0.width <= $0.height }) ?? false }
      let inside = result.blocks.indices.filter {
        result.blocks[$0].kind == .text && box.grown(by: height).holds(result.blocks[$0].box)
      }
      let lines = inside.flatMap { result.blocks[$0].lines }.sorted()
      let all = layout.lines
      guard !lines.isEmpty else {
        result.blocks.append(PageStructure.Block(kind: .table, box: box, strokes: group))
        continue
      }
      let rows = bands(level.compactMap { boxes[$0]?.midY })
      let columns = bands(upright.compactMap { boxes[$0]?.midX })
      var cells: [Int: [Int: [Int]]] = [:]
      for line in lines {
        let row = rows.isEmpty ? line : rows.filter { $0 < all[line].box.midY }.count
        let column = columns.filter { $0 < all[line].box.midX }.count
        cells[row, default: [:]][column, default: []].append(line)
      }
      let width = cells.values.flatMap(\.keys).reduce(into: (min: Int.max, max: 0)) {
        $0 = (Swift.min($0.min, $1), Swift.max($0.max, $1))
      }
      let table = cells.sorted { $0.key < $1.key }.map { row in
        (width.min...width.max).map { row.value[$0] ?? [] }
      }
      let strokes = (group + inside.flatMap { result.blocks[$0].strokes }).sorted()
      var block = PageStructure.Block(kind: .table, box: box, strokes: strokes)
      block.rows = table
      block.lines = table.flatMap { $0.flatMap(\.self) }
      let first = inside.min() ?? 0
      result.blocks[first] = block
      for index in inside.sorted(by: >) where index != first { result.blocks.remove(at: index) }
    }
  }

  /// The places of rules, those of one rule in several strokes once.
  private func bands(_ places: [Double]) -> [Double] {
    places.sorted().reduce(into: []) { bands, place in
      if let last = bands.last, place - last < Self.near * height { return }
      bands.append(place)
    }
  }
}

extension BoundingBox {
  /// Whether most of another box is in this one.
  func holds(_ other: BoundingBox) -> Bool {
    let width = min(maxX, other.maxX) - max(minX, other.minX)
    let height = min(maxY, other.maxY) - max(minY, other.minY)
    return width >= 0.8 * other.width && height >= 0.8 * other.height && width >= 0 && height >= 0
      && contains(x: other.midX, y: other.midY)
  }

  /// The box with a margin all around.
  func grown(by margin: Double) -> BoundingBox {
    BoundingBox(
      minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
  }
}
