import InkCore

extension RecognitionResult {
  /// True if a block is a formula that was not read.
  package var hasUnreadFormulas: Bool {
    blocks.contains { $0.kind == .formula && $0.formula == nil }
  }

  /// True if a line has a formula among its words.
  package var hasInlineFormulas: Bool {
    lines.contains { $0.candidates.first?.hasFormulas == true }
  }

  /// Reads the formulas among the blocks of a page. A block that cannot be read stays ink.
  ///
  /// - Parameters:
  ///   - ink: The ink of the page.
  ///   - recognizer: Reads one ink as one formula.
  package mutating func readFormulas(of ink: Ink, with recognizer: any Recognizer) {
    for index in blocks.indices where blocks[index].kind == .formula {
      let strokes = blocks[index].strokes.filter { ink.strokes.indices.contains($0) }
      let part = Ink(strokes: strokes.map { ink.strokes[$0] })
      let candidates = try? recognizer.recognize(
        part, context: RecognitionContext(), maximumCandidates: 1
      ).candidates
      guard var formula = candidates?.first?.formula else { continue }
      for symbol in formula.symbols.indices {
        formula.symbols[symbol].strokes = formula.symbols[symbol].strokes.map { strokes[$0] }
      }
      blocks[index].formula = formula
    }
  }
}
