import Foundation
import InkCore
import Typesetting

// Replaces drawn shapes by exact ones. Runs inside one step of the history.
extension Document {
  /// True if a block is a shape of ink.
  func isConvertibleShape(_ block: BlockNode) -> Bool {
    block.shape != nil && block.items.contains { strokes[$0]?.isInk ?? false }
  }

  /// True if a block is a mark that becomes exact, or a decoration of typed words.
  func isConvertibleMark(_ block: BlockNode) -> Bool {
    switch block.mark {
    case .divider?, .underline?, .strikeThrough?, .frame?:
      block.items.contains { strokes[$0]?.isInk ?? false }
    case .bullet?, .tickBox?, nil: false
    }
  }

  /// Makes shapes exact: nodes of equal sizes in rows and columns, with their texts in the middle, and
  /// edges that end at them. O(shapes² + ink of the shapes).
  ///
  /// - Parameters:
  ///   - shapes: Blocks with a shape.
  ///   - width: The width of the lines of a shape without a style of its own, millimetres.
  func convertShapes(_ shapes: [BlockNode], width: Double) {
    let nodes = shapes.filter { $0.type == .node }
    var forms = ShapeTidier.arranged(
      nodes.compactMap { node in
        node.shape?.form.fitted(toInk: node.items.compactMap { strokes[$0] }).tidied
      })
    for (index, node) in nodes.enumerated() {
      let lines = typedLines(in: node)
      let text = BoundingBox(holding: lines.lazy.flatMap { $0 }.map(\.box))
      forms[index] = forms[index].grown(toHold: text)
      setExact(node, forms[index], width: width)
      centre(lines, in: forms[index].box)
    }
    for edge in shapes where edge.type == .edge {
      guard let shape = edge.shape else { continue }
      var form = shape.form.fitted(toInk: edge.items.compactMap { strokes[$0] }).tidied
      matchEnds(of: edge, to: form)
      form = ShapeTidier.connected(form, self.forms(atEndsOf: edge), follows: false)
      setExact(edge, form, width: width)
    }
    followNodes(width: width)
  }

  /// Makes a divider exact.
  func convertDivider(_ block: BlockNode, width: Double) {
    guard let box = block.box else { return }
    let line = RecognizedShape.Form.line(
      from: .init(x: box.minX, y: box.midY), to: .init(x: box.maxX, y: box.midY),
      startArrow: false, endArrow: false)
    setItems(of: block, to: line, width: width)
  }

  /// Replaces marks of ink by decorations of the typed words that they are about.
  func convertMark(_ block: BlockNode) {
    let kind: DecorationKind
    switch block.mark {
    case .underline?: kind = .underline
    case .strikeThrough?: kind = .strikeThrough
    case .frame?: kind = .surround
    default: return
    }
    let words = words(markedBy: block)
    let found = words.compactMap { mark in
      mark.text.lines.lazy.flatMap(\.runs).first { run in
        self.isTyped(run) && run.words.contains { $0.id == mark.id }
      }
    }
    // A mark of a word that is still ink stays ink.
    guard !words.isEmpty, found.count == words.count else { return }
    let style = block.items.compactMap { strokes[$0]?.style }.first
    let anchor = InkAnchor(found.flatMap(\.words).flatMap(\.characters).flatMap(\.parts))
    decorate(
      anchor, with: kind, style: style.map { DecorationStyle($0.inkColor) })
    remove(Set(block.items))
  }

  // MARK: - Exact forms

  private func setExact(_ block: BlockNode, _ form: RecognizedShape.Form, width: Double) {
    block.shape?.form = form
    block.shape?.deviation = 0
    setItems(of: block, to: form, width: width)
    block.isForced = true
  }

  /// Replaces the ink of a block by the lines of a form, in the look of the ink.
  private func setItems(
    of block: BlockNode, to form: RecognizedShape.Form, width: Double
  ) {
    let old = block.items
    let style = old.compactMap { strokes[$0] }.max { $0.length < $1.length }?.style
    var paths = form.outlines(width: style?.width ?? width)
    if case .polyline(let corners) = form {
      paths += heads(of: block, at: corners, width: style?.width ?? width)
    }
    replaceItems(
      of: block, with: paths.map { InkStroke(id: makeItemID(), outline: $0) }, style: style)
    refresh(block)
  }

  /// Replaces the items of a block by others in one look. The block is to be refreshed afterwards.
  func replaceItems(of block: BlockNode, with items: [InkStroke], style: StrokeStyle?) {
    let old = block.items
    for item in items {
      var item = item
      (item.style, item.number) = (style, makeNumber())
      take(item)
      strokes[item.id]?.session = block.session
      places[item.id] = .block(block)
    }
    block.items = items.map(\.id)
    for item in old { places[item] = nil }
    remove(Set(old))
  }

  /// Returns the heads of an arrow that bends: at the ends of the line where a short stroke is.
  private func heads(
    of block: BlockNode, at corners: [RecognizedShape.Point], width: Double
  ) -> [[StrokePoint]] {
    let ink = block.items.compactMap { strokes[$0] }
    guard corners.count > 1, let shaft = ink.max(by: { $0.length < $1.length }),
      let first = shaft.points.first, let last = shaft.points.last
    else { return [] }
    let others = ink.filter { $0.id != shaft.id }
    func hasHead(_ end: StrokePoint) -> Bool {
      others.contains {
        $0.box.contains(x: end.x, y: end.y, within: Chosen.headReach * $0.extent)
      }
    }
    let ends = [
      (hasHead(first), corners[0], corners[1]),
      (hasHead(last), corners[corners.count - 1], corners[corners.count - 2]),
    ]
    return ends.filter(\.0).map { RecognizedShape.Form.head(at: $0.1, from: $0.2, width) }
  }

  // MARK: - Texts in nodes

  /// Returns the typed words whose middle is in a node, line by line. They may belong to a text that
  /// goes on outside of it.
  private func typedLines(in node: BlockNode) -> [[TextRun]] {
    guard let box = node.box, let first = node.items.first.flatMap({ strokes[$0] }) else {
      return []
    }
    let texts = node.children + texts(for: home(of: first)).filter { $0.parent !== node }
    return texts.filter { $0.type == .text }.flatMap(\.lines).compactMap { line in
      let runs = line.runs.filter { run in
        isTyped(run) && box.contains(x: run.box.midX, y: run.box.midY, within: 0)
      }
      return runs.isEmpty ? nil : runs
    }
  }

  /// Moves lines of typed words to the middle of a box.
  private func centre(_ lines: [[TextRun]], in box: BoundingBox) {
    guard let text = BoundingBox(holding: lines.lazy.flatMap { $0 }.map(\.box)) else { return }
    let dy = box.midY - text.midY
    for runs in lines {
      guard let line = BoundingBox(holding: runs.map(\.box)) else { continue }
      move(Set(runs.flatMap(\.items)), dx: box.midX - line.midX, dy: dy)
    }
  }

  // MARK: - Connections

  private func forms(atEndsOf edge: BlockNode) -> [RecognizedShape.Form?] {
    edge.ends.map { id in id.flatMap { blocks[$0] }?.shape?.form }
  }

  /// Names the nodes of an edge in the order of the ends of its form.
  private func matchEnds(of edge: BlockNode, to form: RecognizedShape.Form) {
    let ends: [RecognizedShape.Point]
    switch form {
    case .line(let from, let to, _, _): ends = [from, to]
    case .polyline(let corners):
      guard let first = corners.first, let last = corners.last else { return }
      ends = [first, last]
    default: return
    }
    let nodes = forms(atEndsOf: edge)
    func cost(_ order: [Int]) -> Double {
      zip(ends, order).reduce(0) { sum, pair in sum + (nodes[pair.1]?.distance(to: pair.0) ?? 0) }
    }
    if cost([1, 0]) < cost([0, 1]) { edge.ends.swapAt(0, 1) }
  }

  /// Lets exact edges end at their nodes, which may have moved. O(edges), and O(nodes) of each.
  func followNodes(width: Double) {
    for edge in blocks.values.filter({ $0.type == .edge && $0.ends != [nil, nil] })
      .sorted(by: { $0.id < $1.id })
    {
      guard let shape = edge.shape, !edge.items.isEmpty,
        edge.items.allSatisfy({ strokes[$0]?.digital == .outline })
      else { continue }
      let nodes = edge.ends.map { id -> RecognizedShape.Form? in
        guard let node = id.flatMap({ blocks[$0] }),
          node.items.allSatisfy({ strokes[$0]?.digital == .outline })
        else { return nil }
        return node.shape?.form
      }
      guard isApart(shape.form, from: nodes) else { continue }
      let form = ShapeTidier.connected(shape.form, nodes, follows: true)
      guard form != shape.form else { continue }
      setExact(edge, form, width: width)
    }
  }

  /// True if an end of a connection is not on the outline of its node.
  private func isApart(
    _ form: RecognizedShape.Form, from nodes: [RecognizedShape.Form?]
  ) -> Bool {
    let ends: [RecognizedShape.Point?]
    switch form {
    case .line(let from, let to, _, _): ends = [from, to]
    case .polyline(let corners): ends = [corners.first, corners.last]
    default: return false
    }
    return zip(ends, nodes).contains { end, node in
      guard let end, let node else { return false }
      return node.distance(to: end) > Chosen.touch
    }
  }
}

extension RecognizedShape.Form {
  /// Returns the form with room for a text in it; the middle stays.
  fileprivate func grown(toHold text: BoundingBox?) -> Self {
    guard let text else { return self }
    let box = box
    let share =
      switch self {
      case .rectangle: (x: Chosen.rectangleRoom, y: Chosen.rectangleRoom)
      default: (x: Chosen.otherRoom, y: Chosen.otherRoom)
      }
    let factor = max(text.width / (share.x * box.width), text.height / (share.y * box.height))
    guard factor > 1, factor.isFinite else { return self }
    let (width, height) = (
      max(box.width, text.width / share.x), max(box.height, text.height / share.y)
    )
    return fitted(
      to: BoundingBox(
        minX: box.midX - width / 2, minY: box.midY - height / 2, maxX: box.midX + width / 2,
        maxY: box.midY + height / 2))
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The share of the sides of a node that its text may take: of a rectangle, and of a form whose
  /// corners are cut or round.
  static let rectangleRoom = 0.92
  static let otherRoom = 0.75
  /// The distance between the end of a line and its head, in sizes of the head.
  static let headReach = 0.3
  /// The distance from an outline at which a line ends there, millimetres.
  static let touch = 0.05
}
