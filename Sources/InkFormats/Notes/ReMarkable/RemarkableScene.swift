import InkCore

/// Reads the scene of a page of version 6: a tree of groups, of which the uppermost are layers, with
/// strokes and the typed text.
///
/// Blocks of kinds that are not known are skipped. A block that is damaged costs itself.
struct RemarkableScene {
  private struct Group {
    var label: String?
    var isVisible = true
    var anchor: RemarkableID?
    var anchorX = 0.0
    var children = RemarkableSequence<Child>()
  }

  private enum Child {
    case group(RemarkableID)
    case line(Line)
  }

  private struct Line {
    var stroke: Stroke
    var color: Int
    var width: Double
  }

  private static let root = RemarkableID(author: 0, value: 1)
  /// The deepest nesting of groups.
  private static let deepest = 32

  private var groups: [RemarkableID: Group] = [:]
  private var text: RemarkableText?
  private var damaged: InkFormatError?
  private var damagedCount = 0

  /// Reads a page from behind its header.
  static func page(
    _ cursor: inout ByteCursor, _ budget: inout InkBudget
  ) throws(InkFormatError) -> DrawnFile.Page {
    var scene = RemarkableScene()
    while !cursor.isAtEnd {
      let length = Int(try cursor.long())
      try cursor.skip(2)
      let version = try cursor.byte()
      let kind = try cursor.byte()
      var block = try cursor.part(length)
      do throws(InkFormatError) {
        try scene.take(&block, kind: kind, version: version, &budget)
      } catch {
        guard error.code != .tooLarge else { throw error }
        scene.damaged = scene.damaged ?? error
        scene.damagedCount += 1
      }
    }
    return scene.page(cursor)
  }

  private mutating func take(
    _ block: inout ByteCursor, kind: UInt8, version: UInt8, _ budget: inout InkBudget
  ) throws(InkFormatError) {
    switch kind {
    case 0x02: try takeNode(&block)
    case 0x04: try takeGroupItem(&block)
    case 0x05: try takeLineItem(&block, version, &budget)
    case 0x07: text = try RemarkableText(&block)
    // 0 migration, 1 tree, 3 highlighted text of a PDF, 6 text item, 8 deleted item, 9 authors,
    // 10 page, 13 scene: nothing of them is ink.
    default: return
    }
  }

  /// Reads the label, the visibility and the anchor of a group.
  private mutating func takeNode(_ block: inout ByteCursor) throws(InkFormatError) {
    let id = try block.identifier(1)
    var group = groups[id] ?? Group()
    var label = try block.block(2)
    _ = try label.identifier(1)
    var text = try label.block(2)
    group.label = try text.lengthText()
    var visible = try block.block(3)
    _ = try visible.identifier(1)
    group.isVisible = try visible.taggedByte(2) != 0
    if var anchor = try block.optionalBlock(7) {
      _ = try anchor.identifier(1)
      group.anchor = try anchor.identifier(2)
      _ = try block.optionalBlock(8)
      _ = try block.optionalBlock(9)
      if var origin = try block.optionalBlock(10) {
        _ = try origin.identifier(1)
        group.anchorX = try origin.taggedFloat(2)
      }
    }
    groups[id] = group
  }

  /// Reads what all items begin with; the value is nil for an item that was deleted.
  private func item(
    _ block: inout ByteCursor, kind: UInt8
  ) throws(InkFormatError) -> (
    parent: RemarkableID, id: RemarkableID, left: RemarkableID, value: ByteCursor?
  ) {
    let parent = try block.identifier(1)
    let id = try block.identifier(2)
    let left = try block.identifier(3)
    _ = try block.identifier(4)
    let deleted = try block.taggedLong(5)
    guard var value = try block.optionalBlock(6), deleted == 0 else {
      return (parent, id, left, nil)
    }
    guard try value.byte() == kind else {
      throw block.error(.malformed, expected: "an item of the kind \(kind)", found: "another")
    }
    return (parent, id, left, value)
  }

  private mutating func takeGroupItem(_ block: inout ByteCursor) throws(InkFormatError) {
    var (parent, id, left, value) = try item(&block, kind: 2)
    let node = try value?.identifier(2)
    groups[parent, default: Group()].children.add(node.map { .group($0) }, id: id, left: left)
  }

  private mutating func takeLineItem(
    _ block: inout ByteCursor, _ version: UInt8, _ budget: inout InkBudget
  ) throws(InkFormatError) {
    let (parent, id, left, value) = try item(&block, kind: 3)
    var child: Child?
    if var value, let line = try Self.line(&value, version, &budget) { child = .line(line) }
    groups[parent, default: Group()].children.add(child, id: id, left: left)
  }

  /// Reads a stroke; nil for that of a highlighter or eraser.
  private static func line(
    _ value: inout ByteCursor, _ version: UInt8, _ budget: inout InkBudget
  ) throws(InkFormatError) -> Line? {
    let tool = Int(try value.taggedLong(1))
    let color = Int(try value.taggedLong(2))
    _ = try value.taggedDouble(3)
    _ = try value.taggedFloat(4)
    var data = try value.block(5)
    guard RemarkableTool.isPen(tool) else { return nil }
    let size = version >= 2 ? 14 : 24
    guard data.count.isMultiple(of: size) else {
      throw value.error(
        .malformed, expected: "points of \(size) bytes", found: "\(data.count) bytes")
    }
    let count = data.count / size
    try budget.add(count, path: value.path)
    var points: [StrokePoint] = []
    points.reserveCapacity(count)
    var widths = 0.0
    for _ in 0..<count {
      let (x, y) = (try data.float(), try data.float())
      let force: Double
      if version >= 2 {
        try data.skip(2)
        widths += Double(try data.short()) / 4
        try data.skip(1)
        force = Double(try data.byte()) / 255
      } else {
        try data.skip(8)
        widths += try data.float()
        force = try data.float()
      }
      points.append(StrokePoint(x: x, y: y, force: RemarkablePage.force(force)))
    }
    return Line(
      stroke: Stroke(points: points), color: color,
      width: count > 0 ? widths / Double(count) : 0)
  }

  // MARK: - The page

  private func page(_ cursor: ByteCursor) -> DrawnFile.Page {
    var page = DrawnFile.Page()
    let paragraphs = text?.paragraphs() ?? []
    page.texts = paragraphs.filter { !$0.text.isEmpty }.map {
      PlacedText(text: $0.text, box: $0.box.moved(x: RemarkablePage.width / 2))
    }
    let anchors = RemarkableText.anchors(paragraphs)
    var seen: Set<RemarkableID> = [Self.root]
    add(Self.root, depth: 0, x: RemarkablePage.width / 2, y: 0, layer: nil, &page, anchors, &seen)
    if let damaged {
      page.problem = InkFormatError(
        damaged.code, at: damaged.location, expected: damaged.expected,
        found: "\(damaged.found), in \(damagedCount) of the page's blocks",
        advice: "the rest of the page is read; copy the page from the tablet again")
    }
    return page
  }

  private func add(
    _ id: RemarkableID, depth: Int, x: Double, y: Double, layer: Int?,
    _ page: inout DrawnFile.Page, _ anchors: [RemarkableID: Double],
    _ seen: inout Set<RemarkableID>
  ) {
    guard let group = groups[id], depth <= Self.deepest else { return }
    let x = x + group.anchorX
    let y = y + (group.anchor.flatMap { anchors[$0] } ?? 0)
    for (_, child) in group.children.ordered() {
      switch child {
      case .group(let id):
        guard seen.insert(id).inserted, groups[id]?.isVisible != false else { continue }
        var layer = layer
        if layer == nil {
          page.groups.append(DrawnFile.Group(id: groups[id]?.label))
          layer = page.groups.count - 1
        }
        add(id, depth: depth + 1, x: x, y: y, layer: layer, &page, anchors, &seen)
      case .line(let line):
        var place = layer
        if place == nil {
          page.groups.append(DrawnFile.Group())
          place = page.groups.count - 1
        }
        var stroke = line.stroke
        for index in stroke.points.indices {
          stroke.points[index].x += x
          stroke.points[index].y += y
        }
        page.add(
          stroke, to: place ?? 0, width: line.width.isFinite ? line.width : 0,
          color: RemarkableTool.color(line.color))
      }
    }
  }
}

extension BoundingBox {
  /// Returns the box at another place.
  func moved(x: Double = 0, y: Double = 0) -> BoundingBox {
    BoundingBox(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
  }
}
