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
