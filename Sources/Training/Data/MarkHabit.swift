import InkCore

/// The time at which a person writes most marks.
enum MarkHabit: CaseIterable {
  case atOnce, afterWord, afterLine

  /// Probability that a mark is written at another time: nobody does the same each time.
  private static let exception = 0.2

  /// Returns the time of one mark.
  func next(using generator: inout SeededGenerator) -> MarkHabit {
    generator.chance(Self.exception) ? Self.random(using: &generator) : self
  }

  /// Returns the habit of a person.
  static func random(using generator: inout SeededGenerator) -> MarkHabit {
    allCases[generator.index(below: allCases.count)]
  }
}
