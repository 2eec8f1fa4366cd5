import InkCore

/// Copies, erases, moves and scales selected ink, which may be parts of blocks, words and strokes.
extension Document {
  // MARK: - Copies

  /// Returns copies of ink with its blocks, words and decorations. A part of a stroke is a stroke of
  /// its own there; a part of a word has the characters that are selected.
  func clip(_ anchor: InkAnchor) -> Clip {
    let cut = InkCut(anchor, self)
    let root = self.root.copy()
    cut.prune(root)
    let tops = Self.unwrappedBlocks(root)
    var block = root
    if tops.count == 1, root.items.isEmpty, root.lines.isEmpty,
      cut.items(in: tops[0]).count == cut.strokes.count
    {
      tops[0].parent = nil
      block = tops[0]
    }
    let kept = decorations.touching(anchor.items).compactMap { decoration in
      let parts = cut.parts(of: InkAnchor(decoration.parts).intersection(anchor))
      return parts.isEmpty
        ? nil
        : Decoration(
          id: decoration.id, kind: decoration.kind, style: decoration.style,
          parts: InkAnchor(parts).parts)
    }
    return Clip(
      block: block, strokes: cut.strokes, decorations: kept, spacings: spacings)
  }

  /// Returns blocks with each container replaced by the blocks in it.
  private static func unwrappedBlocks(_ root: BlockNode) -> [BlockNode] {
    root.children.flatMap { $0.type == .container ? $0.children : [$0] }
  }

  // MARK: - Changes

  /// Removes ink. What is left of a stroke becomes strokes of their own.
  ///
  /// - Returns: The items that are left of strokes.
  @discardableResult
  func erase(_ anchor: InkAnchor) -> Set<Int> {
    var (gone, left): (Set<Int>, Set<Int>) = ([], [])
    var remainders: [Int: [InkStroke]] = [:]
    var sources: [Int: [Double]] = [:]
    for item in anchor.items.sorted() {
      guard let stroke = strokes[item] else { continue }
      let all = InkAnchor([ItemPart(item: item, points: 0..<stroke.points.count)])
      let rest = all.subtracting(anchor).parts.map { stroke.whole($0.points) }
        .filter { !$0.isEmpty }
      guard !rest.isEmpty, stroke.picture == nil else {
        gone.insert(item)
        continue
      }
      remainders[item] = rest.compactMap { range in
        let id = makeItemID()
        left.insert(id)
        sources[id] = range.map(Double.init)
        return stroke.piece(range, id: id)
      }
    }
    replace(remainders, sources: sources)
    remove(gone)
    return left
  }

  /// Moves ink with its readings. Blocks whose ink moves as a whole keep their ids; all items get
  /// new ones.
  ///
  /// - Returns: The moved ink, or nil if the part does not accept it.
  func move(_ anchor: InkAnchor, dx: Double, dy: Double) -> InkAnchor? {
    let before = Set(order)
    var rest = anchor
    for block in wholeBlocks(anchor) {
      let items = Set(block.allItems)
      guard move(block, dx: dx, dy: dy) else { continue }
      rest = rest.without(items)
    }
    var left: Set<Int> = []
    if !rest.isEmpty {
      guard let pieces = replace(rest, by: clip(rest), dx: dx, dy: dy) else { return nil }
      left = pieces
    }
    markEdited()
    return self.anchor(ofWhole: order.filter { !before.contains($0) && !left.contains($0) })
  }

  /// Scales ink about a place, with its readings. All items get new ids.
  ///
  /// - Returns: The scaled ink, or nil if the part does not accept it.
  func scale(
    _ anchor: InkAnchor, x: Double, y: Double, about place: PlanePoint
  ) -> InkAnchor? {
    let before = Set(order)
    let map = PlaneTransform(
      a: x, d: y, tx: place.x - x * place.x, ty: place.y - y * place.y)
    guard let left = replace(anchor, by: clip(anchor).scaled(map), dx: 0, dy: 0) else {
      return nil
    }
    return self.anchor(ofWhole: order.filter { !before.contains($0) && !left.contains($0) })
  }

  /// Removes ink and pastes other ink in its place.
  ///
  /// - Returns: The items that are left of strokes; nil if the part does not accept the ink.
  private func replace(
    _ anchor: InkAnchor, by clip: Clip, dx: Double, dy: Double
  ) -> Set<Int>? {
    guard takes(clip.block) else { return nil }
    let ends = endsAtNodes(in: anchor)
    let pasted = paste(clip, dx: dx, dy: dy)
    let left = erase(anchor)
    connect(ends, to: pasted.blocks, of: clip)
    return left
  }

  /// Returns the ends of edges that stay, at nodes that lose their ink.
  private func endsAtNodes(in anchor: InkAnchor) -> [(edge: String, end: Int, node: String)] {
    blocks.values.filter { $0.type == .edge }.flatMap { edge in
      edge.ends.indices.compactMap { end in
        guard let id = edge.ends[end], let node = blocks[id],
          node.items.contains(where: anchor.items.contains)
        else { return nil }
        return (edge.id, end, id)
      }
    }
  }

  /// Connects the ends of edges to the copies of their nodes.
  private func connect(
    _ ends: [(edge: String, end: Int, node: String)], to copies: [BlockNode], of clip: Clip
  ) {
    guard !ends.isEmpty else { return }
    let originals = clip.block.type == root.type ? Self.unwrappedBlocks(clip.block) : [clip.block]
    let pairs = zip(originals.flatMap(\.withDescendants), copies.flatMap(\.withDescendants))
    let ids = Dictionary(pairs.map { ($0.id, $1.id) }) { first, _ in first }
    for (edge, end, node) in ends {
      guard let edge = blocks[edge], edge.ends[end] == nil, let id = ids[node],
        blocks[id]?.type == .node
      else { continue }
      edge.ends[end] = id
      changes.update(edge)
    }
  }

  /// Returns the blocks whose ink is selected as a whole, from the top of the tree. A node takes the
  /// blocks in it along.
  private func wholeBlocks(_ anchor: InkAnchor) -> [BlockNode] {
    guard !type.isPlainInk else { return [] }
    func isWhole(_ item: Int) -> Bool {
      guard let count = strokes[item]?.points.count else { return false }
      return anchor.count(in: ItemPart(item: item, points: 0..<count)) == count
    }
    func find(in block: BlockNode) -> [BlockNode] {
      let own = block.type == .node ? block.items : block.allItems
      if block !== root, block.type != .container, !own.isEmpty, own.allSatisfy(isWhole) {
        return [block]
      }
      return block.children.flatMap(find)
    }
    return find(in: root)
  }
}

/// A cut of a document along the border of a selection: the strokes inside of it.
private struct InkCut {
  /// The strokes inside, in the order they were written.
  private(set) var strokes: [InkStroke] = []
  /// For each item, its parts inside, with the ids of their strokes.
  private var pieces: [Int: [(points: Range<Int>, id: Int)]] = [:]
  private var boxes: [Int: BoundingBox] = [:]
  /// The items that are typed.
  private let typed: Set<Int>

  init(_ anchor: InkAnchor, _ document: Document) {
    // Parts of strokes have ids that no item has.
    var next = (document.strokes.keys.max() ?? 0) + 1
    for item in document.order {
      guard let ranges = anchor.ranges[item], let stroke = document.strokes[item] else { continue }
      for range in ranges {
        let range = stroke.whole(range)
        guard !range.isEmpty, pieces[item]?.last?.id != item else { continue }
        if range.count == stroke.points.count {
          pieces[item, default: []].append((range, item))
          strokes.append(stroke)
        } else {
          guard let piece = stroke.piece(range, id: next) else { continue }
          pieces[item, default: []].append((range, next))
          strokes.append(piece)
          next += 1
        }
      }
    }
    for stroke in strokes { boxes[stroke.id] = stroke.box }
    typed = Set(strokes.lazy.filter { !$0.isInk }.map(\.id))
  }

  /// Returns the strokes of items.
  private func cut(_ items: [Int]) -> [Int] {
    items.flatMap { pieces[$0]?.map(\.id) ?? [] }
  }

  /// Returns true if all of an item is inside.
  private func isWhole(_ item: Int) -> Bool { pieces[item]?.first?.id == item }

  /// Returns all strokes of a block.
  func items(in block: BlockNode) -> [Int] { block.allItems }

  /// Returns the places of ink in the strokes inside.
  func parts(of anchor: InkAnchor) -> [ItemPart] {
    anchor.ranges.flatMap { item, ranges in
      ranges.flatMap { range in
        (pieces[item] ?? []).compactMap { piece -> ItemPart? in
          let own = range.clamped(to: piece.points)
          guard !own.isEmpty else { return nil }
          let start = own.lowerBound - piece.points.lowerBound
          return ItemPart(item: piece.id, points: start..<start + own.count)
        }
      }
    }
  }

  /// Removes everything outside from a copy of a block.
  func prune(_ block: BlockNode) {
    for child in block.children { prune(child) }
    let isBroken = block.shape != nil && !block.items.allSatisfy(isWhole)
    // Signs that are not copied are typed, too.
    let items = cut(block.items)
    block.keep(items, isTyped: block.type == .math && items.allSatisfy(typed.contains))
    for line in block.lines { prune(line) }
    block.lines.removeAll { $0.runs.isEmpty }
    block.frame = nil
    block.children.removeAll { child in
      child.allItems.isEmpty
    }
    if isBroken { block.shape = nil }
    block.children = block.children.flatMap { child -> [BlockNode] in
      guard child.type == .node || child.type == .edge, child.shape == nil || child.items.isEmpty
      else { return [child] }
      return drawn(child, in: block)
    }
    block.box = BoundingBox(
      holding: block.items.compactMap(box) + block.lines.map(\.box)
        + block.children.compactMap(\.box))
  }

  /// Returns what is left of a shape that is not whole: a drawing, and the blocks in it.
  private func drawn(_ shape: BlockNode, in parent: BlockNode) -> [BlockNode] {
    for child in shape.children { child.parent = parent }
    guard !shape.items.isEmpty else { return shape.children }
    let drawing = BlockNode(id: shape.id, type: .drawing, parent: parent)
    (drawing.items, drawing.session) = (shape.items, shape.session)
    drawing.box = BoundingBox(holding: shape.items.compactMap(box))
    return [drawing] + shape.children
  }

  private func box(_ item: Int) -> BoundingBox? { boxes[item] }

  private func prune(_ line: TextLine) {
    for run in line.runs {
      run.items = cut(run.items)
      run.words = run.words.compactMap(word)
      // Words of ink that has changed are not those of the copy.
      if run.state != .current { run.words = [] }
      run.moved = []
    }
    line.runs.removeAll(where: \.items.isEmpty)
    if let box = BoundingBox(holding: line.runs.lazy.flatMap(\.items).compactMap(box)) {
      line.box = box
    }
  }

  /// Returns the part of a word inside; nil if there is none.
  private func word(_ word: TextWord) -> TextWord? {
    var result = word
    result.items = cut(word.items)
    guard !result.items.isEmpty else { return nil }
    let isWhole = word.items.allSatisfy(isWhole)
    result.characters = word.characters.compactMap { letter in
      var copy = letter
      copy.parts = parts(of: InkAnchor(letter.parts))
      guard isWhole || !copy.parts.isEmpty else { return nil }
      // A character of which only a margin is inside is not.
      let all = letter.parts.reduce(0) { $0 + $1.points.count }
      let own = copy.parts.reduce(0) { $0 + $1.points.count }
      return isWhole || 2 * own > all ? copy : nil
    }
    guard !result.characters.isEmpty else { return nil }
    if isWhole {
      result.formula = word.formula?.mappingStrokes(cut)
      result.formulas = word.formulas.map { $0.mappingStrokes(cut) }
    } else {
      (result.formula, result.formulas) = (nil, [])
    }
    if result.characters.count < word.characters.count {
      result.label = result.characters.map(\.label).joined()
      result.candidates = [TextCandidate(text: result.label, probability: 1)]
      result.isChosen = false
    }
    if let box = BoundingBox(holding: result.items.compactMap(box)) { result.box = box }
    return result
  }
}
