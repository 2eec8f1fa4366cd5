import InkCore

/// The strokes of a page as blocks, lines and drawing, in reading order.
///
/// Every stroke is in exactly one place: in one line, or in ``drawing``. A layout is a value, made
/// in O(points + strokes · lines).
///
///     let layout = PageLayout(ink)
///     for line in layout.lines { read(line.strokes) }
@usableFromInline package struct PageLayout: Hashable, Sendable {
  /// A line of writing.
  @usableFromInline package struct Line: Hashable, Sendable {
    /// The indices of its strokes, in reading order: the order of writing, except that words and
    /// letters that were added later are where they are read.
    package var strokes: [Int]
    /// The box of its ink.
    package var box: BoundingBox
    /// The places of its formulas among those that the layout was made with. Their strokes are among
    /// ``strokes``.
    package var formulas: [Int] = []

    /// Makes a line.
    @usableFromInline package init(strokes: [Int], box: BoundingBox) {
      self.strokes = strokes
      self.box = box
    }
  }

  /// Lines that belong together: a paragraph, a column, a note beside a drawing.
  @usableFromInline package struct Block: Hashable, Sendable {
    /// The lines, from top to bottom.
    package var lines: [Line]
    /// The box of its ink.
    package var box: BoundingBox
    /// The direction of its lines on the page in degrees, -179 ... 180: 0 to the right, 90 down.
    package var angle = 0
    /// The level of a heading by the size of its letters: 1 for the largest, 0 for other text.
    package var heading = 0
    /// For a table without rules the lines of each cell, row by row; empty for other blocks.
    package var rows: [[[Int]]] = []

    /// Makes a block.
    @usableFromInline package init(lines: [Line], box: BoundingBox) {
      self.lines = lines
      self.box = box
    }
  }

  /// The blocks in reading order.
  package var blocks: [Block]
  /// The indices of strokes that are not writing, in the order of writing.
  package var drawing: [Int]

  /// The lines of all blocks in reading order.
  package var lines: [Line] { blocks.flatMap(\.lines) }

  /// Makes a layout from known blocks and drawing.
  @usableFromInline package init(blocks: [Block], drawing: [Int]) {
    self.blocks = blocks
    self.drawing = drawing
  }

  /// Finds the blocks and lines of a page.
  ///
  /// - Parameters:
  ///   - ink: The strokes in the order of writing, in any unit, y down, finite. Strokes without
  ///     points stay with the stroke before them.
  ///   - direction: The direction of writing. Lines, columns and late strokes are ordered by it.
  ///   - isOrdered: False if the order of the strokes says nothing (``WritingOrder``): then the lines
  ///     are found and ordered by the places of the strokes alone.
  ///   - kinds: The kind of each stroke: only text is put into lines. Nil to look at the sizes of the
  ///     strokes.
  ///   - findsStructure: True to find tables without rules and headings, which are blocks of their own
  ///     then. A row of a table is several lines.
  ///   - formulas: Formulas between words of ink that is written from left to right. Each is one word of
  ///     its line.
  package init(
    _ ink: Ink, direction: WritingDirection = .leftToRight, isOrdered: Bool = true,
    kinds: [StrokeKind]? = nil, findsStructure: Bool = false, formulas: [InlineFormula] = []
  ) {
    self.init(
      reading: ink.turned(direction), direction, isOrdered: isOrdered, kinds: kinds,
      findsStructure: findsStructure, formulas: formulas)
    turn(direction)
  }

  /// Turns the boxes from the page into the reading frame of a direction, or back. O(lines).
  mutating func turn(_ direction: WritingDirection) {
    for block in blocks.indices {
      blocks[block].box = blocks[block].box.turned(direction)
      for line in blocks[block].lines.indices {
        blocks[block].lines[line].box = blocks[block].lines[line].box.turned(direction)
      }
    }
  }

  /// An order in which the strokes of a page can have been written, line by line; nil if they are in
  /// such an order. O(points + strokes · lines).
  package static func writingOrder(of ink: Ink) -> [Int]? {
    guard !WritingOrder(ink).isOfWriting(isTimed: false) else { return nil }
    let layout = PageLayout(ink, isOrdered: false)
    return layout.lines.flatMap(\.strokes) + layout.drawing
  }

  /// The strokes of one line, ordered by their places alone. Strokes without points come last.
  /// O(points + strokes log strokes).
  package static func orderByPlace(of ink: Ink, direction: WritingDirection) -> [Int] {
    let page = PageInk(ink.turned(direction))
    return PlaceOrder(page.strokes).items() + page.empty
  }

  /// Finds the blocks and lines of ink in its reading frame. The parts of a stroke that was interrupted are
  /// one stroke.
  init(
    reading ink: Ink, _ direction: WritingDirection, isOrdered: Bool, kinds: [StrokeKind]?,
    findsStructure: Bool, formulas: [InlineFormula]
  ) {
    guard isOrdered,
      let joined = InterruptedStrokes(
        ink, apart: Set(formulas.flatMap(\.strokes)), kinds: kinds)
    else {
      self.init(
        whole: ink, direction, isOrdered: isOrdered, kinds: kinds, findsStructure: findsStructure,
        formulas: formulas)
      return
    }
    let first = joined.first
    self.init(
      whole: joined.ink, direction, isOrdered: isOrdered,
      kinds: kinds.map { kinds in first.map { kinds[$0] } }, findsStructure: findsStructure,
      formulas: formulas.map { $0.counted(in: first) })
    mapStrokes(joined.parts(of:))
  }

  /// Replaces the indices of strokes.
  mutating func mapStrokes(_ map: ([Int]) -> [Int]) {
    drawing = map(drawing)
    for block in blocks.indices {
      for line in blocks[block].lines.indices {
        blocks[block].lines[line].strokes = map(blocks[block].lines[line].strokes)
      }
    }
  }

  /// Finds the blocks and lines of ink without interrupted strokes.
  private init(
    whole ink: Ink, _ direction: WritingDirection, isOrdered: Bool, kinds: [StrokeKind]?,
    findsStructure: Bool, formulas: [InlineFormula]
  ) {
    let page = PageInk(ink, marksCount: false)
    guard !page.strokes.isEmpty else {
      self.init(blocks: [], drawing: Array(ink.strokes.indices))
      return
    }
    var drawing =
      kinds.map { kinds in Set(page.strokes.map(\.item).filter { kinds[$0] != .text }) }
      ?? DrawingFinder(page, isOrdered: isOrdered).drawing()
    let words = FormulaWords(formulas, page)
    drawing.subtract(words.strokes)
    let writing = words.placed(among: page.strokes.filter { !drawing.contains($0.item) })
    var lines = LineFinder(writing, isOrdered: isOrdered).lines()
    drawing.formUnion(words.takeLone(&lines))
    lines = ColumnFinder(
      lines, drawing: page.figures(drawing, kinds), height: page.height, isOrdered: isOrdered,
      isDiagram: kinds.map(Self.isDiagram) ?? false
    ).parted()
    func line(_ shape: LineShape) -> Line {
      let items =
        isOrdered
        ? ReadingOrder(shape.members, direction).items() : PlaceOrder(shape.members).items()
      guard let (strokes, formulas) = words.spelled(items) else {
        return Line(strokes: items, box: page.box(of: shape))
      }
      var line = Line(strokes: strokes, box: page.box(of: strokes) ?? shape.box)
      line.formulas = formulas
      return line
    }
    var tables: [TableFinder.Table] = []
    if findsStructure, kinds.map(Self.mayHoldTables) ?? true {
      (tables, lines) = TableFinder(lines, height: page.height).found()
    }
    let order = BlockOrder(lines, height: page.height).blocks()
    let parts = findsStructure ? HeadingFinder.parts(order) : order.map { ($0, 0) }
    self.init(
      blocks: parts.map { Block(lines: $0.lines.map(line), heading: $0.heading) },
      drawing: drawing.sorted())
    for table in tables { insert(Block(table, line: line), height: page.height / page.scale) }
    place(page.empty, of: ink.strokes.count)
  }

  /// Inserts a block where it is read: before the first block that it precedes. The order of the
  /// others stays.
  ///
  /// - Parameter height: The height of the writing, in the unit of the ink.
  mutating func insert(_ block: Block, height: Double) {
    let place = blocks.firstIndex { BlockOrder.comes(block.box, before: $0.box, height: height) }
    blocks.insert(block, at: place ?? blocks.endIndex)
  }

  /// Returns whether a page is a diagram by the kinds of its strokes.
  private static func isDiagram(_ kinds: [StrokeKind]) -> Bool {
    let joining = kinds.count { $0 == .connector || $0 == .frame }
    return Double(joining) > diagramShare * Double(kinds.count)
  }

  /// Returns whether text in columns is a table: not in a diagram, and not beside the rules of a
  /// table, which say it themselves.
  private static func mayHoldTables(_ kinds: [StrokeKind]) -> Bool {
    !isDiagram(kinds) && !kinds.contains(.tableRule)
  }

  /// The share of connectors and frames of a diagram; text has less of letters that look like them.
  private static let diagramShare = 0.05

  /// Puts strokes without points after the stroke before them.
  private mutating func place(_ empty: [Int], of count: Int) {
    guard !empty.isEmpty else { return }
    for item in empty {
      guard let before = (0..<item).last(where: { !empty.contains($0) }) else {
        drawing.insert(item, at: drawing.firstIndex { $0 > item } ?? drawing.count)
        continue
      }
      var isPlaced = false
      for block in blocks.indices {
        for line in blocks[block].lines.indices {
          if let place = blocks[block].lines[line].strokes.firstIndex(of: before) {
            blocks[block].lines[line].strokes.insert(item, at: place + 1)
            isPlaced = true
          }
        }
      }
      if !isPlaced { drawing.insert(item, at: drawing.firstIndex { $0 > item } ?? drawing.count) }
    }
  }
}

extension PageLayout.Block {
  /// Makes a block of at least one line.
  fileprivate init(lines: [PageLayout.Line], heading: Int) {
    self.init(
      lines: lines, box: lines.dropFirst().reduce(into: lines[0].box) { $0.formUnion($1.box) })
    self.heading = heading
  }

  /// Makes the block of a table.
  fileprivate init(_ table: TableFinder.Table, line: (LineShape) -> PageLayout.Line) {
    var lines: [PageLayout.Line] = []
    let rows = table.map { row in
      row.map { cell -> [Int] in
        guard let cell else { return [] }
        lines.append(line(cell))
        return [lines.count - 1]
      }
    }
    self.init(lines: lines, heading: 0)
    self.rows = rows
  }
}

/// The strokes of a page, measured.
struct PageInk {
  /// The strokes that have points, in the order of writing, at the scale where larger letters are
  /// `height` tall.
  let strokes: [StrokeMeasure]
  /// The indices of strokes without points.
  let empty: [Int]
  /// The height of larger letters. It is fixed, because ink may come in any unit.
  let height = 10.0
  /// The factor from the unit of the ink to that of ``strokes``.
  let scale: Double
  /// The boxes of all strokes in the unit of the ink, by index.
  private let boxes: [Int: BoundingBox]

  /// Measures ink. O(points + strokes log strokes).
  ///
  /// - Parameter marksCount: False if marks do not count for the height of the writing.
  init(_ ink: Ink, marksCount: Bool = true) {
    var strokes: [StrokeMeasure] = []
    var empty: [Int] = []
    for (item, stroke) in ink.strokes.enumerated() {
      if let measure = StrokeMeasure(stroke, item: item, number: strokes.count) {
        strokes.append(measure)
      } else {
        empty.append(item)
      }
    }
    self.empty = empty
    boxes = Dictionary(uniqueKeysWithValues: strokes.map { ($0.item, $0.box) })
    let scale = height / (marksCount ? Self.height(of: strokes) : Self.letterHeight(of: strokes))
    self.scale = scale.isFinite && scale > 0 ? scale : 1
    self.strokes = self.scale == 1 ? strokes : strokes.map { [scale] in $0.scaled(by: scale) }
  }

  /// The boxes of what parts lines; the strokes of a frame are one box. Connectors do not part them.
  func figures(_ drawing: Set<Int>, _ kinds: [StrokeKind]?) -> [BoundingBox] {
    let drawn = strokes.filter { drawing.contains($0.item) }
    guard let kinds else { return drawn.map(\.box) }
    let frames = drawn.filter { kinds[$0.item] == .frame }
    let boxes = Dictionary(uniqueKeysWithValues: frames.map { ($0.item, $0.box) })
    return drawn.filter { kinds[$0.item] != .frame && kinds[$0.item] != .connector }.map(\.box)
      + StrokeGroups.near(frames.map(\.item), boxes, within: height).map {
        StrokeGroups.box(of: $0, boxes)
      }
  }

  /// Returns the box of a line in the unit of the ink.
  func box(of line: LineShape) -> BoundingBox {
    let own = line.members.compactMap { boxes[$0.item] }
    return own.dropFirst().reduce(into: own.first ?? line.box) { $0.formUnion($1) }
  }

  /// Returns the box of some strokes in the unit of the ink; nil if none has points.
  func box(of items: [Int]) -> BoundingBox? {
    let own = items.compactMap { boxes[$0] }
    return own.first.map { first in own.dropFirst().reduce(into: first) { $0.formUnion($1) } }
  }

  /// Returns the height of larger letters among strokes, above 0, where marks count as letters.
  static func height(of strokes: some Sequence<StrokeMeasure>) -> Double {
    heights(of: strokes).map { WritingHeight.withMarks($0) } ?? 1
  }

  /// Returns the height of larger letters among strokes, above 0, for finding lines.
  static func letterHeight(of strokes: some Sequence<StrokeMeasure>) -> Double {
    heights(of: strokes).map { WritingHeight.ofLetters($0) } ?? 1
  }

  /// The heights of strokes that are not dots, in ascending order; nil if there are none.
  private static func heights(of strokes: some Sequence<StrokeMeasure>) -> ArraySlice<Double>? {
    let heights = strokes.map { max($0.box.height, $0.box.width / 4) }.sorted()
    guard let tallest = heights.last, tallest > 0 else { return nil }
    return heights.drop { $0 < tallest / 50 }
  }
}

extension StrokeMeasure {
  /// Returns the stroke of a larger or smaller page.
  fileprivate func scaled(by scale: Double) -> StrokeMeasure {
    StrokeMeasure(
      item: item, number: number,
      box: BoundingBox(
        minX: box.minX * scale, minY: box.minY * scale, maxX: box.maxX * scale,
        maxY: box.maxY * scale), meanY: meanY * scale, length: length * scale)
  }

  /// Measures a stroke; nil if it has no points. O(points).
  package init?(_ stroke: Stroke, item: Int, number: Int) {
    guard let first = stroke.points.first else { return nil }
    var box = BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    var (length, sum) = (0.0, 0.0)
    var last = first
    for point in stroke.points.dropFirst() {
      box.formUnion(x: point.x, y: point.y)
      let (dx, dy) = (point.x - last.x, point.y - last.y)
      let part = (dx * dx + dy * dy).squareRoot()
      length += part
      sum += part * (point.y + last.y) / 2
      last = point
    }
    self.init(
      item: item, number: number, box: box, meanY: length > 0 ? sum / length : first.y,
      length: length)
  }
}
