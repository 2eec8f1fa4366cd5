/// Texts whose words are all in a lexicon, with anything that belongs to no word between them.
///
/// Letters, digits and apostrophes belong to words. A lower-case word of the lexicon allows the
/// text's upper-case letters too.
public struct LexiconText: TextConstraint {
  /// Where in a word a text stands.
  public struct State: Hashable, Sendable, BitwiseCopyable {
    let word: Lexicon.State
  }

  /// The words.
  public let lexicon: Lexicon

  /// Allows texts of these words.
  public init(_ lexicon: Lexicon) {
    self.lexicon = lexicon
  }

  /// The state before the first word.
  public var start: State { State(word: lexicon.start) }

  /// The state behind a scalar, or nil where it neither goes on with a word nor may end one.
  public func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? {
    guard WordCharacters.contains(scalar) else {
      return isAccepting(state) ? start : nil
    }
    if let next = lexicon.advance(state.word, scalar) { return State(word: next) }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    guard lower.count == 1, let first = lower.first, first != scalar else { return nil }
    return lexicon.advance(state.word, first).map { State(word: $0) }
  }

  /// Whether a state stands between words or behind a whole word.
  public func isAccepting(_ state: State) -> Bool {
    state == start || lexicon.isAccepting(state.word)
  }
}
