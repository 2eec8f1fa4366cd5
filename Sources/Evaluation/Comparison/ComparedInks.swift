import InkCore

/// How often two models are right.
public struct ComparedAnswers: Codable, Hashable, Sendable {
  /// Inks that both read without an error.
  public private(set) var both = 0
  /// Inks that the first alone reads without an error.
  public private(set) var onlyFirst = 0
  /// Inks that the second alone reads without an error.
  public private(set) var onlySecond = 0
  /// Inks that neither does.
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

/// An ink that one model reads better than another.
public struct ComparedInk: Hashable, Sendable {
  /// The ink with its label.
  public let labeled: LabeledInk
  /// The label in the form that is compared.
  public let reference: String
  /// What the first model reads; nil where it has no answer.
  public let first: String?
  /// What the second model reads; nil where it has no answer.
  public let second: String?
  /// How clear the difference is, higher is clearer.
  let weight: Double
}

/// The clearest of the inks that one model reads better, a bounded number of them.
public struct ComparedInks: Hashable, Sendable {
  /// The clearest first, equal ones in the order they came.
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
