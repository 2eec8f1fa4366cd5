import Recognition
import Typesetting

// Formulas that are words of a line. A choice makes the word a run of its own until its ink changes.
extension Editor {
  /// Makes one of the readings as a formula that of a word, also if the word is a text now. One step
  /// of the history.
  ///
  /// - Parameters:
  ///   - latex: The LaTeX of one of ``TextWord/formulas``.
  ///   - word: The word as it was shown. If it was read again since, or is gone, nothing changes.
  ///   - block: The block of the word.
  /// - Throws: ``EditorError/noSuchCandidate``, ``EditorError/staleWord(_:)`` or
  ///   ``EditorError/invalidBlock(_:)``.
  public func choose(
    _ latex: String, forFormula word: TextWord, in block: ContentBlock
  ) throws(EditorError) {
    try choose(for: word, in: block) { (_, shown) throws(EditorError) in
      guard let formula = shown.formulas.first(where: { $0.latex == latex }) else {
        throw .noSuchCandidate
      }
      return formula
    }
  }

  /// Makes a candidate of one symbol of a formula between words its reading; the other symbols and the
  /// structure stay. One step of the history.
  ///
  /// - Parameters:
  ///   - symbol: One of the candidates of the symbol.
  ///   - index: The index of the symbol in ``TextWord/formula``.
  ///   - word: The word as it was shown.
  ///   - block: The block of the word.
  /// - Throws: ``EditorError/noSuchCandidate``, also for a plain word, ``EditorError/staleWord(_:)``
  ///   or ``EditorError/invalidBlock(_:)``.
  public func choose(
    _ symbol: String, forSymbol index: Int, ofFormula word: TextWord, in block: ContentBlock
  ) throws(EditorError) {
    try choose(for: word, in: block) { (document, shown) throws(EditorError) in
      guard shown.formula == word.formula else { throw .staleWord(word.id) }
      guard let formula = shown.formula, formula.symbols.indices.contains(index),
        formula.symbols[index].candidates.contains(symbol),
        let changed = formula.replacing(symbolAt: index, with: symbol)
      else { throw .noSuchCandidate }
      return changed.calculated(document.formulas.calculation)
    }
  }

  /// Makes a word of a line a formula that need not be a candidate, such as LaTeX that was typed. One
  /// step of the history.
  ///
  /// - Parameters:
  ///   - latex: LaTeX of the symbols and the structure that formulas have.
  ///   - word: The word as it was shown: a formula or a plain word.
  ///   - block: The block of the word.
  /// - Throws: An invalid argument if the LaTeX cannot be read or is longer than
  ///   ``longestFormula``, ``EditorError/staleWord(_:)`` or ``EditorError/invalidBlock(_:)``.
  public func setLatex(
    _ latex: String, ofFormula word: TextWord, in block: ContentBlock
  ) throws(EditorError) {
    let formula = try Self.checkedFormula(latex)
    try choose(for: word, in: block) { document, shown in
      // Its symbols have ink if a reading has symbols in the same places.
      let readings = [shown.formula].compactMap { $0 } + shown.formulas
      let inked = readings.lazy.compactMap { $0.renamed(as: formula) }.first ?? formula
      return inked.calculated(document.formulas.calculation)
    }
  }

  /// Makes a formula between words a text: the likeliest candidate of the word that is not the text of
  /// a formula, or else the text that it has. One step of the history.
  ///
  /// - Parameters:
  ///   - word: The word as it was shown.
  ///   - block: The block of the word.
  /// - Throws: ``EditorError/staleWord(_:)`` or ``EditorError/invalidBlock(_:)``.
  public func chooseText(
    forFormula word: TextWord, in block: ContentBlock
  ) throws(EditorError) {
    try choose(for: word, in: block) { _, _ in nil }
  }

  /// Chooses a formula of a word, or, with nil, its text.
  private func choose(
    for word: TextWord, in block: ContentBlock,
    _ choice: (Document, TextWord) throws(EditorError) -> RecognizedFormula?
  ) throws(EditorError) {
    try withNode(block) { (state, document, node) throws(EditorError) in
      guard let (line, run, index) = document.place(of: word, in: node) else {
        throw .staleWord(word.id)
      }
      let shown = run.words[index]
      let formula = try choice(document, shown)
      guard shown.formula != formula || !shown.isChosen else { return }
      state.change(document) { state in
        document.choose(formula, forWord: index, of: run, in: line, fonts: state.fonts)
        document.changes.update(node)
      }
      state.tellText(of: node)
      state.schedule()
    }
  }
}

extension Document {
  /// Returns the place of a word with this ink and these readings; nil if it was read otherwise, or is
  /// gone.
  fileprivate func place(
    of word: TextWord, in node: BlockNode
  ) -> (line: TextLine, run: TextRun, index: Int)? {
    guard word.id != 0 else { return nil }
    for line in node.lines {
      for run in line.runs {
        guard let index = run.words.firstIndex(where: { $0.id == word.id }) else { continue }
        let found = run.words[index]
        return found.items == word.items
          && found.candidates.map(\.text) == word.candidates.map(\.text)
          && found.formulas.map(\.latex) == word.formulas.map(\.latex) ? (line, run, index) : nil
      }
    }
    return nil
  }

  /// Makes a formula the reading of a word, or, with nil, its text. The word becomes a separate run
  /// until its ink changes; a typed word is set again.
  fileprivate func choose(
    _ formula: RecognizedFormula?, forWord index: Int, of run: TextRun, in line: TextLine,
    fonts: any FontProvider
  ) {
    let text = formula?.text ?? run.words[index].plainText
    guard isTyped(run) else {
      run.words[index].choose(formula, as: text, makeID: makeWordID)
      return fix(run, word: index, in: line)
    }
    run.words[index].addCandidate(text)
    retype(run, in: line, as: text, formula: formula, fonts: fonts)
    activeBlock = line.block
    markEdited()
  }
}
