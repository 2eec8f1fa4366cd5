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
    /// The direction of its lines on the page, in degrees.
    package var angle = 0
    /// The level of a heading, 0 for other blocks.
    package var heading = 0
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
  ///   - direction: The direction of writing. The columns of tables are counted, and blocks are ordered,
  ///     from where lines begin.
  package init(
    _ ink: Ink, layout: PageLayout, kinds: [StrokeKind]?,
    direction: WritingDirection = .leftToRight
  ) {
    let turned = ink.turned(direction)
    var layout = layout
    layout.turn(direction)
    let builder = StructureBuilder(
      page: PageInk(turned), ink: turned, layout: layout,
      kinds: kinds ?? ink.strokes.map { _ in .drawing })
    self = builder.structure()
    for block in blocks.indices { blocks[block].box = blocks[block].box.turned(direction) }
    for mark in marks.indices { marks[mark].box = marks[mark].box.turned(direction) }
  }

  init() {}
}

/// Puts the strokes of a page that are not in its lines into blocks, edges and marks.
private struct StructureBuilder {
  // The page is in its reading frame.
  let page: PageInk
  let ink: Ink
  let layout: PageLayout
  let kinds: [StrokeKind]

  // All distances are in heights of the writing.

  private static let near = MarkGroups.near

  private var height: Double { page.height / page.scale }

  func structure() -> PageStructure {
    var result = PageStructure()
    var boxes: [Int: BoundingBox] = [:]
    for (index, stroke) in ink.strokes.enumerated() {
      if let box = Ink(strokes: [stroke]).boundingBox { boxes[index] = box }
    }
    var line = 0
    for block in layout.blocks {
      let first = line
      line += block.lines.count
      result.blocks.append(
        PageStructure.Block(
          kind: block.rows.isEmpty ? .text : .table, box: block.box,
          strokes: block.lines.flatMap(\.strokes).sorted(), lines: Array(first..<line),
          rows: block.rows.map { $0.map { $0.map { first + $0 } } }, angle: block.angle,
          heading: block.heading))
    }
    var other: [StrokeKind: [Int]] = [:]
    for stroke in layout.drawing {
      let kind = boxes[stroke] == nil || kinds[stroke] == .text ? .drawing : kinds[stroke]
      other[kind, default: []].append(stroke)
    }
    addTables(&result, rules: other[.tableRule] ?? [], boxes)
    let formulas = FormulaGroups.found(in: other, boxes, height: height)
    let inFormulas = Set(formulas.flatMap(\.self))
    other = other.mapValues { $0.filter { !inFormulas.contains($0) } }
    let drawings = StrokeGroups.near(other[.drawing] ?? [], boxes, within: Self.near * height)
    for (kind, groups) in [
      (PageStructure.Block.Kind.formula, formulas), (.drawing, drawings),
    ] {
      for group in groups {
        insert(
          PageStructure.Block(kind: kind, box: StrokeGroups.box(of: group, boxes), strokes: group),
          into: &result.blocks)
      }
    }
    for group in MarkGroups.marks(in: ink, of: other, boxes, height: height) {
      result.marks.append(
        PageStructure.Mark(
          kind: group.kind, strokes: group.strokes,
          box: StrokeGroups.box(of: group.strokes, boxes)))
    }
    let finder = EdgeFinder(ink: ink, boxes: boxes, height: height)
    result.edges = finder.edges(of: other[.connector] ?? [], between: result)
    return result
  }

  /// Inserts a block where it is read: before the first block that it precedes. The order of the
  /// others, which is that of the lines, stays.
  private func insert(_ block: PageStructure.Block, into blocks: inout [PageStructure.Block]) {
    let place = blocks.firstIndex {
      BlockOrder.comes(block.box, before: $0.box, height: height)
    }
    blocks.insert(block, at: place ?? blocks.endIndex)
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
        insert(
          PageStructure.Block(kind: .table, box: box, strokes: group), into: &result.blocks)
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
