import Typesetting

extension Editor {
  /// Makes a candidate of a word its label, until the word's ink changes. One step of the history.
  ///
  /// - Parameters:
  ///   - text: One of the word's candidates.
  ///   - word: The word as it was shown. If it was read otherwise since, or is gone, nothing
  ///     changes.
  /// - Throws: ``EditorError/staleWord(_:)``, ``EditorError/noSuchCandidate`` or
  ///   ``EditorError/noPart``.
  public func choose(_ text: String, for word: TypedWord) throws(EditorError) {
    guard word.reading.contains(text) else { throw .noSuchCandidate }
    try relabel(word, with: text)
  }

  /// Makes a candidate of one character its label; the other characters of the word stay. The label
  /// of the word then holds as a choice does. One step of the history.
  ///
  /// - Parameters:
  ///   - text: One of the character's candidates.
  ///   - index: The index of the character in ``TypedWord/characters``.
  ///   - word: The word as it was shown.
  /// - Throws: The errors of ``choose(_:for:)``.
  public func choose(
    _ text: String, forCharacter index: Int, of word: TypedWord
  ) throws(EditorError) {
    guard word.characters.indices.contains(index),
      word.characters[index].candidates.contains(where: { $0.text == text })
    else { throw .noSuchCandidate }
    var labels = word.characters.map(\.label)
    labels[index] = text
    try relabel(word, with: labels.joined())
  }

  /// Gives a word a label that need not be a candidate, such as one that was typed or pasted. It
  /// holds until the word's ink changes. One step of the history.
  ///
  /// - Parameters:
  ///   - text: The label. White space at its ends is dropped, and inside it counts as one space.
  ///   - word: The word as it was shown.
  /// - Throws: ``EditorError/staleWord(_:)``, ``EditorError/noPart``, or an invalid argument if the
  ///   text is empty or longer than ``longestLabel``.
  public func setLabel(_ text: String, of word: TypedWord) throws(EditorError) {
    let label = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard 1...Self.longestLabel ~= label.count else {
      throw .invalidArgument(
        "label", expected: "1 to \(Self.longestLabel) characters", found: "\(label.count)")
    }
    try relabel(word, with: label)
  }

  /// The most characters of a label that is typed.
  /// Chosen by hand.
  public static let longestLabel = 500

  private func relabel(_ word: TypedWord, with label: String) throws(EditorError) {
    try withDocument { (state, document) throws(EditorError) in
      guard word.generation == state.generation, word.id > 0,
        let (node, line, index) = document.word(id: word.id, items: word.items, word.reading)
      else { throw .staleWord(word.id) }
      state.change(document) { state in
        document.relabel(word: index, of: line, with: label, fonts: state.fonts)
      }
      state.emphasize(word.id, of: node, document)
      state.schedule()
    }
  }
}

extension Document {
  /// Returns the place of a word with this ink and these readings; nil if it was read otherwise, or
  /// is gone.
  fileprivate func word(
    id: Int, items: [Int], _ reading: [String]
  ) -> (node: BlockNode, line: TextLine, index: Int)? {
    for node in root.texts {
      for line in node.lines {
        var index = 0
        for word in line.runs.flatMap(\.words) {
          if word.id == id {
            return word.items == items && word.candidates.map(\.text) == reading
              ? (node, line, index) : nil
          }
          index += 1
        }
      }
    }
    return nil
  }

  /// Gives a word a label, which becomes one of its candidates. The word keeps it until its ink
  /// changes.
  fileprivate func relabel(
    word: Int, of line: TextLine, with label: String, fonts: any FontProvider
  ) {
    var index = word
    for run in line.runs {
      guard index >= run.words.count else {
        run.words[index].addCandidate(label)
        guard !isTyped(run) else {
          markEdited()
          let formula = run.words[index].formulas.first { $0.text == label }
          return retype(run, in: line, as: label, formula: formula, fonts: fonts)
        }
        run.words[index].choose(label, makeID: makeWordID)
        fix(run, word: index, in: line)
        return
      }
      index -= run.words.count
    }
  }
}
