import Foundation
import InkEditor

/// A page at one revision, as clients know it. A copy shares its storage.
package struct PageSnapshot: Sendable {
  package init() {}

  /// The number of the state; it grows with every change.
  var revision = 0
  /// The strokes, in the order they were written.
  package var items: [Int] = []
  package var blocks: [String: PageBlock] = [:]
  /// The decorations, in the order they were made.
  package var decorations: [PageDecoration] = []
  /// The selected ink.
  package var selection = PageSelection()
  /// The selection of the editor that this is.
  private var chosen: Selection?
  /// The colours of strokes that were given one; nil for that of the theme.
  package var colors: [Int: String?] = [:]
  /// The changes that can be undone and redone.
  var undo = 0
  var redo = 0
  /// The strokes and lines that are not read yet.
  var unread = 0
  /// The codes of problems with ink or models, such as `modelNotFound`.
  var notices: [String] = []
  /// The language that was chosen; nil for the best one.
  var language: String?

  init(
    revision: Int = 0, items: [Int] = [], blocks: [String: PageBlock] = [:], undo: Int = 0,
    redo: Int = 0, unread: Int = 0, notices: [String] = [], language: String? = nil
  ) {
    self.revision = revision
    self.items = items
    self.blocks = blocks
    self.undo = undo
    self.redo = redo
    self.unread = unread
    self.notices = notices
    self.language = language
  }

  /// Returns the state of a page after changes of some blocks.
  ///
  /// - Parameters:
  ///   - document: The page.
  ///   - changed: The ids of blocks that were added, removed or changed; nil for all.
  ///   - notices: The codes of problems.
  /// - Returns: nil if nothing has changed.
  package func next(_ document: PageDocument, changed: Set<String>?, notices: [String])
    -> PageSnapshot?
  {
    let editor = document.editor
    var next = self
    next.revision += 1
    var isChanged = notices != self.notices || document.language != language
    (next.notices, next.language) = (notices, document.language)
    let items = editor.rootBlock?.items ?? []
    if items != self.items {
      next.items = items
      isChanged = true
    }
    for id in changed ?? Self.ids(of: editor.rootBlock).union(blocks.keys) {
      var block = editor.block(id: id).flatMap { $0.parent == nil ? nil : PageBlock($0) }
      block?.version = blocks[id]?.version ?? 0
      guard block != blocks[id] else { continue }
      block?.version = next.revision
      next.blocks[id] = block
      isChanged = true
    }
    let decorations = editor.decorationPaths.map(PageDecoration.init)
    if decorations != self.decorations {
      next.decorations = decorations
      isChanged = true
    }
    let chosen = editor.selection
    if chosen != self.chosen {
      (next.chosen, next.selection) = (chosen, PageSelection(chosen, editor))
      isChanged = true
    }
    next.colors = document.colors
    if next.colors != colors { isChanged = true }
    (next.undo, next.redo) = document.steps
    next.unread = editor.unreadCount
    isChanged = isChanged || next.undo != undo || next.redo != redo || next.unread != unread
    return isChanged ? next : nil
  }

  private static func ids(of block: ContentBlock?) -> Set<String> {
    guard let block else { return [] }
    return block.children.reduce(into: [block.id]) { $0.formUnion(ids(of: $1)) }
  }
}

/// The difference between two states of a page, as one message or several.
struct PageChanges: Encodable, Sendable {
  /// A stroke with its columns in millimetres.
  struct Ink: Encodable, Sendable {
    var id: Int
    var x: [Double]
    var y: [Double]
    var force: [Double]?
    /// What to draw, as the data of an SVG path in millimetres.
    var path: String
    /// The width of the line along the path; nil if the path is an outline to be filled.
    var line: Double?
    /// The colour as `#RRGGBB`; left out for that of the theme.
    var color: String?
    /// The typed text, if the item is one.
    var text: Text?
    /// The picture as a `data:` URL, if the item is one.
    var image: String?

    /// Typed text in millimetres.
    struct Text: Encodable, Sendable {
      var text: String
      /// The left end of the baseline.
      var x: Double
      var y: Double
      /// The size of the font.
      var size: Double
      var width: Double
      var family: String
      var bold: Bool
      var italic: Bool
    }

    /// Makes a stroke from an item of an editor; nil if it is gone.
    init?(_ id: Int, _ editor: Editor) {
      // The only error is a missing part.
      guard let points = try? editor.stroke(of: id)?.points, !points.isEmpty else { return nil }
      self.id = id
      x = points.map { PageBlock.rounded($0.x) }
      y = points.map { PageBlock.rounded($0.y) }
      let forces = points.compactMap(\.force)
      if forces.count == points.count, forces.contains(where: { $0 > 0 }) { force = forces }
      switch editor.drawCommand(ofItem: id) {
      case .fill(let outline, let color):
        path = SVGPainter.data(outline, decimals: 2)
        self.color = PageDocument.color(color.description)
      case .stroke(let curve, let color, let style):
        path = SVGPainter.data(curve, decimals: 2)
        self.color = PageDocument.color(color.description)
        line = PageBlock.rounded(style.width)
      case .text(let typed):
        path = ""
        color = PageDocument.color(typed.color.description)
        text = Text(
          text: typed.text, x: PageBlock.rounded(typed.origin.x),
          y: PageBlock.rounded(typed.origin.y), size: PageBlock.rounded(typed.size),
          width: PageBlock.rounded(typed.width ?? 0), family: typed.family, bold: typed.isBold,
          italic: typed.isItalic)
      case .image(let picture):
        path = ""
        image = "data:\(picture.type);base64,\(Data(picture.bytes).base64EncodedString())"
      default: return nil
      }
    }
  }

  /// A line of a block: all of it, or the number of the same line in the client's older version.
  enum Line: Encodable, Sendable {
    case same(Int)
    case new(PageLine)

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .same(let index): try value.encode(index)
      case .new(let line): try value.encode(line)
      }
    }
  }

  /// A block that was added or changed.
  struct Block: Encodable, Sendable {
    var id: String
    var type: String
    var box: [Double]
    var lines: [Line]
    var shape: PageShape?
    var mark: String?
    var formula: PageFormula?
    var items: [Int]

    init(_ block: PageBlock, since old: PageBlock?) {
      id = block.id
      type = block.type
      box = block.box
      (shape, mark, formula) = (block.shape, block.mark, block.formula)
      items = block.items
      let places = Dictionary(
        (old?.lines ?? []).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      lines = block.lines.map { line in places[line].map(Line.same) ?? .new(line) }
    }
  }

  /// A stroke that has another colour than before.
  struct Color: Encodable, Sendable {
    var id: Int
    /// Left out for the colour of the theme.
    var color: String?
  }

  let type = "changes"
  /// The number of the message to this client, which it confirms.
  var serial: Int
  /// The state of the process: revisions of different epochs do not compare.
  var epoch: String
  /// True if the client must forget what it knows.
  var isFirst: Bool
  /// False if the next message continues the same state.
  var isComplete: Bool
  var revision: Int
  var ink: [Ink]
  /// The strokes that are gone.
  var gone: [Int]
  var blocks: [Block]
  /// The blocks that are gone.
  var goneBlocks: [String]
  /// All decorations; left out if they are as before.
  var decorations: [PageDecoration]?
  /// The selected ink; left out if it is as before.
  var selection: PageSelection?
  /// The strokes whose colour has changed; left out for none.
  var colors: [Color]?
  var undo: Int
  var redo: Int
  var unread: Int
  var notices: [String]
  /// The language that was chosen; left out for the best one.
  var language: String?
  /// The radius of the eraser in millimetres.
  let eraserRadius = PageDocument.eraserRadius

  /// Makes the next message that leads from one state to another, and moves the first along.
  ///
  /// - Parameters:
  ///   - base: What the client knows. nil if it knows nothing.
  ///   - target: The state to reach.
  ///   - document: The page.
  ///   - serial: The number of the message.
  ///   - epoch: The state of the process.
  init(
    from base: inout PageSnapshot?, to target: PageSnapshot, _ document: PageDocument, serial: Int,
    epoch: String
  ) {
    isFirst = base == nil
    var old = base ?? PageSnapshot()
    let added = Self.added(old.items, target.items)
    gone = []
    if old.items.count + added.count != target.items.count {
      let present = Set(target.items)
      gone = old.items.filter { !present.contains($0) }
      old.items.removeAll { !present.contains($0) }
    }
    ink = []
    var (taken, points) = (0, 0)
    for id in added {
      guard taken < PageLimits.strokesPerMessage, points < PageLimits.pointsPerMessage else {
        break
      }
      taken += 1
      guard let stroke = Ink(id, document.editor) else { continue }
      points += stroke.x.count
      ink.append(stroke)
    }
    self.serial = serial
    self.epoch = epoch
    isComplete = taken == added.count
    revision = target.revision
    (undo, redo, unread) = (target.undo, target.redo, target.unread)
    notices = target.notices
    language = target.language
    guard isComplete else {
      blocks = []
      goneBlocks = []
      old.items += added.prefix(taken)
      base = old
      return
    }
    blocks = target.blocks.values
      .filter { block in old.blocks[block.id].map { $0.version != block.version } ?? true }
      .sorted { $0.id < $1.id }
      .map { Block($0, since: old.blocks[$0.id]) }
    goneBlocks = old.blocks.keys.filter { target.blocks[$0] == nil }.sorted()
    if isFirst || old.decorations != target.decorations { decorations = target.decorations }
    if isFirst || old.selection != target.selection { selection = target.selection }
    let colors = target.colors.filter { item, color in old.colors[item] != .some(color) }
    if !colors.isEmpty {
      self.colors = colors.sorted { $0.key < $1.key }.map { Color(id: $0, color: $1) }
    }
    base = target
  }

  /// Returns the items that are new, in order.
  private static func added(_ old: [Int], _ new: [Int]) -> [Int] {
    if new.count >= old.count, new.starts(with: old) { return Array(new[old.count...]) }
    let known = Set(old)
    return new.filter { !known.contains($0) }
  }
}
