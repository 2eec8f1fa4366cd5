import Files
import Foundation

/// Texts whose words are all in a lexicon, with any characters between the words.
///
/// Letters, digits and apostrophes belong to words. So do other characters of a lexicon word where
/// the text continues with that word: "part-time", "e.g.", "New York". A lower-case word of the
/// lexicon also allows upper-case letters in the text.
@usableFromInline package struct LexiconText: TextConstraint {
  /// The position of a text in up to three words at once.
  @usableFromInline package struct State: Hashable, Sendable, BitwiseCopyable {
    /// The state in a word as written; if no word continues that way, with the letter in lower
    /// case.
    let written: Lexicon.State?
    /// The state in a word in lower case, or in a word that begins with the text.
    let lower: Lexicon.State?
    /// Like `written`, in a word that begins where another one may continue: "York" after "New ".
    let begun: Lexicon.State?

    init(written: Lexicon.State?, lower: Lexicon.State?, begun: Lexicon.State? = nil) {
      self.written = written
      self.lower = lower
      self.begun = begun == written ? nil : begun
    }

    /// True if the text is not in any word.
    var isNowhere: Bool { written == nil && lower == nil && begun == nil }
  }

  /// The words.
  package let lexicon: Lexicon

  /// Allows texts of these words.
  @usableFromInline package init(_ lexicon: Lexicon) {
    self.lexicon = lexicon
  }

  /// The state before the first word.
  @usableFromInline package var start: State { State(written: lexicon.start, lower: lexicon.start) }

  /// The state before a text that continues a begun word, or begins a new one.
  package func start(after begun: String) -> State {
    State(written: state(after: begun)?.written, lower: lexicon.start, begun: lexicon.start)
  }

  /// The state after a scalar, or nil if it neither continues a word nor follows a complete one.
  @usableFromInline package func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? {
    guard WordCharacters.contains(scalar) else {
      let between = isAccepting(state) ? lexicon.start : nil
      let within =
        state.written.flatMap { lexicon.advance($0, scalar) }
        ?? state.lower.flatMap { lexicon.advance($0, scalar) }
        ?? state.begun.flatMap { lexicon.advance($0, scalar) }
      let next = State(written: within ?? between, lower: between ?? within, begun: between)
      return next.isNowhere ? nil : next
    }
    let lowered = Self.lowercase(scalar)
    func asWritten(_ place: Lexicon.State) -> Lexicon.State? {
      lexicon.advance(place, scalar)
        ?? (lowered == scalar ? nil : lexicon.advance(place, lowered))
    }
    let written = state.written.flatMap(asWritten)
    let lower =
      state.lower == state.written && lowered == scalar
      ? written : state.lower.flatMap { lexicon.advance($0, lowered) }
    let next = State(written: written, lower: lower, begun: state.begun.flatMap(asWritten))
    return next.isNowhere ? nil : next
  }

  /// Returns whether a state is between words or after a complete word.
  @usableFromInline package func isAccepting(_ state: State) -> Bool {
    isAtStart(state.written) || isAtStart(state.lower) || isAtStart(state.begun)
      || endsWord(state)
  }

  /// Returns whether a state is after a complete word.
  @usableFromInline package func endsWord(_ state: State) -> Bool {
    endsWord(state.written) || endsWord(state.lower) || endsWord(state.begun)
  }

  /// Returns whether some word can be written with these scalars. O(arcs).
  package func canWrite(with scalars: Set<Unicode.Scalar>) -> Bool {
    let known = scalars.union(scalars.map(Self.lowercase))
    var reached: Set<Lexicon.State> = [lexicon.start]
    var waiting = [lexicon.start]
    while let place = waiting.popLast() {
      for scalar in lexicon.scalars(after: place) where known.contains(scalar) {
        guard let next = lexicon.advance(place, scalar) else { continue }
        if lexicon.isAccepting(next) { return true }
        if reached.insert(next).inserted { waiting.append(next) }
      }
    }
    return false
  }

  private func endsWord(_ place: Lexicon.State?) -> Bool {
    place.map { $0 != lexicon.start && lexicon.isAccepting($0) } ?? false
  }

  private func isAtStart(_ place: Lexicon.State?) -> Bool { place == lexicon.start }

  /// Returns a letter in lower case, if that is one scalar.
  private static func lowercase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }
}

/// Word lists in files: one word per line, with or without a frequency after it.
public enum WordList {
  /// A word with its frequency.
  public struct Entry: Hashable, Sendable {
    /// The word.
    public var word: String
    /// The frequency, at least 0; 1 if the list has none.
    package var frequency: Double

    /// Makes an entry.
    public init(word: String, frequency: Double = 1) {
      self.word = word
      self.frequency = frequency
    }
  }

  /// The words of a file: the text before the first white space of each line.
  ///
  /// - Throws: ``LanguageModelError`` if the file cannot be read.
  public static func words(of path: String) throws(LanguageModelError) -> [String] {
    try entries(of: path).map(\.word)
  }

  /// The words of a file with their frequencies; anything but a number of 0 or more counts as 1.
  ///
  /// - Throws: ``LanguageModelError`` if the file cannot be read.
  package static func entries(of path: String) throws(LanguageModelError) -> [Entry] {
    let mapped = try MappedBytes.mapping(path)
    let text = withExtendedLifetime(mapped) { String(decoding: $0.bytes, as: UTF8.self) }
    let words = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    return words.split(whereSeparator: \.isNewline).compactMap { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard let word = fields.first else { return nil }
      let frequency = fields.dropFirst().first.flatMap { Double($0) }
      return Entry(
        word: String(word), frequency: frequency.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? 1)
    }
  }
}
