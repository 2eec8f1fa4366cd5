/// How long the stages of one recognition took.
package struct LineTimings: Sendable {
  /// From raw points to numbers.
  package var features = Duration.zero
  /// The network.
  package var network = Duration.zero
  /// The search, and finding the ink of every character.
  package var decoding = Duration.zero

  /// Nothing measured yet.
  package init() {}
}
