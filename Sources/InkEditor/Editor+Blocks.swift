import InkCore

extension Editor {
  /// The root block; nil without a part.
  public var rootBlock: ContentBlock? {
    condition.withLock { lockedDocument.map { handle($0.root) } }
  }

  /// The block with an id, or nil.
  public func block(id: String) -> ContentBlock? {
    condition.withLock { lockedDocument?.blocks[id].map { handle($0) } }
  }

  /// The block that was written in last, or nil.
  public var activeBlock: ContentBlock? {
    condition.withLock { lockedDocument?.activeBlock.map { handle($0) } }
  }

  private static let hitDistance = 2.0

  /// The smallest block with ink within 2 mm of a place in the view, or nil; the root where it has
  /// no other.
  ///
  /// - Throws: ``EditorError/noPart``, or an invalid argument for what is not finite.
  public func hitBlock(x: Double, y: Double) throws(EditorError) -> ContentBlock? {
    guard x.isFinite, y.isFinite else {
      throw .invalidArgument("position", expected: "finite pixels", found: "another number")
    }
    return try withDocument { (document) throws(EditorError) in
      let place = transform.document(x: x, y: y)
      let hits = document.blocks.values.filter { block in
        block.box?.contains(x: place.x, y: place.y, within: Self.hitDistance) ?? false
      }
      func area(_ block: BlockNode) -> Double {
        block.box.map { $0.width * $0.height } ?? .infinity
      }
      let best = hits.min { left, right in
        if (left === document.root) != (right === document.root) { return right === document.root }
        return area(left) != area(right) ? area(left) < area(right) : left.id < right.id
      }
      return best.map { handle($0) }
    }
  }

  /// Removes a block and its ink.
  ///
  /// - Throws: ``EditorError/rootBlock`` or ``EditorError/invalidBlock(_:)``.
  public func removeBlock(_ block: ContentBlock) throws(EditorError) {
    try withNode(block) { (document, node) throws(EditorError) in
      guard node !== document.root else { throw .rootBlock }
      change(document) { document.remove(Set(document.items(of: node))) }
      schedule(force: true)
    }
  }

  /// The ink of an item in millimetres; nil where there is none, such as after it was erased.
  public func stroke(of item: Int) throws(EditorError) -> Stroke? {
    try withDocument { document in document.strokes[item].map { Stroke(points: $0.points) } }
  }

  /// Removes items of ink, such as those of a word. Unknown ids are ignored.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func removeItems(_ items: some Sequence<Int>) throws(EditorError) {
    let items = Set(items)
    try withDocument { (document) throws(EditorError) in
      change(document) { document.remove(items) }
      schedule(force: true)
    }
  }

  /// Adds ink as a separate block to raw content.
  ///
  /// - Parameters:
  ///   - type: "Text" or "Drawing".
  ///   - ink: In millimetres.
  /// - Throws: ``EditorError/unsupportedType(found:supported:)`` also for parts that take none.
  @discardableResult
  public func addBlock(type: String, ink: Ink) throws(EditorError) -> ContentBlock {
    let supported = [BlockType.text.rawValue, BlockType.drawing.rawValue]
    let strokes = ink.strokes.map(\.points).filter { !$0.isEmpty }
    guard strokes.allSatisfy({ $0.allSatisfy(\.hasFinitePosition) }), !strokes.isEmpty else {
      throw .invalidArgument("ink", expected: "strokes with finite points", found: "others")
    }
    return try withDocument { (document) throws(EditorError) in
      guard document.type == .rawContent else {
        throw .unsupportedType(found: type, supported: [])
      }
      guard supported.contains(type) else {
        throw .unsupportedType(found: type, supported: supported)
      }
      change(document) {
        let items = add(strokes, to: document)
        document.force(
          type == BlockType.text.rawValue ? .text : .drawing, items: Set(items), asOneBlock: true)
      }
      schedule()
      guard let node = document.root.children.last else { throw .invalidBlock("") }
      return handle(node)
    }
  }

  /// Copies the ink of a block to the engine's clipboard.
  ///
  /// - Throws: ``EditorError/invalidBlock(_:)``.
  public func copy(_ block: ContentBlock) throws(EditorError) {
    let clipboard = try withNode(block) { (document, node) throws(EditorError) in
      Engine.Clipboard(
        type: node.type,
        strokes: document.items(of: node).compactMap { document.strokes[$0]?.points })
    }
    engine.clipboard = clipboard
  }

  /// Adds the ink of the clipboard with its upper left corner at a place in the view.
  ///
  /// - Returns: The ids of the new items; none for an empty clipboard.
  /// - Throws: ``EditorError/noPart``, or an invalid argument for what is not finite.
  @discardableResult
  public func paste(x: Double, y: Double) throws(EditorError) -> [Int] {
    guard x.isFinite, y.isFinite else {
      throw .invalidArgument("position", expected: "finite pixels", found: "another number")
    }
    let clipboard = engine.clipboard
    return try withDocument { (document) throws(EditorError) in
      guard let clipboard,
        let box = Ink(strokes: clipboard.strokes.map { Stroke(points: $0) }).boundingBox
      else { return [] }
      let place = transform.document(x: x, y: y)
      let (dx, dy) = (place.x - box.minX, place.y - box.minY)
      let moved = clipboard.strokes.map { stroke in
        stroke.map { point in
          var point = point
          point.x += dx
          point.y += dy
          return point
        }
      }
      let items = change(document) {
        let items = add(moved, to: document)
        if document.type == .rawContent, clipboard.type == .drawing {
          document.force(.drawing, items: Set(items), asOneBlock: true)
        }
        return items
      }
      schedule()
      return items
    }
  }

  private func add(_ strokes: [[StrokePoint]], to document: Document) -> [Int] {
    strokes.filter { !$0.isEmpty }.map { points in
      let item = document.makeItemID()
      document.append(InkStroke(id: item, pointer: .pen, points: points))
      return item
    }
  }

  // MARK: - Types of a selection

  /// The types that items can be changed to.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func availableTypes() throws(EditorError) -> [SelectionType] {
    try withDocument { (document) throws(EditorError) in
      switch document.type {
      case .text: [.text]
      case .drawing: [.drawing]
      case .rawContent: SelectionType.allCases
      }
    }
  }

  /// Changes items to text, a shape or a drawing, independent of their form.
  ///
  /// - Parameters:
  ///   - type: The new type of the items.
  ///   - items: The ids of the items.
  ///   - asOneBlock: If true, all items become one block; otherwise each group of close
  ///     items does.
  /// - Throws: ``EditorError/unsupportedType(found:supported:)`` if the part has no such type, and
  ///   an invalid argument for unknown items.
  public func set(
    type: SelectionType, for items: [Int], asOneBlock: Bool
  ) throws(EditorError) {
    let available = try availableTypes()
    guard available.contains(type) else {
      throw .unsupportedType(found: type.rawValue, supported: available.map(\.rawValue))
    }
    try withDocument { (document) throws(EditorError) in
      let chosen = Set(items)
      guard !chosen.isEmpty, chosen.allSatisfy({ document.strokes[$0] != nil }) else {
        throw .invalidArgument("items", expected: "ids of items of the part", found: "others")
      }
      guard document.type == .rawContent else { return }
      change(document) { document.force(type, items: chosen, asOneBlock: asOneBlock) }
      schedule(force: true)
    }
  }

  // MARK: - Candidates

  /// Makes a candidate of a word its label, until the word's ink changes.
  ///
  /// - Parameters:
  ///   - text: One of the word's candidates.
  ///   - word: The index of the word in ``ContentBlock/words``.
  ///   - block: The block of the word.
  /// - Throws: ``EditorError/noSuchCandidate`` or ``EditorError/invalidBlock(_:)``.
  public func choose(_ text: String, forWord word: Int, in block: ContentBlock) throws(EditorError)
  {
    try withNode(block) { (document, node) throws(EditorError) in
      try change(document) { () throws(EditorError) in
        try choose(text, word: word, of: node, document)
      }
      schedule(force: true)
    }
  }

  /// Call under the lock.
  func choose(
    _ text: String, word: Int, of node: BlockNode, _ document: Document
  ) throws(EditorError) {
    var index = word
    guard index >= 0 else { throw .noSuchCandidate }
    for line in node.lines {
      let count = line.runs.reduce(0) { $0 + $1.words.count }
      guard index >= count else {
        guard document.choose(text, word: index, of: line) else { throw .noSuchCandidate }
        tellText(of: node)
        return
      }
      index -= count
    }
    throw .noSuchCandidate
  }

  // MARK: - Handles

  /// A handle of a block; under the lock.
  func handle(_ node: BlockNode) -> ContentBlock {
    ContentBlock(id: node.id, type: node.type, editor: self, generation: generation)
  }

  /// Runs a body on a block, under the lock.
  func withNode<Value>(
    _ block: ContentBlock, _ body: (Document, BlockNode) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    try withDocument { (document) throws(EditorError) in
      guard block.editor === self, block.generation == generation,
        let node = document.blocks[block.id]
      else { throw .invalidBlock(block.id) }
      return try body(document, node)
    }
  }
}
