import InkCore
import Layout

// The structure of the text, which only the whole page shows: lines end where columns begin, cells of
// tables are lines of their own, and headings have larger letters than the text below them. The lines
// are those that a recogniser finds when it reads the page.
extension Document {
  /// Returns true if the structure of the text is to be found again: after some new strokes, after one
  /// that begins a line or is far beside its line, and after ink has moved. O(new items).
  var mayHaveNewStructure: Bool {
    switch type {
    case .text, .rawContent, .textDocument: break
    case .drawing, .math, .diagram: return false
    }
    guard Chosen.strokes.contains(order.count), unsorted.isEmpty, pending.isEmpty,
      // Each change is looked at once, whatever came of it.
      edits != structureEdits, !hasShapes
    else { return false }
    if page.structureIsStale { return true }
    return order.reversed().prefix { $0 >= page.structureFoundBefore }.count >= Chosen.newStrokes
  }

  /// True if the page as a whole is to be looked at again. O(new items).
  package var pageMayHaveChanged: Bool { mayHaveNewKinds || mayHaveNewStructure }

  /// Takes the kinds and the structure that the document has for those of its page: they came with its
  /// ink.
  func keepPage() {
    page.kindsFoundBefore = nextItem
    keepStructure()
  }

  /// Takes the structure that the document has for that of its page.
  private func keepStructure() {
    page.structureFoundBefore = nextItem
    structureEdits = edits
    page.structureIsStale = false
  }

  /// True if shapes stand among the text: lines beside them are cut too often. O(blocks).
  private var hasShapes: Bool {
    blocks.values.contains { $0.type == .node || $0.type == .edge }
  }

  /// The kind of each stroke by the block that it is in. O(items).
  var kindsByBlock: [StrokeKind] {
    // A box beside a few words makes no diagram, whose texts would be apart.
    let isDiagram = isDiagram
    return order.map { item in
      switch places[item] {
      case .line?: return .text
      case .block(let block)?:
        if page.tableRules.contains(item) { return .tableRule }
        if let mark = block.mark { return mark.strokeKind }
        return switch block.type {
        case .edge: isDiagram ? .connector : .drawing
        case .node: isDiagram ? .frame : .drawing
        case .math: .formula
        case .text, .rawContent, .drawing, .diagram, .textDocument, .container: .drawing
        }
      case nil: return .drawing
      }
    }
  }

  /// Takes over the structure of the text. Blocks that the user set and chosen words stay as they
  /// are. Lines change only where columns or cells begin. O(items, and lines²).
  ///
  /// - Parameter items: The strokes of the page.
  func take(_ structure: TextStructure, of items: [Int]) {
    keepStructure()
    var found = StructureUpdate(structure, items, in: self)
    found.apply(to: self)
  }

  /// Returns true if a stroke is so far beside its line that it may be in another column.
  func isFar(_ box: BoundingBox, from line: TextLine) -> Bool {
    line.box.gapX(to: box) > Chosen.farBeside * letterHeight
  }

  /// Returns lines without those that end before a stroke because another line begins there.
  /// O(lines), and O(lines²) in a text with columns.
  static func lines(_ lines: [TextLine], reachedBy box: BoundingBox) -> [TextLine] {
    guard lines.contains(where: \.role.isBounded) else { return lines }
    return lines.filter { line in
      guard line.role.isBounded else { return true }
      let gap = line.box.gapX(to: box)
      return !lines.contains {
        $0 !== line && $0.box.gapX(to: box) < gap && $0.box.isBeside(line.box)
      }
    }
  }

  /// Sorts the lines of a block into reading order: from top to bottom; where lines end at columns,
  /// column by column, and cells row by row. O(lines log lines), and O(lines²) with columns.
  func orderLines(of block: BlockNode) {
    block.lines.sort { $0.box.midY != $1.box.midY ? $0.box.midY < $1.box.midY : $0.id < $1.id }
    guard block.lines.contains(where: \.role.isBounded) else { return }
    // A table is read as a whole, at its place.
    var (units, tables): ([[TextLine]], [Int: Int]) = ([], [:])
    for line in block.lines {
      if let cell = line.role.cell, let unit = tables[cell.table] {
        units[unit].append(line)
        continue
      }
      if let cell = line.role.cell { tables[cell.table] = units.count }
      units.append([line])
    }
    let shapes = units.enumerated().map { index, lines -> LineShape in
      let members = lines.flatMap(\.shape.members)
      return members.isEmpty
        ? LineShape(id: index, box: lines[0].box) : LineShape(id: index, members: members)
    }
    let order = TextStructure.readingOrder(of: shapes, direction: frame(of: block).direction)
    block.lines = order.flatMap { shape in
      units[shape.id].sorted { one, other in
        guard let a = one.role.cell, let b = other.role.cell else { return false }
        return (a.row, a.column, one.box.midY, one.id) < (b.row, b.column, other.box.midY, other.id)
      }
    }
  }

  /// Makes the runs of a line again: chosen words stay, all other ink is read together. O(its ink).
  fileprivate func rebuild(_ line: TextLine) {
    let frame = frame(of: line)
    let fixed = line.runs.filter(\.isFixed)
    let free = line.runs.filter { !$0.isFixed }
    let items = free.flatMap(\.items)
    // Ink that was not asked for is not read now.
    let isAsked = free.contains { $0.isAsked || $0.state == .current }
    for run in free { dropRun(run) }
    line.runs = fixed
    let groups = Dictionary(grouping: items) { item in
      let middle = strokes[item].map { frame.middle($0.box) } ?? 0
      return fixed.count { frame.middle($0.box) < middle }
    }
    for (_, items) in groups.sorted(by: { $0.key < $1.key }) {
      let run = makeRun(inOrder(items), in: line)
      run.isAsked = isAsked
      line.runs.append(run)
      line.activeRun = run
    }
    orderRuns(of: line)
    measureAll(line)
  }

  /// Moves runs, whose ink is nowhere else, into a line.
  fileprivate func adopt(_ moved: [TextRun], into line: TextLine) {
    line.runs += moved
    for run in moved {
      runs[run.id] = (run, line)
      for item in run.items { setPlace(item, line, run) }
    }
  }
}

/// The changes of a document's lines that make them those of the page.
private struct StructureUpdate {
  /// A line of the page with its items.
  private struct Wanted {
    var line: TextStructure.Line
    var items: [Int] = []
  }

  private var wanted: [Wanted]
  /// The index of the wanted line of each item.
  private var indices: [Int: Int] = [:]
  /// The lines of the document that may change, in the order of their ids.
  private let lines: [TextLine]
  /// Their blocks. A line does not keep its block alive, and a block that loses its ink is dropped.
  private let blocks: [BlockNode]

  init(_ structure: TextStructure, _ items: [Int], in document: Document) {
    wanted = structure.lines.map { Wanted(line: $0) }
    for (index, line) in structure.lines.enumerated() {
      for stroke in line.strokes { indices[items[stroke]] = index }
    }
    lines = document.root.texts.filter { !$0.isForced && $0.frame == nil }.flatMap(\.lines)
      .sorted { $0.id < $1.id }
    blocks = lines.map(\.block)
    // A chosen word is in one line, and so is ink that the page does not know.
    for run in lines.lazy.flatMap(\.runs) where run.isFixed {
      let most = Self.most(run.items.compactMap { indices[$0] })
      for item in run.items { indices[item] = most }
    }
    for line in lines {
      for item in line.items {
        if let index = indices[item] { wanted[index].items.append(item) }
      }
    }
  }

  mutating func apply(to document: Document) {
    let (changed, cut) = changes()
    var targets: [Int: TextLine] = [:]
    let tables = Dictionary(grouping: changed.filter { wanted[$0].line.cell != nil }) {
      wanted[$0].line.cell?.table ?? 0
    }.mapValues { block(of: $0.flatMap { wanted[$0].items }, document) }
    var claimed: Set<Int> = []
    for index in changed.sorted() {
      let home = wanted[index].line.cell.flatMap { tables[$0.table] ?? nil }
      targets[index] = target(of: index, in: home, &claimed, document)
    }
    move(to: targets, document)
    setRoles(cut, targets, document)
    for id in Set(blocks.map(\.id) + targets.values.map(\.block.id)) {
      if let block = document.blocks[id] { document.orderLines(of: block) }
    }
  }

  // MARK: - Finding changes

  /// The wanted lines that lines of the document are to become, and those among them that end where
  /// another one begins.
  private func changes() -> (changed: Set<Int>, cut: Set<Int>) {
    var (changed, cut): (Set<Int>, Set<Int>) = ([], [])
    for index in wanted.indices where wanted[index].line.cell != nil && !wanted[index].items.isEmpty
    {
      changed.insert(index)
    }
    for line in lines {
      let own = Set(line.items.compactMap { indices[$0] }).sorted()
      if line.role.isBounded { changed.formUnion(own) }
      for (place, index) in own.enumerated() {
        for other in own[(place + 1)...]
        where wanted[index].line.isBeside(wanted[other].line) {
          cut.formUnion([index, other])
        }
      }
      // A line that ended at a column still does if there is one.
      if line.role.isCut {
        cut.formUnion(
          own.filter { index in
            wanted.contains { $0.line.isBeside(wanted[index].line) }
          })
      }
    }
    return (changed.union(cut), cut)
  }

  /// The block that has most of some items.
  private func block(of items: [Int], _ document: Document) -> BlockNode? {
    Self.most(items.compactMap { document.block(of: $0)?.id }).flatMap { document.blocks[$0] }
  }

  /// The line that becomes a wanted one: that with most of its ink, or else a new one.
  private func target(
    of index: Int, in home: BlockNode?, _ claimed: inout Set<Int>, _ document: Document
  ) -> TextLine? {
    let items = wanted[index].items
    guard let block = home ?? block(of: items, document) else { return nil }
    var counts: [Int: Int] = [:]
    for item in items {
      if case .line(let line, _)? = document.places[item] { counts[line.id, default: 0] += 1 }
    }
    let best = lines.filter { line in
      line.block === block && counts[line.id] != nil && !claimed.contains(line.id)
        // The first ink of a line, and not a part that belongs to another.
        && counts[line.id] == Self.counts(line.items.compactMap { indices[$0] }).values.max()
    }.max { (counts[$0.id] ?? 0, -$0.id) < (counts[$1.id] ?? 0, -$1.id) }
    if let best {
      claimed.insert(best.id)
      return best
    }
    return document.addLine(to: block, box: wanted[index].line.box)
  }

  // MARK: - Changing

  /// Moves the items of the wanted lines into the lines that they become.
  private func move(to targets: [Int: TextLine], _ document: Document) {
    var touched: [Int: TextLine] = [:]
    for (index, target) in targets.sorted(by: { $0.key < $1.key }) {
      let moving = wanted[index].items.filter { item in
        guard case .line(let line, _)? = document.places[item] else { return false }
        return line !== target
      }
      guard !moving.isEmpty else { continue }
      touched[target.id] = target
      var moved: [TextRun] = []
      var free: Set<Int> = []
      var isAsked = false
      for item in moving {
        guard case .line(let line, let run)? = document.places[item] else { continue }
        touched[line.id] = line
        if !run.isFixed {
          free.insert(item)
          isAsked = isAsked || run.isAsked || run.state == .current
        } else if !moved.contains(where: { $0 === run }) {
          moved.append(run)
        }
      }
      for run in moved {
        guard case .line(let line, _)? = document.places[run.items[0]] else { continue }
        line.runs.removeAll { $0 === run }
        let gone = Set(run.items)
        line.shape.members.removeAll { gone.contains($0.item) }
      }
      document.adopt(moved, into: target)
      document.take(free, outOf: touched.values.filter { $0 !== target })
      if !free.isEmpty {
        let run = document.makeRun(document.inOrder(free), in: target)
        run.isAsked = isAsked
        target.runs.append(run)
      }
    }
    for line in touched.values.sorted(by: { $0.id < $1.id }) {
      if line.runs.allSatisfy(\.items.isEmpty) {
        line.runs.forEach(document.dropRun)
        line.block.lines.removeAll { $0 === line }
      } else {
        document.rebuild(line)
      }
    }
    for block in Set(touched.values.map(\.block.id)).sorted() {
      if let block = document.blocks[block] { document.refresh(block) }
    }
    document.followLastLine()
  }

  /// Sets the part that each line has on the page.
  private func setRoles(_ cut: Set<Int>, _ targets: [Int: TextLine], _ document: Document) {
    var tables: [Int: Int] = [:]
    for (index, line) in targets.sorted(by: { $0.key < $1.key }) {
      guard let cell = wanted[index].line.cell else { continue }
      tables[cell.table] = min(tables[cell.table] ?? .max, line.id)
    }
    let all = lines.filter { line in line.block.lines.contains { $0 === line } } + targets.values
    for line in all {
      guard let index = Self.most(line.items.compactMap({ indices[$0] })) else { continue }
      var role = LineRole()
      role.heading = min(wanted[index].line.heading, LineRole.mostLevels)
      role.isCut = cut.contains(index)
      if targets[index] === line, let cell = wanted[index].line.cell, let table = tables[cell.table]
      {
        role.cell = TableCell(table: table, row: cell.row, column: cell.column)
      }
      guard line.role != role else { continue }
      line.role = role
      document.changes.update(line.block)
    }
  }

  private static func counts<Value: Hashable>(_ values: [Value]) -> [Value: Int] {
    values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The most frequent value, the first of several; nil for none.
  private static func most<Value: Hashable>(_ values: [Value]) -> Value? {
    let counts = counts(values)
    let most = counts.values.max()
    return values.first { counts[$0] == most }
  }
}

extension Document {
  /// Removes items from the runs of lines, which are made again later.
  fileprivate func take(_ items: Set<Int>, outOf lines: [TextLine]) {
    guard !items.isEmpty else { return }
    for line in lines {
      for run in line.runs where !items.isDisjoint(with: run.items) {
        run.items.removeAll { items.contains($0) }
      }
      line.shape.members.removeAll { items.contains($0.item) }
    }
  }

  /// Lets the next ink continue the line that the last ink is in now.
  fileprivate func followLastLine() {
    for item in order.reversed() {
      guard case .line(let line, _)? = places[item] else { continue }
      grouper.continueLine(line.id)
      return
    }
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Ink of fewer strokes has no structure: three rows of two cells have more. Ink of more is no page,
  /// and would be read again too often.
  static let strokes = 6...1500
  /// New strokes after which the page is looked at again.
  static let newStrokes = 12
  /// Ink so far beside its line may be in another column, in heights of letters. Columns are that far
  /// apart.
  static let farBeside = 1.2
}
