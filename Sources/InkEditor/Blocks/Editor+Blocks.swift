import InkCore
import PenInput

extension Editor {
  /// The root block, or nil without a part.
  public var rootBlock: ContentBlock? {
    read { state in state.document.map { state.handle($0.root) } }
  }

  /// The block with an id, or nil.
  public func block(id: String) -> ContentBlock? {
    read { state in state.document?.blocks[id].map { state.handle($0) } }
  }

  /// The block that was written in last, or nil.
  public var activeBlock: ContentBlock? {
    read { state in state.document?.activeBlock.map { state.handle($0) } }
  }

  /// Returns the block of an item of ink; nil if there is no such item, or it is not sorted yet.
  public func block(ofItem item: Int) -> ContentBlock? {
    read { state in state.document?.block(of: item).map { state.handle($0) } }
  }

  /// Returns the word of an item of ink; nil before the item is read.
  public func word(ofItem item: Int) -> TextWord? {
    read { state in
      guard case .line(_, let run)? = state.document?.places[item] else { return nil }
      return run.words.first { $0.items.contains(item) }
    }
  }

  /// Returns the top-most block within 2 mm of a place in the view, or nil. If blocks overlap, it
  /// is the one drawn in last. The root is returned only if it is a text with ink there.
  ///
  /// - Throws: ``EditorError/noPart``, or an invalid argument if a number is not finite.
  public func hitBlock(x: Double, y: Double) throws(EditorError) -> ContentBlock? {
    guard x.isFinite, y.isFinite else {
      throw .invalidArgument("position", expected: "finite pixels", found: "other numbers")
    }
    return try withDocument { (state, document) throws(EditorError) in
      let place = state.transform.document(x: x, y: y)
      return state.topBlock(x: place.x, y: place.y, document).map { state.handle($0) }
    }
  }

  /// Removes a block and its ink.
  ///
  /// - Throws: ``EditorError/rootBlock`` or ``EditorError/invalidBlock(_:)``.
  public func removeBlock(_ block: ContentBlock) throws(EditorError) {
    try withNode(block) { (state, document, node) throws(EditorError) in
      guard node !== document.root else { throw .rootBlock }
      state.change(document) { state in
        let gone = node.withDescendants
        // A block with a frame would stay without ink.
        for block in gone { block.frame = nil }
        document.markEdited()
        document.remove(Set(document.items(of: node)))
        for block in gone.reversed() where document.blocks[block.id] === block {
          document.drop(block)
        }
      }
      state.schedule()
    }
  }

  /// The id of the block that the hand tool moves, or nil.
  public var selectedBlockID: String? { read { state in state.selectedBlock } }

  /// Returns the style that an item of ink was drawn with, or nil.
  public func style(of item: Int) -> StrokeStyle? {
    read { state in state.document?.strokes[item]?.style }
  }

  /// Returns the rotation of the pen at each point of an item; empty if the pen did not report it.
  public func rolls(of item: Int) -> [Double?] {
    read { state in
      let rolls = state.document?.strokes[item]?.points.map(\.roll) ?? []
      return rolls.contains { $0 != nil } ? rolls : []
    }
  }

  /// Returns an item of ink in millimetres; nil if there is none, for example after it was erased.
  public func stroke(of item: Int) throws(EditorError) -> Stroke? {
    try withDocument { _, document in document.strokes[item].map { Stroke(points: $0.points) } }
  }

  /// Removes items of ink, such as those of a word. Unknown ids are ignored.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func removeItems(_ items: some Sequence<Int>) throws(EditorError) {
    let items = Set(items)
    try withDocument { (state, document) throws(EditorError) in
      state.change(document) { state in document.remove(items) }
      state.schedule()
    }
  }

  /// Adds ink as a separate block to raw content.
  ///
  /// - Parameters:
  ///   - type: "Text" or "Drawing".
  ///   - ink: Strokes in millimetres. A value that cannot be a measurement, such as an infinite
  ///     force, is left out.
  /// - Throws: ``EditorError/unsupportedType(found:supported:)``, also if the part accepts no
  ///   blocks, and an invalid argument if a position is not finite or too far away.
  @discardableResult
  public func addBlock(type: String, ink: Ink) throws(EditorError) -> ContentBlock {
    let supported = [BlockType.text.rawValue, BlockType.drawing.rawValue]
    let strokes = ink.strokes.map(\.points).filter { !$0.isEmpty }
    guard strokes.allSatisfy({ $0.allSatisfy(\.hasUsablePosition) }), !strokes.isEmpty else {
      throw .invalidArgument(
        "ink", expected: "strokes with finite positions below 10^9", found: "another position")
    }
    return try withDocument { (state, document) throws(EditorError) in
      guard document.type == .rawContent else {
        throw .unsupportedType(found: type, supported: [])
      }
      guard supported.contains(type) else {
        throw .unsupportedType(found: type, supported: supported)
      }
      state.change(document) { state in
        let items = strokes.map { points in
          let item = document.makeItemID()
          document.append(InkStroke(id: item, pointer: .pen, points: points.map(\.cleaned)))
          return item
        }
        document.force(
          type == BlockType.text.rawValue ? .text : .drawing, items: Set(items), asOneBlock: true)
      }
      state.schedule()
      guard let node = document.root.children.last else { throw .invalidBlock("") }
      return state.handle(node)
    }
  }

  /// Returns the types of blocks that ``addBlock(type:x:y:width:height:)`` makes here; empty if
  /// blocks cannot be placed in the part.
  public func supportedBlockTypes() throws(EditorError) -> [BlockType] {
    try withDocument { (state, document) throws(EditorError) in Self.blockTypes(in: document.type) }
  }

  private static func blockTypes(in type: PartType) -> [BlockType] {
    type == .textDocument ? [.text, .drawing, .diagram, .math] : []
  }

  /// Adds an empty block to a text document at a place in the view. Ink written there goes into it.
  ///
  /// - Parameters:
  ///   - type: "Text", "Drawing", "Diagram" or "Math".
  ///   - x: The left edge in pixels.
  ///   - y: The upper edge in pixels.
  ///   - width: Pixels, above 0.
  ///   - height: Pixels, above 0.
  /// - Throws: ``EditorError/unsupportedType(found:supported:)``, also if the part accepts no
  ///   blocks, and an invalid argument if a number is not finite.
  @discardableResult
  public func addBlock(
    type: String, x: Double, y: Double, width: Double, height: Double
  ) throws(EditorError) -> ContentBlock {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width > 0, height > 0,
      [x, y, width, height].allSatisfy({ abs($0) < 1e9 })
    else {
      throw .invalidArgument(
        "place", expected: "finite pixels, width and height above 0", found: "other numbers")
    }
    return try withDocument { (state, document) throws(EditorError) in
      let supported = Self.blockTypes(in: document.type)
      guard let found = BlockType(rawValue: type), supported.contains(found) else {
        throw .unsupportedType(found: type, supported: supported.map(\.rawValue))
      }
      let (from, to) = (
        state.transform.document(x: x, y: y), state.transform.document(x: x + width, y: y + height)
      )
      let node = state.change(document) { state in
        let node = document.addBlock(found)
        node.frame = BoundingBox(minX: from.x, minY: from.y, maxX: to.x, maxY: to.y)
        node.isForced = found == .text
        document.refresh(node)
        document.markEdited()
        return node
      }
      return state.handle(node)
    }
  }

  /// Copies a block to the engine's clipboard, with its ink, readings, choices and types.
  ///
  /// - Throws: ``EditorError/invalidBlock(_:)``.
  public func copy(_ block: ContentBlock) throws(EditorError) {
    engine.clipboard = try withNode(block) { (state, document, node) throws(EditorError) in
      document.clip(node)
    }
  }

  /// The result of pasting.
  public struct Pasted: Hashable, Sendable {
    /// The new blocks, or the root if the part keeps all ink in its root.
    public var blocks: [ContentBlock]
    /// The ids of the new items.
    public var items: [Int]
  }

  /// Pastes the clipboard with its upper left corner at a place in the view. Types, labels,
  /// candidates, choices and shapes are kept.
  ///
  /// - Returns: The new content; empty if the clipboard is empty.
  /// - Throws: ``EditorError/noPart``, ``EditorError/unsupportedType(found:supported:)`` if the
  ///   part does not accept such a block, and an invalid argument if a number is not finite.
  @discardableResult
  public func paste(x: Double, y: Double) throws(EditorError) -> Pasted {
    try paste(engine.clipboard, x: x, y: y)
  }

  /// Pastes a clip with its upper left corner at a place in the view; see ``paste(x:y:)``.
  func paste(_ clipboard: Clip?, x: Double, y: Double) throws(EditorError) -> Pasted {
    try withDocument { (state, document) throws(EditorError) in
      let place = state.transform.document(x: x, y: y)
      guard StrokePoint(x: place.x, y: place.y).hasUsablePosition else {
        throw .invalidArgument(
          "position", expected: "finite pixels below 10^9", found: "other numbers")
      }
      guard let clipboard, let box = clipboard.box else { return Pasted(blocks: [], items: []) }
      guard document.takes(clipboard.block) else {
        throw .unsupportedType(
          found: clipboard.block.type.rawValue,
          supported: BlockType.allCases.filter(document.takes).map(\.rawValue))
      }
      let pasted = state.change(document) { state in
        document.paste(clipboard, dx: place.x - box.minX, dy: place.y - box.minY)
      }
      state.schedule()
      return Pasted(blocks: pasted.blocks.map { state.handle($0) }, items: pasted.items)
    }
  }

  // MARK: - Types of a selection

  /// The types that items can be changed to.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func availableTypes() throws(EditorError) -> [SelectionType] {
    try withDocument { (state, document) throws(EditorError) in
      switch document.type {
      case .text: [.text]
      case .drawing: [.drawing]
      case .math: []
      case .rawContent: SelectionType.allCases
      case .diagram: SelectionType.ofDiagrams
      case .textDocument: [.text, .drawing, .math]
      }
    }
  }

  /// Changes items to text, a shape, a drawing or a formula, whatever their form.
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
    try withDocument { (state, document) throws(EditorError) in
      let chosen = Set(items)
      guard !chosen.isEmpty, chosen.allSatisfy({ document.strokes[$0] != nil }) else {
        throw .invalidArgument("items", expected: "ids of items of the part", found: "other ids")
      }
      guard document.type != .text, document.type != .drawing else { return }
      state.change(document) { state in document.force(type, items: chosen, asOneBlock: asOneBlock)
      }
      state.schedule()
    }
  }

  // MARK: - Candidates

  /// Makes a candidate of a word its label, until the word's ink changes.
  ///
  /// - Parameters:
  ///   - text: One of the word's candidates.
  ///   - word: The word as it was shown. If it was read again since, or is gone, nothing changes.
  ///   - block: The block of the word.
  /// - Throws: ``EditorError/staleWord(_:)``, ``EditorError/noSuchCandidate`` or
  ///   ``EditorError/invalidBlock(_:)``.
  public func choose(
    _ text: String, for word: TextWord, in block: ContentBlock
  ) throws(EditorError) {
    try withNode(block) { (state, document, node) throws(EditorError) in
      let words = node.lines.flatMap { $0.runs.flatMap(\.words) }
      guard word.id != 0, let place = words.firstIndex(where: { $0.id == word.id }),
        words[place].items == word.items,
        words[place].candidates.map(\.text) == word.candidates.map(\.text)
      else { throw .staleWord(word.id) }
      try state.change(document) { (state) throws(EditorError) in
        try state.choose(text, word: place, of: node, document)
      }
      state.schedule()
    }
  }

  /// Makes a candidate of a word its label, until the word's ink changes. The index refers to the
  /// present words: if they may have changed since they were shown, use ``choose(_:for:in:)``.
  ///
  /// - Parameters:
  ///   - text: One of the word's candidates.
  ///   - word: The index of the word in ``ContentBlock/words``.
  ///   - block: The block of the word.
  /// - Throws: ``EditorError/noSuchCandidate`` or ``EditorError/invalidBlock(_:)``.
  public func choose(_ text: String, forWord word: Int, in block: ContentBlock) throws(EditorError)
  {
    try withNode(block) { (state, document, node) throws(EditorError) in
      try state.change(document) { (state) throws(EditorError) in
        try state.choose(text, word: word, of: node, document)
      }
      state.schedule()
    }
  }

  // MARK: - Handles

  /// Runs a body with the state on a block.
  func withNode<Value: Sendable>(
    _ block: ContentBlock,
    _ body: (inout EditorState, Document, BlockNode) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    try withDocument { (state, document) throws(EditorError) in
      guard block.reference === reference, block.generation == state.generation,
        let node = document.blocks[block.id]
      else { throw .invalidBlock(block.id) }
      return try body(&state, document, node)
    }
  }
}

extension EditorState {
  mutating func choose(
    _ text: String, word: Int, of node: BlockNode, _ document: Document
  ) throws(EditorError) {
    var index = word
    guard index >= 0 else { throw .noSuchCandidate }
    for line in node.lines {
      let count = line.runs.reduce(0) { $0 + $1.words.count }
      guard index >= count else {
        guard document.choose(text, word: index, of: line, fonts: fonts)
        else { throw .noSuchCandidate }
        tellText(of: node)
        return
      }
      index -= count
    }
    throw .noSuchCandidate
  }

  /// Returns a handle of a block.
  func handle(_ node: BlockNode) -> ContentBlock {
    ContentBlock(id: node.id, type: node.type, reference: reference, generation: generation)
  }
}
