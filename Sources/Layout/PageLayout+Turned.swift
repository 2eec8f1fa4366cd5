import InkCore

extension PageLayout {
  /// Finds the blocks and lines of a page, parts of which run in another direction.
  ///
  /// The strokes of each part are text. They are blocks of their own, in the places where they are read.
  ///
  /// - Parameters:
  ///   - ink: The strokes.
  ///   - turned: The parts; no stroke is in two.
  ///   - isOrdered: False if the order of the strokes says nothing.
  ///   - kinds: As for a page without parts.
  ///   - formulas: Formulas between words of ink that is written from left to right. No part has one.
  ///   - direction: The direction of writing: from left to right, or from right to left.
  package init(
    _ ink: Ink, turned: [TurnedPart], isOrdered: Bool, kinds: [StrokeKind]?,
    formulas: [InlineFormula] = [], direction: WritingDirection = .leftToRight
  ) {
    self.init(
      reading: ink.turned(direction), turned: turned.map { $0.turned(direction) }, direction,
      isOrdered: isOrdered, kinds: kinds, formulas: formulas)
    turn(direction)
    guard direction == .rightToLeft else { return }
    for block in blocks.indices { blocks[block].angle = TurnedPart.mirrored(blocks[block].angle) }
  }

  /// Finds the blocks and lines of a page with parts in its reading frame.
  private init(
    reading ink: Ink, turned: [TurnedPart], _ direction: WritingDirection, isOrdered: Bool,
    kinds: [StrokeKind]?, formulas: [InlineFormula]
  ) {
    let apart = Set(turned.flatMap(\.strokes))
    let rest = ink.strokes.indices.filter { !apart.contains($0) }
    self.init(
      reading: Ink(strokes: rest.map { ink.strokes[$0] }), direction, isOrdered: isOrdered,
      kinds: kinds.map { kinds in rest.map { kinds[$0] } }, findsStructure: true,
      formulas: formulas.map { $0.counted(in: rest) })
    mapStrokes { $0.map { rest[$0] } }
    let page = PageInk(ink)
    for part in turned {
      let upright = part.upright(in: ink)
      var layout = PageLayout(
        reading: upright, direction, isOrdered: isOrdered,
        kinds: upright.strokes.map { _ in .text }, findsStructure: false, formulas: [])
      layout.mapStrokes { $0.map { part.strokes[$0] } }
      drawing = (drawing + layout.drawing).sorted()
      for var block in layout.blocks {
        for line in block.lines.indices {
          block.lines[line].box = page.box(of: block.lines[line].strokes) ?? block.lines[line].box
        }
        block.box = page.box(of: block.lines.flatMap(\.strokes)) ?? block.box
        block.angle = part.angle
        insert(block, height: page.height / page.scale)
      }
    }
  }
}
