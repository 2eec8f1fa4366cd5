/// A stroke of a text as it is to be written.
struct PlannedStroke: Sendable {
  /// The knots that it goes through.
  private(set) var knots: [Knot]
  /// For each knot the character of the text that it is of, from 0, never falling.
  private(set) var characters: [Int]

  /// A stroke of one character.
  init(_ knots: [Knot], character: Int) {
    self.knots = knots
    characters = [Int](repeating: character, count: knots.count)
  }

  /// Goes on into another stroke without lifting the pen.
  mutating func append(_ knots: some Collection<Knot>, character: Int) {
    self.knots += knots
    characters += repeatElement(character, count: knots.count)
  }

  /// Changes the place of every knot.
  mutating func move(_ change: (inout Knot) -> Void) {
    for index in knots.indices { change(&knots[index]) }
  }

  /// What the movement from a knot to the next is for: their character, or both where it leads from
  /// one to the other.
  func characters(ofMovement index: Int) -> ClosedRange<Int> {
    characters[index]...characters[min(index + 1, characters.count - 1)]
  }
}
