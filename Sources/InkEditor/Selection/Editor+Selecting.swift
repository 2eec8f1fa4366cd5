import InkCore

/// Selections: values that name ink, and the one that the user sees.
///
///     let selection = try editor.selection(inLasso: path)
///     try editor.setSelection(selection)
///     let moved = try editor.move(selection, dx: 40, dy: 0)
extension Editor {
  // MARK: - The selection of the editor

  /// The selection that the user sees, or nil. A lasso of the tool ``PointerTool/selector`` sets
  /// it. It goes when its ink or the part does; ``EditorEvent/selectionChanged(_:)`` reports it.
  public var selection: Selection? { read { state in state.selection } }

  /// Sets the selection that the user sees; nil or an empty one for none. It is no step of the
  /// history.
  ///
  /// - Throws: An invalid argument if the ink of the selection is gone; see ``Selection/isValid``.
  public func setSelection(_ selection: Selection?) throws(EditorError) {
    guard let selection else { return locked { $0.setSelection(nil) } }
    try withInk(of: selection) { (state, _, anchor) throws(EditorError) in
      state.setSelection(anchor)
    }
  }

  // MARK: - Making selections

  /// Returns the ink inside of a closed line.
  ///
  /// A word or a shape belongs to it, as a whole, if at least half of its ink is inside. Other ink
  /// counts stroke by stroke.
  ///
  /// - Parameter path: The line in pixels of the view. Its last point is connected to the first.
  /// - Throws: ``EditorError/noPart``, and an invalid argument if a number is not finite.
  /// - Complexity: O(points of the ink near the line).
  public func selection(inLasso path: [PlanePoint]) throws(EditorError) -> Selection {
    try withDocument { (state, document) throws(EditorError) in
      var places: [PlanePoint] = []
      for point in path {
        let place = state.transform.document(x: point.x, y: point.y)
        guard StrokePoint(x: place.x, y: place.y).hasUsablePosition else {
          throw .invalidArgument(
            "lasso", expected: "finite pixels below 10^9", found: "other numbers")
        }
        places.append(PlanePoint(x: place.x, y: place.y))
      }
      return Selection(LassoArea(places).map(document.ink) ?? InkAnchor(), state)
    }
  }

  /// Returns the ink inside of a rectangle of the view, by the rule of ``selection(inLasso:)``.
  ///
  /// - Throws: The errors of ``selection(inLasso:)``; also if width or height is below 0.
  public func selection(
    inRectangleAtX x: Double, y: Double, width: Double, height: Double
  ) throws(EditorError) -> Selection {
    guard width >= 0, height >= 0 else {
      throw .invalidArgument("rectangle", expected: "sides of at least 0", found: "others")
    }
    return try selection(inLasso: [
      PlanePoint(x: x, y: y), PlanePoint(x: x + width, y: y),
      PlanePoint(x: x + width, y: y + height), PlanePoint(x: x, y: y + height),
    ])
  }

  /// Returns the ink of a block, with that of the blocks in it.
  ///
  /// - Throws: ``EditorError/invalidBlock(_:)``.
  public func selection(of block: ContentBlock) throws(EditorError) -> Selection {
    try withNode(block) { (state, document, node) throws(EditorError) in
      Selection(document.anchor(ofWhole: document.items(of: node)), state)
    }
  }

  /// Returns the ink of characters of a text block, counted as in JIIX.
  ///
  /// - Throws: ``EditorError/invalidBlock(_:)``, and an invalid argument if the block has no such
  ///   characters.
  public func selection(
    ofCharacters characters: Range<Int>, of block: ContentBlock
  ) throws(EditorError) -> Selection {
    try withNode(block) { (state, document, node) throws(EditorError) in
      Selection(try Self.anchor(of: characters, in: node, document), state)
    }
  }

  /// Returns the ink of words of a text block, by their indices in ``ContentBlock/words``.
  ///
  /// - Throws: ``EditorError/invalidBlock(_:)``, and an invalid argument if the block has no such
  ///   words.
  public func selection(
    ofWords words: Range<Int>, of block: ContentBlock
  ) throws(EditorError) -> Selection {
    try withNode(block) { (state, document, node) throws(EditorError) in
      let characters = try Self.characters(ofWords: words, in: node)
      return Selection(try Self.anchor(of: characters, in: node, document), state)
    }
  }

  /// Returns the ink of items.
  ///
  /// - Throws: ``EditorError/noPart``, and an invalid argument if an id is unknown.
  public func selection(ofItems items: some Sequence<Int>) throws(EditorError) -> Selection {
    let items = Array(items)
    return try withDocument { (state, document) throws(EditorError) in
      guard items.allSatisfy({ document.strokes[$0] != nil }) else {
        throw .invalidArgument("items", expected: "ids of items of the part", found: "other ids")
      }
      return Selection(document.anchor(ofWhole: items), state)
    }
  }

  /// Returns the ink of the word at a place in the view, or nil if there is no word.
  ///
  /// - Throws: ``EditorError/noPart``, or an invalid argument if a number is not finite.
  public func selection(ofWordAtX x: Double, y: Double) throws(EditorError) -> Selection? {
    guard x.isFinite, y.isFinite else {
      throw .invalidArgument("position", expected: "finite pixels", found: "other numbers")
    }
    return try withDocument { (state, document) throws(EditorError) in
      let place = state.transform.document(x: x, y: y)
      return document.word(atX: place.x, y: place.y).map { Selection($0, state) }
    }
  }

  // MARK: - Frames

  /// Returns the places of a selection's handles in pixels of the view; empty without ink.
  ///
  /// - Throws: An invalid argument if the ink of the selection is gone.
  public func handles(
    of selection: Selection
  ) throws(EditorError) -> [SelectionHandle: PlanePoint] {
    try withInk(of: selection) { (state, document, anchor) throws(EditorError) in
      guard let box = document.box(of: anchor) else { return [:] }
      return Dictionary(
        uniqueKeysWithValues: SelectionHandle.allCases.map { handle in
          let place = state.transform.view(
            x: box.minX + handle.share.x * box.width, y: box.minY + handle.share.y * box.height)
          return (handle, PlanePoint(x: place.x, y: place.y))
        })
    }
  }

  /// Returns the part of a selection's frame at a place in the view, or nil.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - x: Pixels.
  ///   - y: Pixels.
  ///   - radius: The distance in pixels at which a handle is still hit.
  /// - Throws: An invalid argument if the ink of the selection is gone, or a number is not finite.
  public func hit(
    _ selection: Selection, x: Double, y: Double, radius: Double = 12
  ) throws(EditorError) -> SelectionHit? {
    guard x.isFinite, y.isFinite, radius.isFinite else {
      throw .invalidArgument("position", expected: "finite pixels", found: "other numbers")
    }
    let handles = try handles(of: selection)
    let near = handles.min { one, other in
      let (a, b) = (
        max(abs(one.value.x - x), abs(one.value.y - y)),
        max(abs(other.value.x - x), abs(other.value.y - y))
      )
      // A corner is hit before a side.
      return (a, one.key.rawValue.count) < (b, other.key.rawValue.count)
    }
    if let near, abs(near.value.x - x) <= radius, abs(near.value.y - y) <= radius {
      return .handle(near.key)
    }
    let isInside = try withInk(of: selection) { (state, document, anchor) throws(EditorError) in
      let place = state.transform.document(x: x, y: y)
      return document.box(of: anchor)?.contains(x: place.x, y: place.y, within: 0) ?? false
    }
    return isInside ? .inside : nil
  }

  // MARK: - Access

  /// Runs a body with the ink of a selection.
  ///
  /// - Throws: ``EditorError/noPart``, an invalid argument if the ink is gone, and the errors of
  ///   the body.
  func withInk<Value: Sendable>(
    of selection: Selection,
    _ body: (inout EditorState, Document, InkAnchor) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    try withDocument { (state, document) throws(EditorError) in
      guard state.isValid(selection, document) else {
        throw .invalidArgument(
          "selection", expected: "ink of the part that is set", found: "ink that is gone")
      }
      return try body(&state, document, selection.anchor)
    }
  }
}
