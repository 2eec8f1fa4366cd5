import InkEditor

extension Editor {
  /// Returns the formats that have something to show of a block, or of the root if nil: none of an empty
  /// one, texts where words were read or typed, graphs where shapes are, formats of ink where ink is,
  /// and PNG and JPEG where a painter or the libraries for them are there.
  ///
  /// - Parameters:
  ///   - block: The block, or nil for the root.
  ///   - painter: The painter of the app for PNG and JPEG.
  /// - Throws: `EditorError` if there is no part, or the block is gone.
  public func exportFormats(
    _ block: ContentBlock? = nil, painter: (any PicturePainter)? = nil
  ) throws(EditorError) -> [ExportFormat] {
    guard let root = rootBlock else { throw .noPart }
    let top = block ?? root
    guard top.isValid else { throw .invalidBlock(top.id) }
    return ExportFormat.possible(for: ContentFacts(self, top, among: nil), painter: painter)
  }

  /// Returns the formats that have something to show of a selection.
  ///
  /// - Throws: `EditorError` if there is no part.
  public func exportFormats(
    _ selection: Selection, painter: (any PicturePainter)? = nil
  ) throws(EditorError) -> [ExportFormat] {
    guard let root = rootBlock else { throw .noPart }
    guard selection.isValid else { return [] }
    let facts = ContentFacts(self, root, among: Set(selection.items))
    return ExportFormat.possible(for: facts, painter: painter)
  }
}

/// The sorts of content of a block.
struct ContentFacts {
  private(set) var isEmpty = true
  private(set) var hasInk = false
  private(set) var hasWords = false
  private(set) var hasShapes = false
  private(set) var hasFormulas = false

  /// Looks at a block.
  ///
  /// - Parameters:
  ///   - editor: The editor of the block.
  ///   - block: The block.
  ///   - items: The items that count; nil for all.
  init(_ editor: Editor, _ block: ContentBlock, among items: Set<Int>?) {
    func counts(_ found: [Int]) -> Bool {
      items.map { chosen in found.contains(where: chosen.contains) } ?? !found.isEmpty
    }
    let own = block.items
    isEmpty = !counts(own)
    hasInk = editor.hasInk(among: items.map { chosen in own.filter(chosen.contains) } ?? own)
    add(block, counts)
  }

  private mutating func add(_ block: ContentBlock, _ counts: ([Int]) -> Bool) {
    switch block.type {
    case .text: if !hasWords { hasWords = block.words.contains { counts($0.items) } }
    case .node, .edge: if counts(block.items) { hasShapes = true }
    case .math:
      if !hasFormulas, counts(block.items) { hasFormulas = !block.formulas.isEmpty }
    case .rawContent, .drawing, .diagram, .textDocument, .container: break
    }
    for child in block.children { add(child, counts) }
  }
}

extension ExportFormat {
  /// The formats that have something to show.
  static func possible(
    for facts: ContentFacts, painter: (any PicturePainter)?
  ) -> [ExportFormat] {
    guard !facts.isEmpty else { return [] }
    return allCases.filter { format in
      switch format {
      case .text, .markdown: facts.hasWords || facts.hasFormulas
      case .latex, .mathML: facts.hasFormulas
      case .graphML, .mermaid: facts.hasShapes
      case .png, .jpeg: painter != nil || LibraryPainter.isAvailable(format)
      case .inkML, .jsonLines, .unipen, .xournal: facts.hasInk
      case .pdf, .svg, .html, .docx, .odt, .jiix: true
      }
    }
  }
}
