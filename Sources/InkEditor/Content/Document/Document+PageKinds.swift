import InkCore
import Layout
import Recognition

// Formulas in mixed content, and marks such as underlines and dividers. They are found when the whole
// page is seen: geometry alone takes them for text or for shapes.
extension Document {
  /// Returns true if the kinds of strokes are to be found again: after some new strokes, or after one
  /// that is no text. O(new items).
  var mayHaveNewKinds: Bool {
    guard type == .rawContent, order.count >= Chosen.leastStrokes, unsorted.isEmpty else {
      return false
    }
    var count = 0
    for item in order.reversed() {
      guard item >= page.kindsFoundBefore else { break }
      count += 1
      if count >= Chosen.newStrokes { return true }
      if case .block? = places[item] { return true }
    }
    return false
  }

  /// Moves formulas and marks into blocks of their own, and ink that turned out to be none of them
  /// back to where it would be without. Blocks that the user set, chosen words and formulas, shapes with
  /// text and connected edges stay. O(items).
  ///
  /// - Parameters:
  ///   - items: The strokes of the page.
  ///   - kinds: The kind of each; nil if the ink is no page.
  ///   - formulas: The formulas between words, counted in the strokes of the page.
  func take(
    _ kinds: [StrokeKind]?, of items: [Int], in ink: Ink, formulas: [InlineFormula] = []
  ) {
    page.kindsFoundBefore = nextItem
    page.structureIsStale = true
    page.tableRules = Set(zip(items, kinds ?? []).lazy.filter { $1 == .tableRule }.map(\.0))
    let groups = kinds.map { MarkGroups.found(in: ink, kinds: $0) } ?? []
    var wanted: [(items: [Int], mark: RecognizedMark.Kind?, type: BlockType)] = []
    let isDiagram = isDiagram
    let inLines = Set(formulas.flatMap(\.strokes).map { items[$0] })
    for group in groups {
      // Among nodes and edges, small figures are parts of the diagram.
      if isDiagram, !Chosen.marksOfDiagrams.contains(group.kind) { continue }
      let own = group.strokes.map { items[$0] }
      guard inLines.isDisjoint(with: own), own.allSatisfy({ isLoose($0, among: Set(own)) }) else {
        continue
      }
      // The outline of a node is the node.
      if group.kind == .frame, own.contains(where: { block(of: $0)?.type == .node }) { continue }
      wanted.append(
        (own, RecognizedMark.Kind(group.kind), group.kind == .formula ? .math : .drawing))
    }
    let taken = inLines.union(wanted.flatMap(\.items))
    let freed = blocks.values.filter(isOfKinds).flatMap(\.items).filter { !taken.contains($0) }
    resort(Set(freed))
    for (items, mark, type) in wanted {
      if let block = block(of: items[0]), block.type == type, block.mark == mark,
        block.items == items
      {
        continue
      }
      for item in items {
        if case .line? = places[item], let stroke = strokes[item] { grouper.forget(stroke.measure) }
      }
      guard let first = strokes[items[0]] else { continue }
      let home = home(of: first)
      detach(Set(items))
      let block = addBlock(type, in: home, session: first.session)
      block.mark = mark
      put(inOrder(items), into: block)
    }
    page.inlineFormulas = formulas.map { $0.strokes.map { items[$0] } }
    for formula in formulas {
      let words = Set(formula.words)
      let beside = [formula.before, formula.after].compactMap { side in
        side.joined().first(where: words.contains).map { items[$0] }
      }
      take(formula.strokes.map { items[$0] }, besideWord: beside)
    }
  }

  /// Moves the ink of a formula into the line of the words beside it.
  private func take(_ formula: [Int], besideWord words: [Int]) {
    let own = Set(formula)
    let lines = words.compactMap { item -> TextLine? in
      guard case .line(let line, let run)? = places[item], !run.isFixed, !isTyped(run) else {
        return nil
      }
      return line
    }
    guard let line = lines.first, formula.allSatisfy({ isLoose($0, among: own) }) else { return }
    let isThere = formula.allSatisfy { item in
      if case .line(let place, _)? = places[item] { place === line } else { false }
    }
    guard !isThere else { return }
    for item in formula {
      if case .line? = places[item], let stroke = strokes[item] { grouper.forget(stroke.measure) }
    }
    detach(own)
    for item in inOrder(formula) {
      if let stroke = strokes[item] { join(stroke, to: line) }
    }
  }

  /// The evidence of the words that were read, for and against formulas, about some strokes. O(words).
  func formulaEvidence(of items: [Int]) -> [Float] {
    var scores: [Int: Float] = [:]
    for word in root.texts.lazy.flatMap(\.lines).flatMap(\.runs).flatMap(\.words) {
      let confidence = word.candidates.first?.probability ?? 0
      let score = FormulaEvidence.score(
        of: word.formula == nil ? word.label : "=", confidence: confidence)
      for item in word.items { scores[item] = score }
    }
    return items.map { scores[$0] ?? 0 }
  }

  /// The formulas between words that are in some ink, counted in it.
  func inlineFormulas(in items: [Int]) -> [[Int]] {
    guard !page.inlineFormulas.isEmpty else { return [] }
    let places = Dictionary(zip(items, items.indices)) { first, _ in first }
    return page.inlineFormulas.map { $0.compactMap { places[$0] }.sorted() }
      .enumerated().filter { $1.count == page.inlineFormulas[$0].count }.map(\.element)
  }

  /// True if several edges join nodes.
  var isDiagram: Bool {
    blocks.values.count { $0.type == .edge && !$0.ends.contains(nil) } >= Chosen.edgesOfDiagram
  }

  /// Returns true if a block was made from the kinds of strokes.
  private func isOfKinds(_ block: BlockNode) -> Bool {
    !block.isForced && block.frame == nil && block.chosenFormula == nil
      && (block.mark != nil || block.type == .math && block !== root)
  }

  /// Returns true if an item may leave its block.
  private func isLoose(_ item: Int, among items: Set<Int>) -> Bool {
    switch places[item] {
    case .line(let line, let run)?:
      !line.block.isForced && line.block.frame == nil && !run.isFixed
    case .block(let block)?:
      !block.isForced && block.frame == nil && block.children.isEmpty
        && block.ends == [nil, nil]
        && !(block.type == .node && blocks.values.contains { $0.ends.contains(block.id) })
        // A shape is moved as a whole.
        && (block.shape == nil || block.items.allSatisfy(items.contains))
    case nil: false
    }
  }

  /// The words that a mark is about, text by text; see ``RecognizedMark/isAbout(_:at:word:line:)``.
  /// O(words).
  func words(markedBy block: BlockNode) -> [MarkedWord] {
    guard let mark = block.mark, let box = block.box else { return [] }
    let frame = frame(of: root)
    return root.texts.flatMap { text -> [MarkedWord] in
      var (result, index): ([MarkedWord], Int) = ([], 0)
      for line in text.lines {
        for word in line.runs.lazy.flatMap(\.words) {
          if RecognizedMark.isAbout(
            mark, at: frame.box(box), word: frame.box(word.box), line: frame.box(line.box))
          {
            result.append(MarkedWord(text: text, index: index, id: word.id))
          }
          // A space or a line break follows.
          index += 2
        }
      }
      return result
    }
  }

  /// The ids of the words that are struck through: by ink, or by a decoration of all their characters.
  /// O((marks + decorations) · words).
  var struckWords: Set<Int> {
    let marks = blocks.values.filter { $0.mark == .strikeThrough }
    var result = Set(marks.flatMap { words(markedBy: $0).map(\.id) })
    let parts = decorations.all.filter { $0.kind == .strikeThrough }.flatMap(\.parts)
    guard !parts.isEmpty else { return result }
    let anchor = InkAnchor(parts)
    for word in root.texts.lazy.flatMap(\.lines).flatMap(\.runs).flatMap(\.words)
    where !word.characters.isEmpty
      && word.characters.allSatisfy({ anchor.holdsMost(of: $0.parts) })
    {
      result.insert(word.id)
    }
    return result
  }
}

/// A word that a mark is about.
struct MarkedWord {
  var text: BlockNode
  /// Its index among the words, spaces and line breaks of the text.
  var index: Int
  var id: Int
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// On ink of fewer strokes the network sees too little: it is a sketch, or a few words.
  static let leastStrokes = 30
  /// New strokes of text after which a page is looked at again: a formula looks like text at first.
  static let newStrokes = 12
  /// The least number of edges between nodes that make a diagram of a page.
  static let edgesOfDiagram = 2
  /// The marks that a diagram may have.
  static let marksOfDiagrams: Set<StrokeKind> = [.divider, .underline, .strikeThrough]
}
