import InkCore

/// The number of inks that two models read correctly.
public struct ComparedAnswers: Codable, Hashable, Sendable {
  /// Inks that both read without an error.
  public private(set) var both = 0
  /// Inks that only the first reads without an error.
  public private(set) var onlyFirst = 0
  /// Inks that only the second reads without an error.
  public private(set) var onlySecond = 0
  /// Inks that both read with an error.
  public private(set) var neither = 0

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
public struct ComparedInk: Hashable, Sendable {
  /// The ink with its label.
  public let labeled: LabeledInk
  /// The label in the form that is compared.
  public let reference: String
  /// The reading of the first model; nil if it has no answer.
  public let first: String?
  /// The reading of the second model; nil if it has no answer.
  public let second: String?
  /// The clarity of the difference, higher is clearer.
  let weight: Double
}

/// The inks with the clearest differences in favour of one model, up to a bounded number.
public struct ComparedInks: Hashable, Sendable {
  /// The inks, the clearest first; equal ones in the order of their addition.
  public private(set) var clearest: [ComparedInk] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ ink: ComparedInk) {
    let place = clearest.firstIndex { $0.weight < ink.weight } ?? clearest.count
    guard place < limit else { return }
    clearest.insert(ink, at: place)
    if clearest.count > limit { clearest.removeLast() }
  }
}
