import Foundation

/// A set of allowed texts, as an automaton over Unicode scalars with states of a fixed size. A
/// decoder keeps a state in each hypothesis and never builds a text that is not allowed.
public protocol TextConstraint: Sendable {
  /// The knowledge about the text so far.
  associatedtype State: Hashable, Sendable, BitwiseCopyable

  /// The state before the first character.
  var start: State { get }

  /// Returns the state after a scalar, or nil if the scalar is not allowed there.
  func advance(_ state: State, _ scalar: Unicode.Scalar) -> State?

  /// Returns whether the text may end in a state.
  func isAccepting(_ state: State) -> Bool
}

extension TextConstraint {
  /// The state after a text in NFC, or nil if the text is not allowed. O(scalars).
  public func state(after text: String) -> State? {
    var state = start
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      guard let next = advance(state, scalar) else { return nil }
      state = next
    }
    return state
  }

  /// Returns whether a complete text is allowed.
  public func allows(_ text: String) -> Bool {
    state(after: text).map(isAccepting) ?? false
  }
}

/// The constraint that allows every text.
package struct AnyText: TextConstraint {
  /// The only state.
  package struct State: Hashable, Sendable, BitwiseCopyable {}

  /// Makes the constraint.
  package init() {}

  /// The state of every text.
  package var start: State { State() }

  /// The same state.
  package func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? { state }

  /// True.
  package func isAccepting(_ state: State) -> Bool { true }
}

/// A reason why no text can satisfy a constraint.
public enum TextConstraintError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An alphabet of no characters.
  case emptyAlphabet
  /// A malformed pattern of an alphabet, with the place in Unicode scalars from 0.
  case malformedAlphabet(place: Int, expected: String)
  /// A name without a ``CharacterClass``.
  case unknownProperty(String)
  /// A lexicon of no words.
  case emptyLexicon
  /// A lexicon of more words or arcs than its file format holds.
  case lexiconTooLarge(arcs: Int, maximum: Int)
  /// A newly built lexicon that fails the check of lexicons.
  case unreadableLexicon(LanguageModelError.Reason)
  /// A text to complete that is not allowed itself; its length in Unicode scalars.
  case impossiblePrefix(length: Int)

  /// The message: what was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .emptyAlphabet:
      "expected an alphabet of at least one character, found none; name characters or classes"
    case .malformedAlphabet(let place, let expected):
      "alphabet, character \(place + 1): expected \(expected)"
    case .unknownProperty(let name):
      "alphabet: unknown Unicode property \"\(name)\"; known are "
        + CharacterClass.names.joined(separator: ", ")
    case .emptyLexicon:
      "expected a lexicon of at least one word, found none; give words"
    case .lexiconTooLarge(let arcs, let maximum):
      "expected a lexicon of at most \(maximum) arcs, found \(arcs); give fewer words"
    case .unreadableLexicon(let reason):
      "the lexicon of these words cannot be read; this is a bug: report it with the words ("
        + "\(reason))"
    case .impossiblePrefix(let length):
      "the constraint does not allow the \(length) characters of the prefix; "
        + "give another prefix or a wider constraint"
    }
  }
}

extension TextConstraintError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
