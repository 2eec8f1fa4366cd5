import InkCore
import Layout

/// The content of a part: ink and its recognition. Guarded by the editor's lock.
package final class Document {
  let type: PartType
  package var root: BlockNode
  package var blocks: [String: BlockNode] = [:]
  package var strokes = StrokeTable()
  /// The ways of ink that was moved and kept its ids.
  var shifts: [Int: Shift] = [:]
  /// The spaces that were inserted or taken out by hand.
  var spacings = SpacingTable()
  /// The styles that were given to ink after it was drawn.
  var restyled: [Int: StyleChoice] = [:]
  /// The styles that this ink was drawn with.
  var drawnStyles: [Int: StyleChoice] = [:]
  /// The decorations of characters.
  package var decorations = DecorationTable()
  /// The commands that draw the ink.
  let drawings = DrawingCache()
  /// Removed strokes that can still be restored.
  package var removed: [Int: InkStroke] = [:]
  var removedLimit = Document.leastRemoved
  /// Strokes, 9.9 MB for the history of the page; the aim is 40 MB: growth of evaluate --through
  /// editor: a page of 500 words.
  static let leastRemoved = 1000
  /// The items in the order they were written.
  package var order: [Int] = []
  /// Items that belong to no block yet, in the order they were written.
  package var unsorted: [Int] = []
  /// Items that wait for the decision whether they are gestures.
  package var pending: [Int] = []
  /// The unsorted items that are to be sorted now.
  package var asked: Set<Int> = []
  /// Items that were sorted without a shape model, or while shapes were disabled.
  var provisional: Set<Int> = []
  /// The findings of the last look at the whole page.
  var page = PageMemory()
  /// The number of changes when the structure of its text was found.
  var structureEdits = -1
  /// The readings of formulas.
  var formulas = FormulaTable()
  /// The place of each sorted item.
  package var places: [Int: Place] = [:]
  /// The changes since the last notification.
  var changes = BlockChanges()
  /// The configuration of text when the part was first set.
  var textConfiguration: TextConfiguration?
  /// The direction of the model of its text: that of text that is not read yet.
  package internal(set) var direction = WritingDirection.leftToRight
  /// The content before each change.
  package var history = History()
  /// The number of changes to the content, not counting recognition.
  var edits = 0
  /// The number of times that text lost ink.
  var textLosses = 0
  var grouper = LineGrouper()
  /// The least vertical gap between blocks of text, in line heights: the key `text.block-gap`.
  var blockGap = Document.usualBlockGap
  /// Line heights, chosen by hand on pages of notes.
  static let usualBlockGap = 2.5
  /// Groups of items that are to become one shape each.
  package var forcedShapes: [ForcedShape] = []
  /// The block written in last.
  package weak var activeBlock: BlockNode?
  /// The word that was chosen or emphasised last.
  var emphasis: WordEmphasis?
  /// The session of new ink.
  var session = 0
  var nextNumber = 0
  var nextItem = 1
  var nextBlock = 1
  var nextLine = 0
  var nextRun = 0
  var nextWord = 1
  var nextDecoration = 1
  /// Runs to recognise, in the order they changed.
  package var dirtyRuns: [TextRunKey] = []
  package var runs: [Int: (run: TextRun, line: TextLine)] = [:]

  /// The place of an item.
  package enum Place {
    case line(TextLine, TextRun)
    case block(BlockNode)
  }

  /// A run to recognise.
  package struct TextRunKey: Hashable {
    var run: Int
    var version: Int
  }

  package init(type: PartType) {
    self.type = type
    root = BlockNode(id: "0", type: type.rootType, parent: nil)
    blocks[root.id] = root
  }

  /// Items to turn into one shape.
  package struct ForcedShape {
    package var items: [Int]
    /// True if the shape is to be found now.
    var isAsked = false
    /// True if the model is missing or failed: the request waits until models change.
    var waits = false
  }

  /// The ids of all blocks, sorted.
  package var blockIDs: [String] { blocks.keys.sorted() }

  /// True if there is no ink. O(1).
  var isEmpty: Bool { strokes.isEmpty }

  /// Returns the id of a new word or character.
  func makeWordID() -> Int {
    defer { nextWord += 1 }
    return nextWord
  }

  /// Returns the id of a new item.
  package func makeItemID() -> Int {
    defer { nextItem += 1 }
    return nextItem
  }

  /// Adds a new stroke. O(1), and O(items) if the history has just saved the previous state.
  ///
  /// - Parameter pause: The milliseconds without a pen after which a new session begins; 0 for
  ///   never.
  package func append(_ stroke: InkStroke, pause: Double = 0) {
    if pause > 0, let before = order.last.flatMap({ strokes[$0]?.points.last?.t }),
      let now = stroke.points.first?.t, now - before > pause
    {
      session += 1
    }
    edits += 1
    strokes[stroke.id] = stroke
    strokes[stroke.id]?.session = session
    strokes[stroke.id]?.number = nextNumber
    nextNumber += 1
    order.append(stroke.id)
    if root.box == nil { root.box = stroke.box } else { root.box?.formUnion(stroke.box) }
    changes.update(root)
    placeNew(stroke.id)
  }

  /// Returns the number of the next stroke in the order of writing.
  func makeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Adds a stroke that the caller puts into a block.
  func take(_ stroke: InkStroke) {
    edits += 1
    strokes[stroke.id] = stroke
    strokes[stroke.id]?.session = session
    order.append(stroke.id)
    if root.box == nil { root.box = stroke.box } else { root.box?.formUnion(stroke.box) }
    changes.update(root)
  }

  /// Adds a stroke at the place of another in the order of writing.
  func insert(_ stroke: InkStroke, after item: Int) {
    edits += 1
    strokes[stroke.id] = stroke
    order.insert(stroke.id, at: (order.firstIndex(of: item) ?? order.count - 1) + 1)
    changes.update(root)
  }

  /// Puts an item into its block if that needs no model; otherwise it is sorted later.
  func place(_ item: Int) {
    guard let stroke = strokes[item] else { return }
    guard stroke.isInk || type.isPlainInk else { return placeDigital(item) }
    switch type {
    case .drawing, .math:
      root.items.append(item)
      places[item] = .block(root)
      activeBlock = root
    case .text: placeText(item)
    case .textDocument:
      let home = home(of: stroke)
      switch home.type {
      case .drawing, .math: put([item], into: home)
      case .diagram: unsorted.append(item)
      default: placeText(item)
      }
    case .rawContent, .diagram: unsorted.append(item)
    }
  }

  /// Returns the next item to sort now, without removing it.
  func peekUnsorted() -> Int? {
    asked.isEmpty ? nil : unsorted.first { asked.contains($0) }
  }

  /// Replaces strokes by the parts that remain after erasing. In a block that the user set, the
  /// parts stay there, and they keep the decorations of the strokes. O(items of the document).
  ///
  /// - Parameters:
  ///   - remainders: The parts of each item, in the order of its points.
  ///   - sources: The position of each point of a part in the old stroke, by the id of the part. A
  ///     part that is left out is a run of points of the old stroke.
  ///   - staysText: True if the parts of text stay in its block, as those of a word that is cut.
  func replace(
    _ remainders: [Int: [InkStroke]], sources: [Int: [Double]] = [:], staysText: Bool = false
  ) {
    guard !remainders.isEmpty else { return }
    spacings.follow(remainders.mapValues { $0.map(\.id) })
    followDecorations(remainders, sources: sources)
    var loose: Set<Int> = []
    for (item, parts) in remainders.sorted(by: { $0.key < $1.key }) {
      guard let old = strokes[item] else { continue }
      for part in parts {
        strokes[part.id] = part
        strokes[part.id]?.session = old.session
        strokes[part.id]?.number = old.number
        strokes[part.id]?.style = old.style
      }
    }
    order = order.flatMap { [$0] + (remainders[$0] ?? []).map(\.id) }
    for (item, parts) in remainders.sorted(by: { $0.key < $1.key }) {
      let ids = parts.map(\.id)
      guard !type.isPlainInk, let home = block(of: item),
        home.isForced || staysText && home.type == .text
      else {
        loose.formUnion(ids)
        continue
      }
      for id in ids {
        if home.type == .text { placeText(id, in: home) } else { put([id], into: home) }
      }
    }
    if type.isPlainInk {
      root.items = order.filter { !pending.contains($0) }
      for id in loose { places[id] = .block(root) }
    } else {
      resort(loose)
    }
    changes.update(root)
    remove(Set(remainders.keys))
  }

  /// Returns items in the order they were written.
  package func inOrder(_ items: some Sequence<Int>) -> [Int] {
    items.compactMap { strokes[$0] }
      .sorted { ($0.number, $0.id) < ($1.number, $1.id) }.map(\.id)
  }

  /// Returns the block of an item, or nil before it is sorted.
  func block(of item: Int) -> BlockNode? {
    switch places[item] {
    case .line(let line, _)?: line.block
    case .block(let block)?: block
    case nil: nil
    }
  }

  /// Removes items from the list of unsorted ones.
  func removeUnsorted(_ items: Set<Int>) {
    guard !unsorted.isEmpty else { return }
    unsorted.removeAll { items.contains($0) }
    asked.subtract(items)
  }

  /// Replaces the points of a stroke, including a removed one. O(points). If positions change, also
  /// O(its block, and items of the history), and O(items) if the stroke was at the edge of all ink.
  ///
  /// - Parameter movesInk: true if a position changed, so that the text must be read again.
  package func replace(points: [StrokePoint], of item: Int, movesInk: Bool) {
    let before = strokes[item]?.box
    removed[item]?.replace(points: points)
    strokes[item]?.replace(points: points)
    if strokes[item] != nil { changes.update(block(of: item) ?? root) }
    guard movesInk else { return }
    history.move(item)
    guard let before, let stroke = strokes[item] else { return }
    if root.box?.isTouched(by: before) ?? true {
      root.box = box(of: order)
    } else {
      root.box?.formUnion(stroke.box)
    }
    changes.update(root)
    switch places[item] {
    case .line(let line, let run)?:
      measure(line)
      orderLines(of: line.block)
      run.move(item)
      enqueue(run)
      refresh(line.block)
    case .block(let block)?: refresh(block)
    case nil: break
    }
    arrange()
  }

  /// Removes items. O(their lines, and items of the document).
  func remove(_ items: Set<Int>) {
    let items = items.filter { strokes[$0] != nil }
    guard !items.isEmpty else { return }
    edits += 1
    forgetDecorations(of: items)
    spacings.forget(items)
    detach(items)
    for item in items { removed[item] = strokes.removeValue(forKey: item) }
    order.removeAll { items.contains($0) }
    pending.removeAll { items.contains($0) }
    removeUnsorted(items)
    provisional.subtract(items)
    forgetForcedShapes(of: items)
    if type.isPlainInk { root.items.removeAll { items.contains($0) } }
    root.box = box(of: order)
    changes.update(root)
  }

  /// Removes items from their blocks; their ink remains.
  func detach(_ items: Set<Int>) {
    var lines: [ObjectIdentifier: (TextLine, Set<Int>)] = [:]
    var nodes: [ObjectIdentifier: (BlockNode, Set<Int>)] = [:]
    for item in items {
      switch places.removeValue(forKey: item) {
      case .line(let line, _)?:
        lines[ObjectIdentifier(line), default: (line, [])].1.insert(item)
      case .block(let node)?:
        nodes[ObjectIdentifier(node), default: (node, [])].1.insert(item)
      case nil: break
      }
    }
    for (line, gone) in lines.values.sorted(by: { $0.0.id < $1.0.id }) { take(gone, from: line) }
    for (node, gone) in nodes.values.sorted(by: { $0.0.id < $1.0.id }) {
      node.keep(node.items.filter { !gone.contains($0) }, isTyped: isTypedFormula(node))
      refresh(node)
    }
  }

  /// Puts items into blocks again, in the order they were written, as if they were new.
  func resort(_ items: Set<Int>) {
    for item in items {
      if case .line? = places[item], let stroke = strokes[item] { grouper.forget(stroke.measure) }
    }
    detach(items)
    provisional.subtract(items)
    let waiting = Set(unsorted)
    for item in inOrder(items) where !waiting.contains(item) { place(item) }
    unsorted = inOrder(unsorted)
    changes.update(root)
  }

  /// Sorts ink again that was sorted without a shape model or while other types were enabled. Ink
  /// in blocks that the user set stays.
  ///
  /// - Parameter all: true to sort all other ink again as well.
  func sortAgain(all: Bool = false) {
    guard type.rootType.holdsShapes || type == .textDocument else { return }
    page.kindsFoundBefore = 0
    (page.structureIsStale, structureEdits) = (true, -1)
    resort(
      Set(order).filter { item in
        guard all || provisional.contains(item), let block = block(of: item), !block.isForced,
          block.frame == nil
        else { return false }
        guard case .line(_, let run)? = places[item] else { return true }
        return !run.isFixed
      })
    arrange()
  }
}

/// The models that read a part's text.
package struct TextConfiguration: Hashable, Sendable {
  package var bundle: String
  package var name: String
  /// The model that the description of a bundle names; nil if the bundle itself is a model.
  package var model: String?
  /// The allowed characters if the settings restrict none; empty for all.
  package var alphabet = ""
  /// The allowed words if the settings restrict none; empty for all.
  package var lexicon: [String] = []

  /// Makes a configuration.
  package init(
    bundle: String, name: String, model: String? = nil, alphabet: String = "",
    lexicon: [String] = []
  ) {
    self.bundle = bundle
    self.name = name
    self.model = model
    self.alphabet = alphabet
    self.lexicon = lexicon
  }

  /// The bundle and name to ask the models for.
  var source: (bundle: String, name: String) {
    model.map { ($0, ProvidedModels.configurationName) } ?? (bundle, name)
  }
}
