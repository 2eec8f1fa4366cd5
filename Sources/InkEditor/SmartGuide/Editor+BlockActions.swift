/// An action of a menu for a block.
public enum BlockAction: String, Hashable, Sendable, CaseIterable {
  /// Copy the text: `export(_:as:overrides:)` as text.
  case copyText = "copy text"
  /// Copy ink and readings: `copy(_:)`.
  case copy
  /// Turn handwriting into typed text and shapes into exact ones: ``Editor/convert(_:to:)-(ContentBlock?,_)``.
  case convert
  /// Export: `export(_:as:overrides:)`.
  case export
  /// Change the type: ``Editor/set(type:for:asOneBlock:)`` with the items of the block.
  case setType = "set type"
  /// Remove the block: ``Editor/removeBlock(_:)``.
  case delete
}

extension Editor {
  /// Returns the actions that are possible for a block now, in the order of a menu; empty for a
  /// block without ink.
  ///
  /// - Parameter block: The block, or nil for the root.
  /// - Throws: ``EditorError/noPart`` or ``EditorError/invalidBlock(_:)``.
  public func actions(for block: ContentBlock? = nil) throws(EditorError) -> [BlockAction] {
    let types = try availableTypes()
    let root = rootBlock
    guard let block = block ?? root else { throw .noPart }
    return try withNode(block) { (state, document, node) throws(EditorError) in
      let isRoot = node === document.root
      guard !(isRoot ? document.isEmpty : document.items(of: node).isEmpty) else { return [] }
      let hasText = node.texts.contains { text in
        text.lines.contains { line in line.runs.contains { !$0.words.isEmpty } }
      }
      return BlockAction.allCases.filter { action in
        switch action {
        case .copyText: hasText
        case .copy, .export: true
        case .convert: document.isConvertible(node)
        case .setType: !isRoot && types.count > 1
        case .delete: !isRoot
        }
      }
    }
  }
}
