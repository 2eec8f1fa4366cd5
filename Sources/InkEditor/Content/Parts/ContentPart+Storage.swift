import Foundation
import InkCore

/// A block of a part as a value, which is there without an editor.
public struct BlockOutline: Hashable, Sendable, Identifiable {
  /// The id, unique in the part.
  public let id: String
  /// The content of the block.
  public let type: BlockType
  /// The box of the ink in millimetres, or nil if there is none.
  public let box: BoundingBox?
  /// The blocks in it.
  public let children: [BlockOutline]

  /// The block and all blocks in it.
  public var withDescendants: [BlockOutline] { [self] + children.flatMap(\.withDescendants) }
}

extension ContentPart {
  /// Runs a body on the document while nothing else changes it: under the lock of the editor that
  /// has the part, or under that of its ownership.
  ///
  /// - Throws: ``EditorError/unreadablePart(reason:)`` if the part cannot be loaded.
  func access<Value: Sendable>(_ body: (Document) -> Value) throws(EditorError) -> Value {
    try load()
    while true {
      let access = ownership.withLock { ownership -> PartAccess<Value> in
        ownership.owner.map { .owned($0) } ?? .done(body(document))
      }
      switch access {
      case .done(let value): return value
      case .owned(let editor):
        let result = editor.read { state in state.part === self ? body(document) : nil as Value? }
        if let result { return result }
        // The editor is about to set the part, or to release it.
        Thread.sleep(forTimeInterval: 1 / 2000)
      }
    }
  }

  /// Loads the content from the package when it is first needed.
  ///
  /// - Throws: ``EditorError/unreadablePart(reason:)``.
  func load() throws(EditorError) {
    try loading.withLock { (loading) throws(EditorError) in
      guard loading.isNeeded, let store else { return }
      if let fault = loading.fault { throw .unreadablePart(reason: fault) }
      let isExplicit: Bool
      do {
        let content = try store.content(of: self)
        isExplicit = content.order != nil
        try document.restore(content)
      } catch {
        // The document may be half filled.
        let reason = (error as? ContentFault)?.reason ?? "\(error)"
        loading.fault = reason
        throw .unreadablePart(reason: reason)
      }
      let known = document.textConfiguration
      ownership.withLock { $0.knownConfiguration = known }
      recorder.adopt(document, isExplicit: isExplicit)
      loading.isNeeded = false
    }
  }

  /// The root block and the blocks in it. A part of a package that is on no editor is not loaded
  /// for this.
  ///
  /// - Throws: ``EditorError/unreadablePart(reason:)``.
  public func outline() throws(EditorError) -> BlockOutline {
    if loading.withLock({ $0.isNeeded }), let store {
      let blocks: [StoredBlock]
      do {
        blocks = try store.outline(of: self)
      } catch {
        throw .unreadablePart(reason: "\(error)")
      }
      let table = Dictionary(blocks.map { ($0.id, $0) }) { first, _ in first }
      guard let root = table["0"], let result = Self.outline(of: root, table) else {
        throw .unreadablePart(reason: "the tree of blocks is damaged")
      }
      return result
    }
    return try access { Self.outline(of: $0.root) }
  }

  /// The root block, or nil if the part cannot be loaded; see ``outline()``.
  public var rootBlock: BlockOutline? { try? outline() }

  private static func outline(of node: BlockNode) -> BlockOutline {
    BlockOutline(
      id: node.id, type: node.type, box: node.box, children: node.children.map(outline))
  }

  /// Returns nil if blocks are missing or contain themselves.
  private static func outline(
    of block: StoredBlock, _ table: [String: StoredBlock], depth: Int = 0
  ) -> BlockOutline? {
    guard depth < 32 else { return nil }
    var children: [BlockOutline] = []
    children.reserveCapacity(block.children.count)
    for id in block.children {
      guard let child = table[id], let outline = outline(of: child, table, depth: depth + 1) else {
        return nil
      }
      children.append(outline)
    }
    return BlockOutline(id: block.id, type: block.type, box: block.box, children: children)
  }

  // MARK: - For packages

  /// Takes what has changed since the last call; the first call takes the whole content.
  ///
  /// - Parameter isComplete: False to leave out marks that a crash may lose.
  /// - Throws: ``EditorError/unreadablePart(reason:)``.
  package func takeChanges(isComplete: Bool) throws(EditorError) -> PartChanges {
    try access { recorder.take(from: $0, isComplete: isComplete) }
  }

  /// Records that the last changes that were taken were not stored: the next ones are the whole
  /// content.
  package func forgetTakenChanges() {
    _ = try? access { _ in recorder.reset() }
  }

  /// Returns the whole content, without effect on the next changes.
  ///
  /// - Throws: ``EditorError/unreadablePart(reason:)``.
  package func wholeContent() throws(EditorError) -> PartChanges {
    try access { document in
      let touched = document.strokes.touched
      defer { document.strokes.touched = touched }
      return PartRecorder().take(from: document, isComplete: true)
    }
  }

  /// Ends the use of the part: it was removed, or its package was closed.
  ///
  /// - Returns: False if an editor has the part; nothing has changed then.
  package func invalidate() -> Bool {
    ownership.withLock { ownership in
      guard ownership.owner == nil else { return false }
      ownership.isInvalid = true
      return true
    }
  }

  /// Ends the effect of ``invalidate()``.
  package func validate() { ownership.withLock { $0.isInvalid = false } }

  /// True unless the part was removed from its package, or the package was closed.
  public var isValid: Bool { ownership.withLock { !$0.isInvalid } }

  /// Decides about strokes that wait for the answer of a delegate, as if there were none.
  package func settleGestures() {
    let owner = ownership.withLock { $0.owner }
    owner?.settleGestures()
  }

  /// True if an editor has the part.
  package var isOnEditor: Bool { ownership.withLock { $0.owner != nil } }

  /// Makes a part of a package.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - engine: The engine.
  ///   - id: The id.
  ///   - store: The place where it is kept.
  ///   - isStored: True if it has content there.
  package convenience init(
    type: PartType, engine: Engine, id: String, store: any PartStore, isStored: Bool
  ) {
    self.init(type: type, engine: engine, id: id, store: store)
    loading.withLock { $0.isNeeded = isStored }
  }
}

/// Checks and rebuilds stored content without an engine.
package enum PartValidation {
  /// Checks that content is that of a part.
  ///
  /// - Throws: ``ContentFault``.
  package static func check(_ content: PartContent, type: PartType) throws(ContentFault) {
    try Document(type: type).restore(content)
  }

  /// Returns the content of a part with this ink, which is to be read again, and those of the
  /// decorations that have ink there.
  package static func rebuilt(
    _ strokes: [InkStroke], _ decorations: [Decoration] = [], type: PartType
  ) -> PartChanges {
    let document = Document(type: type)
    for stroke in strokes {
      document.nextItem = max(document.nextItem, stroke.id + 1)
      document.append(stroke)
    }
    let known = CopyPlan(
      items: Dictionary(strokes.map { ($0.id, $0.id) }) { first, _ in first }, dx: 0, dy: 0)
    document.addDecorations(decorations, known)
    return PartRecorder().take(from: document, isComplete: true)
  }

  /// Returns content as changes of an empty part.
  package static func changes(_ content: PartContent) -> PartChanges {
    var changes = PartChanges()
    changes.isWhole = true
    changes.strokes = content.strokes
    changes.order = content.order.map { .explicit($0) } ?? .byNumber
    (changes.blocks, changes.lines, changes.state) = (content.blocks, content.lines, content.state)
    changes.decorations = content.decorations
    return changes
  }
}

/// The result of an access to a part, or the editor under whose lock it is to be made.
private enum PartAccess<Value> {
  case done(Value)
  case owned(Editor)
}
