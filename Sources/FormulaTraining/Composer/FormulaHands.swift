import InkCore

/// The hands of composed formulas: two of three formulas have the letters of people, if there are
/// any; each virtual writer writes three formulas.
package struct FormulaHands: Sendable {
  private let people: Int
  private let virtual: Int
  private let seed: UInt64
  /// The formulas of a virtual writer.
  private static let formulasOfOne = 3

  /// Divides formulas among hands.
  ///
  /// - Parameters:
  ///   - people: The number of people.
  ///   - formulas: The number of formulas.
  package init(people: Int, formulas: Int, seed: UInt64) {
    self.people = people
    self.seed = seed
    let rest = people > 0 ? (formulas + 2) / 3 : formulas
    virtual = max(1, (rest + Self.formulasOfOne - 1) / Self.formulasOfOne)
  }

  /// The number of hands.
  package var count: Int { people + virtual }

  /// The hand of a formula.
  package func hand(of formula: Int) -> Int {
    var generator = SeededGenerator(seed: seed, 0x4A2D, UInt64(formula))
    if people > 0, formula % 3 != 0 { return generator.index(below: people) }
    return people + generator.index(below: virtual)
  }
}
