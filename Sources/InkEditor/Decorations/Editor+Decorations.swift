import InkCore

/// Decorations: underlines, strike-through, highlights and surrounds of characters.
///
/// Each change is one step of the history. Decorations are no ink: they are neither in plain text
/// nor items.
extension Editor {
  /// All decorations of the part, in the order they were made. O(n log n).
  public var decorations: [Decoration] { read { state in state.document?.decorations.all ?? [] } }

  /// Decorates characters of a text block.
  ///
  /// A second underline over an underline makes it double. A decoration over one of the same kind
  /// and style joins it; over another style it replaces it.
  ///
  ///     try editor.decorate(characters: 0..<5, of: block, with: .underline)
  ///
  /// - Parameters:
  ///   - characters: Characters of the block, counted as in JIIX: a space between two words and a
  ///     line break between two lines are characters too.
  ///   - block: A block of text.
  ///   - kind: The kind.
  ///   - style: The look, or nil for that of the theme.
  /// - Returns: The new decorations; empty if the characters were decorated like this already.
  /// - Throws: ``EditorError/invalidBlock(_:)``, and an invalid argument if the block has no such
  ///   characters or they have no ink.
  @discardableResult
  public func decorate(
    characters: Range<Int>, of block: ContentBlock, with kind: DecorationKind,
    style: DecorationStyle? = nil
  ) throws(EditorError) -> [Decoration] {
    try withNode(block) { (state, document, node) throws(EditorError) in
      let anchor = try Self.anchor(of: characters, in: node, document)
      return state.change(document) { _ in document.decorate(anchor, with: kind, style: style) }
    }
  }

  /// Decorates words of a text block, with the spaces between them.
  ///
  /// - Parameters:
  ///   - words: Indices of ``ContentBlock/words``.
  ///   - block: A block of text.
  ///   - kind: The kind.
  ///   - style: The look, or nil for that of the theme.
  /// - Returns: The new decorations; empty if the words were decorated like this already.
  /// - Throws: The errors of ``decorate(characters:of:with:style:)``.
  @discardableResult
  public func decorate(
    words: Range<Int>, of block: ContentBlock, with kind: DecorationKind,
    style: DecorationStyle? = nil
  ) throws(EditorError) -> [Decoration] {
    try withNode(block) { (state, document, node) throws(EditorError) in
      let characters = try Self.characters(ofWords: words, in: node)
      let anchor = try Self.anchor(of: characters, in: node, document)
      return state.change(document) { _ in document.decorate(anchor, with: kind, style: style) }
    }
  }

  /// Removes decorations from characters of a text block.
  ///
  /// - Parameters:
  ///   - characters: Characters of the block, counted as in JIIX.
  ///   - block: A block of text.
  ///   - kinds: The kinds to remove.
  /// - Returns: True if there were any.
  /// - Throws: The errors of ``decorate(characters:of:with:style:)``.
  @discardableResult
  public func removeDecorations(
    fromCharacters characters: Range<Int>, of block: ContentBlock,
    kinds: Set<DecorationKind> = Set(DecorationKind.allCases)
  ) throws(EditorError) -> Bool {
    try withNode(block) { (state, document, node) throws(EditorError) in
      let anchor = try Self.anchor(of: characters, in: node, document)
      return state.change(document) { _ in document.removeDecorations(kinds, from: anchor) }
    }
  }

  /// Removes a decoration.
  ///
  /// - Parameter id: The id of the decoration.
  /// - Throws: An invalid argument if there is no such decoration.
  public func removeDecoration(id: Int) throws(EditorError) {
    try withDocument { (state, document) throws(EditorError) in
      guard document.decorations[id] != nil else {
        throw .invalidArgument(
          "decoration", expected: "the id of a decoration of the part", found: "\(id)")
      }
      state.change(document) { _ in _ = document.removeDecoration(id) }
    }
  }

  static func characters(
    ofWords words: Range<Int>, in node: BlockNode
  ) throws(EditorError) -> Range<Int> {
    let known = BlockText(node).words
    guard words.lowerBound >= 0, words.upperBound <= known.count, !words.isEmpty else {
      throw .invalidArgument(
        "words", expected: "a range within 0..<\(known.count)", found: "\(words)")
    }
    return known[words.lowerBound].lowerBound..<known[words.upperBound - 1].upperBound
  }

  static func anchor(
    of characters: Range<Int>, in node: BlockNode, _ document: Document
  ) throws(EditorError) -> InkAnchor {
    let count = BlockText(node).elements.count
    guard characters.lowerBound >= 0, characters.upperBound <= count, !characters.isEmpty else {
      throw .invalidArgument(
        "characters", expected: "a range within 0..<\(count)", found: "\(characters)")
    }
    let anchor = document.anchor(of: characters, in: node)
    guard !anchor.isEmpty else {
      throw .invalidArgument(
        "characters", expected: "characters that have ink", found: "\(characters)")
    }
    return anchor
  }
}

extension ContentBlock {
  /// The decorated characters of a text, by decoration and then by place. Empty for other blocks.
  public var decorations: [DecorationSpan] {
    read { state, node in state.document?.decorationSpans(of: node) ?? [] } ?? []
  }
}
