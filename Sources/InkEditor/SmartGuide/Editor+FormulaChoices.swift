import Recognition

extension Editor {
  /// Makes a candidate of a formula its reading, until its ink changes. One step of the history.
  ///
  /// - Parameters:
  ///   - latex: The LaTeX of one of the readings of ``ContentBlock/formulas``.
  ///   - block: A formula.
  /// - Throws: ``EditorError/noSuchCandidate``, also for a block that is no formula, or
  ///   ``EditorError/invalidBlock(_:)``.
  public func choose(_ latex: String, forFormula block: ContentBlock) throws(EditorError) {
    try withNode(block) { (state, document, node) throws(EditorError) in
      let known = document.formulas(of: node).contains { $0.latex == latex }
      guard known else { throw .noSuchCandidate }
      let best = document.formulaReadings(of: node).first?.latex
      state.choose(latex == best ? nil : latex, document, node)
    }
  }

  /// Makes a candidate of one symbol of a formula its reading; the other symbols and the structure
  /// stay. It holds until the ink of the formula changes. One step of the history.
  ///
  /// - Parameters:
  ///   - symbol: One of the candidates of the symbol.
  ///   - index: The index of the symbol in the first of ``ContentBlock/formulas``.
  ///   - block: A formula.
  /// - Throws: ``EditorError/noSuchCandidate``, also for a block that is no formula, or
  ///   ``EditorError/invalidBlock(_:)``.
  public func choose(
    _ symbol: String, forSymbol index: Int, ofFormula block: ContentBlock
  ) throws(EditorError) {
    try withNode(block) { (state, document, node) throws(EditorError) in
      guard let shown = document.formulas(of: node).first, shown.symbols.indices.contains(index),
        shown.symbols[index].candidates.contains(symbol),
        let changed = shown.replacing(symbolAt: index, with: symbol)
      else { throw .noSuchCandidate }
      let best = document.formulaReadings(of: node).first?.latex
      state.choose(changed.latex == best ? nil : changed.latex, document, node)
    }
  }

  /// Gives a formula a reading that need not be a candidate, such as LaTeX that was typed. It holds
  /// until the ink of the formula changes. One step of the history.
  ///
  /// - Parameters:
  ///   - latex: LaTeX of the symbols and the structure that formulas have.
  ///   - block: A formula with ink.
  /// - Throws: An invalid argument if the LaTeX cannot be read or is longer than
  ///   ``longestFormula``, ``EditorError/noSuchCandidate`` for a block that is no formula, or
  ///   ``EditorError/invalidBlock(_:)``.
  public func setLatex(_ latex: String, ofFormula block: ContentBlock) throws(EditorError) {
    let formula = try Self.checkedFormula(latex)
    try withNode(block) { (state, document, node) throws(EditorError) in
      guard node.type == .math, !node.items.isEmpty else { throw .noSuchCandidate }
      state.choose(formula.latex, document, node)
    }
  }

  /// Returns the formula of LaTeX that is given by hand.
  ///
  /// - Throws: An invalid argument if it is too long, empty or not readable.
  static func checkedFormula(_ latex: String) throws(EditorError) -> RecognizedFormula {
    guard let formula = formula(ofLatex: latex) else {
      throw .invalidArgument(
        "latex", expected: "a formula of at most \(longestFormula) bytes",
        found: latex.isEmpty ? "nothing" : "text that is none")
    }
    return formula
  }

  /// Returns the formula of LaTeX that may be a choice; nil if it is too long, empty or not readable.
  static func formula(ofLatex latex: String) -> RecognizedFormula? {
    guard latex.utf8.count <= longestFormula, RecognizedFormula.hasSymbols(latex: latex) else {
      return nil
    }
    // Documents keep it with a space between all tokens, and read it again.
    return RecognizedFormula(latex: latex).flatMap {
      $0.latex.utf8.count <= longestFormula ? $0 : nil
    }
  }

  /// The most bytes of a formula that is typed.
  /// Chosen by hand.
  public static let longestFormula = 10_000
}

extension EditorState {
  fileprivate mutating func choose(_ latex: String?, _ document: Document, _ node: BlockNode) {
    guard node.chosenFormula != latex else { return }
    let rules = settingRules(.publish, document)
    let missing = change(document) { _ in
      var missing: Set<Character> = []
      document.markEdited()
      if let latex, document.isTypedFormula(node) {
        document.setFormula(
          latex, of: node, face: rules.face, fonts: rules.fonts, missing: &missing)
      } else {
        node.chosenFormula = latex
      }
      document.changes.update(node)
      return missing
    }
    tellOfMissing(missing, in: node.id)
    schedule()
  }
}
