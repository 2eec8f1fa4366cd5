/// Why no text can meet a constraint.
public enum TextConstraintError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An alphabet of no characters.
  case emptyAlphabet
  /// A pattern of an alphabet that is none from a place on, in Unicode scalars from 0.
  case malformedAlphabet(place: Int, expected: String)
  /// A name that no ``CharacterClass`` has.
  case unknownProperty(String)
  /// A lexicon of no words.
  case emptyLexicon
  /// A lexicon of more words or arcs than its file format holds.
  case lexiconTooLarge(arcs: Int, maximum: Int)
  /// A lexicon that was built and then failed the check of lexicons.
  case unreadableLexicon(LanguageModelError.Reason)
  /// The text that is to be completed is not allowed itself; its length in Unicode scalars.
  case impossiblePrefix(length: Int)

  /// What was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .emptyAlphabet:
      "expected an alphabet of at least one character, found none; name characters or classes"
    case .malformedAlphabet(let place, let expected):
      "alphabet, character \(place + 1): expected \(expected)"
    case .unknownProperty(let name):
      "alphabet: expected a property of Unicode, found \"\(name)\"; known are "
        + CharacterClass.names.joined(separator: ", ")
    case .emptyLexicon:
      "expected a lexicon of at least one word, found none; give words"
    case .lexiconTooLarge(let arcs, let maximum):
      "expected a lexicon of at most \(maximum) arcs, found \(arcs); give fewer words"
    case .unreadableLexicon(let reason):
      "the lexicon of these words cannot be read, which is a defect: report it with the words ("
        + "\(reason))"
    case .impossiblePrefix(let length):
      "the constraint does not allow the \(length) characters to be completed; "
        + "give another prefix or a wider constraint"
    }
  }
}
