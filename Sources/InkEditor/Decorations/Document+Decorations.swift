import InkCore

/// Decorations of characters, anchored in their ink.
///
/// Functions that change decorations count as an edit: call them inside a step of the history.
extension Document {
  // MARK: - Anchors

  /// Returns the ink of characters of a text block, counted as in ``BlockText``.
  ///
  /// Ink between the characters, and before or behind them in their strokes, belongs to them if no
  /// other character has it: an item whose characters are all meant is meant as a whole, so that
  /// the anchor does not depend on the limits of the characters.
  package func anchor(of characters: Range<Int>, in block: BlockNode) -> InkAnchor {
    let text = BlockText(block)
    let range = characters.clamped(to: 0..<text.elements.count)
    return anchor(of: Set(range), in: text, block)
  }

  /// Returns the ink of characters of a text block by their indices.
  func anchor(of chosen: Set<Int>, in text: BlockText, _ block: BlockNode) -> InkAnchor {
    Self.anchor(of: chosen, in: text, block) { strokes[$0]?.points.count }
  }

  /// Returns the ink of characters of a text block by their indices.
  ///
  /// - Parameter count: Returns the number of points of an item, or nil if there is none.
  static func anchor(
    of chosen: Set<Int>, in text: BlockText, _ block: BlockNode, count: (Int) -> Int?
  ) -> InkAnchor {
    // The parts of each item, and whether they are meant.
    var owners: [Int: [(points: Range<Int>, isMeant: Bool)]] = [:]
    for (index, element) in text.elements.enumerated() {
      for part in element.parts where !part.points.isEmpty {
        owners[part.item, default: []].append((part.points, chosen.contains(index)))
      }
    }
    var parts: [ItemPart] = []
    for (item, found) in owners where found.contains(where: \.isMeant) {
      guard let count = count(item) else { continue }
      parts += meant(found, of: count).map { ItemPart(item: item, points: $0) }
    }
    // Ink of a word that no character of any word has, such as a mark, goes with the whole word.
    let words = block.lines.lazy.flatMap(\.runs).flatMap(\.words)
    for (word, range) in zip(words, text.words) where !range.isEmpty {
      guard range.allSatisfy(chosen.contains) else { continue }
      for item in word.items where owners[item] == nil {
        guard let count = count(item) else { continue }
        parts.append(ItemPart(item: item, points: 0..<count))
      }
    }
    return InkAnchor(parts)
  }

  /// Returns the ranges of an item that are meant, with the points that no character has.
  private static func meant(
    _ found: [(points: Range<Int>, isMeant: Bool)], of count: Int
  ) -> [Range<Int>] {
    guard found.contains(where: { !$0.isMeant }) else { return [0..<count] }
    let sorted = found.map { ($0.points.clamped(to: 0..<count), $0.isMeant) }
      .filter { !$0.0.isEmpty }
      .sorted { ($0.0.lowerBound, $0.0.upperBound) < ($1.0.lowerBound, $1.0.upperBound) }
    var result: [Range<Int>] = []
    for (index, (range, isMeant)) in sorted.enumerated() where isMeant {
      var (low, high) = (range.lowerBound, range.upperBound)
      if index == 0 { low = 0 }
      if index == sorted.count - 1 { high = count }
      if index > 0, sorted[index - 1].1 { low = min(low, sorted[index - 1].0.upperBound) }
      if low < high { result.append(low..<high) }
    }
    return result
  }

  /// Returns the ink of words of a line, such as those that a gesture hits.
  package func anchor(of words: some Collection<TextWord>, in block: BlockNode) -> InkAnchor {
    let text = BlockText(block)
    let known = block.lines.flatMap(\.runs).flatMap(\.words)
    let ids = Set(words.map(\.id))
    let chosen = zip(known, text.words).filter { ids.contains($0.0.id) }.flatMap(\.1)
    return anchor(of: Set(chosen), in: text, block)
  }

  // MARK: - Changes

  /// Decorates ink.
  ///
  /// - An underline over an underline makes it double.
  /// - A decoration over one of the same kind and style joins it; over another style it replaces it.
  /// - Ink that has the decoration already does not change.
  ///
  /// - Returns: The new decorations; empty if nothing changed.
  @discardableResult
  package func decorate(
    _ anchor: InkAnchor, with kind: DecorationKind, style: DecorationStyle? = nil
  ) -> [Decoration] {
    var anchor = present(anchor)
    guard !anchor.isEmpty else { return [] }
    let style = style?.isEmpty ?? true ? nil : style
    var doubled = InkAnchor()
    var doubledStyle = style
    for old in decorations.touching(anchor.items) where kind.rivals.contains(old.kind) {
      let known = InkAnchor(old.parts)
      let shared = known.intersection(anchor)
      guard !shared.isEmpty else { continue }
      if kind == .underline {
        anchor = anchor.subtracting(shared)
        guard old.kind == .underline else { continue }
        doubled = doubled.union(shared)
        doubledStyle = style ?? old.style
        trim(old, to: known.subtracting(shared))
      } else if old.kind == kind, old.style == style {
        guard !anchor.subtracting(known).isEmpty else { return [] }
        anchor = anchor.union(known)
        trim(old, to: InkAnchor())
      } else {
        trim(old, to: known.subtracting(shared))
      }
    }
    return [
      add(.doubleUnderline, doubledStyle, doubled), add(kind, style, anchor),
    ].compactMap(\.self)
  }

  /// Removes decorations of some kinds from ink.
  ///
  /// - Returns: True if there were any.
  @discardableResult
  package func removeDecorations(
    _ kinds: Set<DecorationKind> = Set(DecorationKind.allCases), from anchor: InkAnchor
  ) -> Bool {
    var isChanged = false
    for old in decorations.touching(anchor.items) where kinds.contains(old.kind) {
      let known = InkAnchor(old.parts)
      guard !known.intersection(anchor).isEmpty else { continue }
      trim(old, to: known.subtracting(anchor))
      isChanged = true
    }
    return isChanged
  }

  /// Removes a decoration.
  ///
  /// - Returns: False if there is none of this id.
  func removeDecoration(_ id: Int) -> Bool {
    guard let old = decorations[id] else { return false }
    trim(old, to: InkAnchor())
    return true
  }

  private func add(
    _ kind: DecorationKind, _ style: DecorationStyle?, _ anchor: InkAnchor
  ) -> Decoration? {
    guard !anchor.isEmpty else { return nil }
    let new = Decoration(id: makeDecorationID(), kind: kind, style: style, parts: anchor.parts)
    decorations.set(new)
    markDecorated(anchor.items)
    markEdited()
    return new
  }

  /// Gives a decoration less ink. Ink that makes up no character goes too.
  private func trim(_ old: Decoration, to rest: InkAnchor) {
    decorations.set(old.with(hasCharacters(rest) ? rest : InkAnchor()))
    markDecorated(old.parts.lazy.map(\.item))
    markEdited()
  }

  /// Returns whether ink covers a character, or ink that has no characters.
  private func hasCharacters(_ anchor: InkAnchor) -> Bool {
    anchor.items.contains { item in
      guard case .line(_, let run)? = places[item] else { return true }
      let letters = run.words.lazy.flatMap(\.characters)
        .filter { $0.parts.contains { $0.item == item } }
      return letters.isEmpty || letters.contains { anchor.holdsMost(of: $0.parts) }
    }
  }

  /// Returns the points of a set that exist.
  private func present(_ anchor: InkAnchor) -> InkAnchor {
    anchor.intersection(
      InkAnchor(
        anchor.items.compactMap { item in
          strokes[item].map { ItemPart(item: item, points: 0..<$0.points.count) }
        }))
  }

  private func makeDecorationID() -> Int {
    defer { nextDecoration += 1 }
    return nextDecoration
  }

  /// Reports the blocks of ink whose decorations changed.
  func markDecorated(_ items: some Sequence<Int>) {
    for item in items { changes.update(block(of: item) ?? root) }
  }

  // MARK: - Changes of ink

  /// Removes decorations from ink that is gone.
  func forgetDecorations(of items: Set<Int>) {
    for old in decorations.touching(items) {
      decorations.set(old.with(InkAnchor(old.parts).without(items)))
      markDecorated(old.parts.lazy.map(\.item))
    }
  }

  /// Gives the parts that remain of strokes the decorations of the strokes.
  ///
  /// - Parameters:
  ///   - remainders: The parts of each item.
  ///   - sources: For each part, the position of its points in the old stroke. A part that is left
  ///     out is a run of points of the old stroke, in order.
  func followDecorations(_ remainders: [Int: [InkStroke]], sources: [Int: [Double]]) {
    for old in decorations.touching(remainders.keys) {
      let anchor = InkAnchor(old.parts)
      var parts = old.parts
      for (item, pieces) in remainders {
        guard let ranges = anchor.ranges[item], let stroke = strokes[item] else { continue }
        var next = 0
        for piece in pieces {
          let places = sources[piece.id] ?? Self.sources(of: piece, in: stroke, from: &next)
          parts += Self.ranges(of: places, in: ranges).map {
            ItemPart(item: piece.id, points: $0)
          }
        }
      }
      decorations.set(old.with(InkAnchor(parts)))
    }
  }

  /// Returns the positions of a run of points of a stroke, and moves behind them.
  private static func sources(
    of piece: InkStroke, in stroke: InkStroke, from next: inout Int
  ) -> [Double] {
    piece.points.map { point in
      if let place = stroke.points[min(next, stroke.points.count)...].firstIndex(of: point) {
        next = place + 1
      }
      return Double(max(0, next - 1))
    }
  }

  /// Returns the ranges of points whose positions in another stroke are in ranges there. A point
  /// between two of the other stroke belongs to the nearer one.
  private static func ranges(of places: [Double], in ranges: [Range<Int>]) -> [Range<Int>] {
    places.indices.filter { index in
      let place = Int(places[index].rounded())
      return ranges.contains { $0.contains(place) }
    }.map { $0..<$0 + 1 }
  }

  /// Gives copies of ink the decorations of the originals.
  func addDecorations(_ originals: [Decoration], _ plan: CopyPlan) {
    for original in originals {
      let parts = original.parts.compactMap { part in
        plan.items[part.item].map { ItemPart(item: $0, points: part.points) }
      }
      let anchor = InkAnchor(parts)
      guard !anchor.isEmpty else { continue }
      decorations.set(
        Decoration(
          id: makeDecorationID(), kind: original.kind, style: original.style, parts: anchor.parts))
      markDecorated(anchor.items)
    }
  }

  // MARK: - Queries

  /// Returns the decorated characters of a text block, by decoration and then by place.
  func decorationSpans(of block: BlockNode) -> [DecorationSpan] {
    let found = decorations.touching(block.lines.lazy.flatMap(\.items))
    guard !found.isEmpty else { return [] }
    let text = BlockText(block)
    return found.flatMap { decoration in
      text.covered(by: InkAnchor(decoration.parts)).map {
        DecorationSpan(
          decoration: decoration.id, kind: decoration.kind, style: decoration.style, characters: $0)
      }
    }
  }

  /// Returns the decorations that cover characters of a text block, counted as in ``BlockText``.
  package func decorations(of characters: Range<Int>, in block: BlockNode) -> [Decoration] {
    let spans = decorationSpans(of: block).filter { $0.characters.overlaps(characters) }
    return Set(spans.map(\.decoration)).sorted().compactMap { decorations[$0] }
  }
}
