import InkCore

// Ink that continues a typed formula.
extension Document {
  /// Puts an item that was just written into its block: ink beside a typed formula belongs to it.
  func placeNew(_ item: Int) {
    guard let stroke = strokes[item], stroke.isInk, let formula = typedFormula(beside: stroke)
    else {
      return place(item)
    }
    put([item], into: formula)
  }

  /// Returns the formula with typed signs that ink is so near to that it continues it; nil if there is
  /// none, or if a line of text is nearer. O(blocks and lines of the part).
  private func typedFormula(beside stroke: InkStroke) -> BlockNode? {
    guard type == .rawContent || type == .textDocument else { return nil }
    var best: (gap: Double, block: BlockNode)?
    for block in blocks.values where block.type == .math && !pending.contains(stroke.id) {
      let items = block.items.compactMap { strokes[$0] }
      let size = items.lazy.map(\.fontSize).max() ?? 0
      guard size > 0, let box = BoundingBox(holding: items.map(\.box)),
        stroke.box.height < Chosen.tallest * max(size, box.height)
      else { continue }
      let (gapX, gapY) = (box.gapX(to: stroke.box), box.gapY(to: stroke.box))
      guard gapX < Chosen.reachBeside * size, gapY < Chosen.reachAbove * size,
        // Ink at a corner is neither beside the formula nor above it.
        gapX == 0 || gapY < Chosen.corner * size
      else { continue }
      let gap = max(gapX, gapY)
      if best.map({ gap < $0.gap || gap == $0.gap && block.id < $0.block.id }) ?? true {
        best = (gap, block)
      }
    }
    guard let best, best.gap > 0 else { return best?.block }
    let isNearText = root.texts.lazy.flatMap(\.lines).contains { line in
      max(line.box.gapX(to: stroke.box), line.box.gapY(to: stroke.box)) < best.gap
    }
    return isNearText ? nil : best.block
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  // In sizes of the largest sign. Chosen by hand.
  /// The greatest gap between a formula and ink beside it, and above or below it.
  static let (reachBeside, reachAbove) = (0.9, 0.5)
  /// The greatest gap in y of ink that is beside it.
  static let corner = 0.2
  /// The greatest height of ink, in heights of the formula or of its largest sign.
  static let tallest = 3.0
}
