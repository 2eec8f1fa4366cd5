import Foundation

/// Which texts are allowed, as an automaton over Unicode scalars whose states are values of a fixed
/// size: a decoder holds one in each hypothesis and never builds a text that is not allowed.
public protocol TextConstraint: Sendable {
  /// What has to be known of the text so far.
  associatedtype State: Hashable, Sendable, BitwiseCopyable

  /// The state before the first character.
  var start: State { get }

  /// The state behind a scalar, or nil where the scalar is not allowed there.
  func advance(_ state: State, _ scalar: Unicode.Scalar) -> State?

  /// Whether the text may end in a state.
  func isAccepting(_ state: State) -> Bool
}

extension TextConstraint {
  /// The state behind a text after NFC, or nil where the text is not allowed. O(scalars).
  public func state(after text: String) -> State? {
    var state = start
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      guard let next = advance(state, scalar) else { return nil }
      state = next
    }
    return state
  }

  /// Whether a text is allowed as a whole.
  public func allows(_ text: String) -> Bool {
    state(after: text).map(isAccepting) ?? false
  }
}

/// The constraint that allows every text.
public struct AnyText: TextConstraint {
  /// The only state.
  public struct State: Hashable, Sendable, BitwiseCopyable {}

  /// Makes the constraint.
  public init() {}

  /// The state of every text.
  public var start: State { State() }

  /// The same state.
  public func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? { state }

  /// True.
  public func isAccepting(_ state: State) -> Bool { true }
}

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
