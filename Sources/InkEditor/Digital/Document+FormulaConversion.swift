import Formulas
import InkCore
import Recognition
import Typesetting

// Replaces formulas of ink by typed ones. Runs inside one step of the history.
extension Document {
  /// True if a block is a formula of ink that was read.
  func isConvertibleFormula(_ block: BlockNode) -> Bool {
    block.type == .math && !block.items.isEmpty
      && block.items.allSatisfy { strokes[$0]?.isInk ?? false }
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
  ///   - missing: The characters that the fonts lack are added here.
  func setFormula(
    _ latex: String, of block: BlockNode, face: FontFace, fonts: any FontProvider,
    missing: inout Set<Character>
  ) {
    let old = block.items
    guard let formula = try? Formula(latex: latex),
      let box = BoundingBox(holding: old.compactMap { strokes[$0]?.box })
    else { return }
    var setter = FormulaSetter(face, fonts: fonts)
    let set = setter.set(formula)
    guard !set.pieces.isEmpty else { return }
    missing.formUnion(setter.missing)
    let scale = Self.scale(set, in: box)
    let style = old.compactMap { strokes[$0] }.max { $0.length < $1.length }?.style
    // The middle stays where it was, and the left edge.
    let baseline = box.midY + scale * (set.height - set.depth) / 2
    let items = set.pieces.sorted { $0.symbol < $1.symbol }.map { piece in
      switch piece.content {
      case .text(var word):
        word.size *= scale
        return InkStroke(
          id: makeItemID(), typed: word, x: box.minX + scale * piece.x,
          baseline: baseline - scale * piece.y)
      case .line(let points):
        return InkStroke(
          id: makeItemID(),
          outline: points.map {
            StrokePoint(
              x: box.minX + scale * (piece.x + $0.x), y: baseline - scale * (piece.y + $0.y))
          })
      }
    }
    replaceItems(of: block, with: items, style: style)
    // The typed signs are not read: their formula is known.
    block.chosenFormula = latex
    block.isForced = true
    refresh(block)
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
