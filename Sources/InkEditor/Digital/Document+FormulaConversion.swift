import Formulas
import InkCore
import Recognition
import Typesetting

// Replaces formulas of ink by typed ones. Runs inside one step of the history.
extension Document {
  /// True if a block is a formula of ink that was read. A part of it may be typed.
  func isConvertibleFormula(_ block: BlockNode) -> Bool {
    block.type == .math && block.items.contains { strokes[$0]?.isInk ?? false }
      && block.items.allSatisfy { strokes[$0]?.isOfFormula ?? false }
      && formulas(of: block).first.map { !$0.text.isEmpty } ?? false
  }

  /// True if a block for a formula has typed signs and lines, and no ink.
  func isTypedFormula(_ block: BlockNode) -> Bool {
    block.type == .math && !block.items.isEmpty
      && block.items.allSatisfy { !(strokes[$0]?.isInk ?? true) }
  }

  /// Sets a formula in the place and the size of its items: one item for each symbol, in reading
  /// order. A formula without symbols changes nothing.
  ///
  /// - Parameters:
  ///   - latex: The formula.
  ///   - block: A formula with items, which are replaced.
  ///   - reading: The reading that the formula begins with, whose typed signs stay where they are; nil
  ///     to set all of it again.
  ///   - missing: The characters that the fonts lack are added here.
  func setFormula(
    _ latex: String, of block: BlockNode, keeping reading: RecognizedFormula? = nil, face: FontFace,
    fonts: any FontProvider, missing: inout Set<Character>
  ) {
    let old = block.items
    guard let formula = try? Formula(latex: latex),
      let box = BoundingBox(holding: old.compactMap { strokes[$0]?.box })
    else { return }
    var setter = FormulaSetter(face, fonts: fonts)
    let set = setter.set(formula)
    guard !set.pieces.isEmpty else { return }
    missing.formUnion(setter.missing)
    var place = Self.place(of: set, in: box)
    if let reading, let kept = self.place(of: set, keeping: reading) { place = kept }
    let (scale, left, baseline) = (place.scale, place.x, place.y)
    let style = old.compactMap { strokes[$0] }.max { $0.length < $1.length }?.style
    let items = set.pieces.sorted { $0.symbol < $1.symbol }.map { piece in
      switch piece.content {
      case .text(var word):
        word.size *= scale
        return InkStroke(
          id: makeItemID(), typed: word, x: left + scale * piece.x,
          baseline: baseline - scale * piece.y)
      case .line(let points):
        return InkStroke(
          id: makeItemID(),
          outline: points.map {
            StrokePoint(
              x: left + scale * (piece.x + $0.x), y: baseline - scale * (piece.y + $0.y))
          })
      }
    }
    replaceItems(of: block, with: items, style: style)
    // The typed signs are not read: their formula is known.
    block.chosenFormula = latex
    block.isForced = true
    refresh(block)
  }

  /// The millimetres of a size of the font, and the place of the beginning of the baseline.
  private typealias SetPlace = (scale: Double, x: Double, y: Double)

  /// A formula in a box: its left edge and its middle are those of the box.
  private static func place(of set: FormulaSetter.Box, in box: BoundingBox) -> SetPlace {
    let size = scale(set, in: box)
    return (size, box.minX, box.midY + size * (set.height - set.depth) / 2)
  }

  /// The place of a formula in which a typed sign of a reading stays where it is: a letter or a digit, of
  /// the largest size. Nil if none is typed.
  private func place(
    of set: FormulaSetter.Box, keeping reading: RecognizedFormula
  ) -> SetPlace? {
    let pieces = Dictionary(set.pieces.map { ($0.symbol, $0) }) { first, _ in first }
    var best: (rank: (Bool, Double), place: SetPlace)?
    for (index, symbol) in reading.symbols.enumerated() {
      guard symbol.strokes.count == 1, let item = strokes[symbol.strokes[0]],
        let typed = item.typed, let start = item.points.first, item.fontSize > 0,
        let piece = pieces[index], case .text(let word) = piece.content, word.text == typed.text,
        word.size > 0
      else { continue }
      let scale = item.fontSize / word.size
      // Brackets and sums have sizes of their own.
      let rank = (typed.text.allSatisfy { $0.isLetter || $0.isNumber }, item.fontSize)
      if let best, best.rank.0 && !rank.0 || best.rank.0 == rank.0 && best.rank.1 >= rank.1 {
        continue
      }
      best = (rank, (scale, start.x - scale * piece.x, start.y + scale * piece.y))
    }
    return best?.place
  }

  /// The millimetres of a size of the font, so that a formula fits into a box.
  private static func scale(_ set: FormulaSetter.Box, in box: BoundingBox) -> Double {
    let height = set.height + set.depth
    var scales: [Double] = []
    if set.width > 0, box.width > 0 { scales.append(box.width / set.width) }
    if height > 0, box.height > 0 { scales.append(box.height / height) }
    // A single bar or dot tells its size by its longer side.
    let isFlat =
      box.height < Chosen.flat * box.width && height > Chosen.tall * set.width
    let scale = (isFlat ? scales.max() : scales.min()) ?? Chosen.size
    return min(max(scale, Chosen.sizes.lowerBound), Chosen.sizes.upperBound)
  }
}

extension BlockNode {
  /// Takes items away. What is left of the signs of a typed formula is the formula of them, if their places
  /// tell it; otherwise the signs are to be read.
  ///
  /// - Parameters:
  ///   - kept: Those of the items that stay.
  ///   - isTyped: True if all items are typed.
  func keep(_ kept: [Int], isTyped: Bool) {
    guard kept != items else { return }
    let rest = isTyped ? formula(of: Set(kept)) : nil
    items = kept
    chosenFormula = rest
  }

  /// The LaTeX of some signs of a typed formula; nil if it is not known.
  private func formula(of kept: Set<Int>) -> String? {
    guard let latex = chosenFormula, kept.isSubset(of: items),
      let formula = try? Formula(latex: latex), formula.symbolLabels.count == items.count,
      let rest = formula.keeping({ kept.contains(items[$0]) }),
      rest.symbolLabels.count == kept.count, !kept.isEmpty
    else { return nil }
    return rest.latex
  }
}

extension RecognizedFormula {
  /// The formula without the strokes of its symbols, which typed text replaced.
  var withoutInk: RecognizedFormula {
    var result = self
    for symbol in result.symbols.indices { result.symbols[symbol].strokes = [] }
    return result
  }

  /// The formula, with its result if it ends with =.
  var answeredLatex: String {
    guard let result, latex.hasSuffix("=") else { return latex }
    return latex + " " + result.latex
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The size of the font of a formula without extent, millimetres.
  static let size = 5.0
  /// The most height of a bar as a share of its width, and the least of a sign that is no bar.
  static let (flat, tall) = (0.2, 0.5)
  /// The sizes of the font, millimetres.
  static let sizes = 1.0...200.0
}
