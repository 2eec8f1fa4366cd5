import InkCore

/// The number of inks that two models read correctly.
package struct ComparedAnswers: Codable, Hashable, Sendable {
  /// Inks that both read without an error.
  package private(set) var both = 0
  /// Inks that only the first reads without an error.
  package private(set) var onlyFirst = 0
  /// Inks that only the second reads without an error.
  package private(set) var onlySecond = 0
  /// Inks that both read with an error.
  package private(set) var neither = 0

  mutating func add(firstIsRight: Bool, secondIsRight: Bool) {
    switch (firstIsRight, secondIsRight) {
    case (true, true): both += 1
    case (true, false): onlyFirst += 1
    case (false, true): onlySecond += 1
    case (false, false): neither += 1
    }
  }
}

/// An ink that one model reads better than the other.
package struct ComparedInk: Hashable, Sendable {
  /// The ink with its label.
  package let labeled: LabeledInk
  /// The label in the form that is compared.
  package let reference: String
  /// The reading of the first model; nil if it has no answer.
  package let first: String?
  /// The reading of the second model; nil if it has no answer.
  package let second: String?
  /// The clarity of the difference, higher is clearer.
  package let weight: Double

  package init(
    labeled: LabeledInk, reference: String, first: String?, second: String?, weight: Double
  ) {
    self.labeled = labeled
    self.reference = reference
    self.first = first
    self.second = second
    self.weight = weight
  }
}

/// The inks with the clearest differences in favour of one model, up to a bounded number.
package struct ComparedInks: Hashable, Sendable {
  /// The inks, the clearest first; equal ones in the order of their addition.
  package private(set) var clearest: [ComparedInk] = []
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  package mutating func add(_ ink: ComparedInk) {
    let place = clearest.firstIndex { $0.weight < ink.weight } ?? clearest.count
    guard place < limit else { return }
    clearest.insert(ink, at: place)
    if clearest.count > limit { clearest.removeLast() }
  }
}
