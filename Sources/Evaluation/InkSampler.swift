import InkCore

/// Samples a bounded number of inks of each class of a dataset, each ink with the same probability.
///
/// Uses reservoir sampling (Vitter 1985) with a fixed seed: the same records in the same order give
/// the same inks. Classes after the first `classLimit` are ignored.
package struct InkSampler: Sendable {
  /// The most inks of a class.
  package let perClass: Int
  /// The most classes.
  package let classLimit: Int
  /// The inks of each class.
  package private(set) var inks: [String: [LabeledInk]] = [:]
  private var seen: [String: Int] = [:]
  private var generator = SeededGenerator(seed: 1)

  /// Makes an empty sampler; limits below 0 count as 0.
  package init(perClass: Int, classLimit: Int) {
    self.perClass = max(0, perClass)
    self.classLimit = max(0, classLimit)
  }

  /// Adds an ink. O(1).
  package mutating func add(_ labeled: LabeledInk) {
    let label = labeled.label
    guard perClass > 0, inks[label] != nil || inks.count < classLimit else { return }
    let count = seen[label, default: 0]
    seen[label] = count + 1
    if count < perClass {
      inks[label, default: []].append(labeled)
    } else {
      let place = Int.random(in: 0...count, using: &generator)
      if place < perClass { inks[label]?[place] = labeled }
    }
  }
}
