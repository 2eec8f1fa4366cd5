import InkCore

extension Editor {
  /// The typed text of the active block, read or not; nil without a part.
  ///
  /// It is right at once after every call and every event: after a stroke, which is unread at
  /// first, after a reading, another block or part, undo. Read it again after the events
  /// `contentChanged`, `activeBlockChanged` and `partChanged`. O(ink of the block).
  ///
  /// - Parameter candidates: The largest number of candidates of a word, at least 1; nil for all.
  public func typedText(candidates: Int? = nil) -> TypedText? {
    read { state in
      state.document.map { state.typedText(of: $0.activeBlock, $0, candidates) }
    }
  }

  /// The typed text of a block.
  ///
  /// - Parameters:
  ///   - block: The block; only a text has words.
  ///   - candidates: The largest number of candidates of a word, at least 1; nil for all.
  /// - Throws: ``EditorError/invalidBlock(_:)`` or ``EditorError/noPart``.
  public func typedText(
    of block: ContentBlock, candidates: Int? = nil
  ) throws(EditorError) -> TypedText {
    try withNode(block) { (state, document, node) throws(EditorError) in
      state.typedText(of: node, document, candidates)
    }
  }

  /// The farthest distance of a tap from the word that it emphasises, in millimetres.
  /// Chosen by hand.
  private static let reach = 2.0

  /// Emphasises the word at a place in the view, and makes its block the active one. Ink that is
  /// written later takes the emphasis.
  ///
  /// - Returns: The typed text of that block; nil if there is no word within 2 mm.
  /// - Throws: ``EditorError/noPart``, or an invalid argument if a number is not finite.
  @discardableResult
  public func emphasizeWord(atX x: Double, y: Double) throws(EditorError) -> TypedText? {
    guard x.isFinite, y.isFinite else {
      throw .invalidArgument("position", expected: "finite pixels", found: "other numbers")
    }
    return try withDocument { (state, document) throws(EditorError) in
      let place = state.transform.document(x: x, y: y)
      var best: (node: BlockNode, word: Int, distance: Double)?
      for node in document.root.texts {
        for word in state.typedText(of: node, document, 1).words {
          let distance = word.box.distance(toX: place.x, y: place.y)
          guard distance <= Self.reach, distance < best?.distance ?? .infinity else { continue }
          best = (node, word.id, distance)
        }
      }
      guard let best else { return nil }
      state.emphasize(best.word, of: best.node, document)
      return state.typedText(of: best.node, document, nil)
    }
  }

  /// Emphasises a word that was shown, and makes its block the active one.
  ///
  /// - Throws: ``EditorError/staleWord(_:)`` if the word was read again or removed since.
  public func emphasize(_ word: TypedWord) throws(EditorError) {
    try withDocument { (state, document) throws(EditorError) in
      guard word.generation == state.generation else { throw .staleWord(word.id) }
      for node in document.root.texts
      where state.typedText(of: node, document, 1).words.contains(where: { $0.id == word.id }) {
        state.emphasize(word.id, of: node, document)
        return
      }
      throw .staleWord(word.id)
    }
  }
}

extension EditorState {
  mutating func typedText(
    of node: BlockNode?, _ document: Document, _ limit: Int?
  ) -> TypedText {
    TypedTextBuilder(
      document: document, transform: transform, generation: generation, limit: limit
    ).text(of: node)
  }

  mutating func emphasize(_ word: Int, of node: BlockNode, _ document: Document) {
    document.activeBlock = node
    document.emphasis = WordEmphasis(word: word, nextNumber: document.nextNumber)
    tellText(of: node)
  }
}
