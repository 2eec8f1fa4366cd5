import Foundation
import Metrics

/// The readings of a model of all inks of a wall.
package struct WallReadings: Sendable {
  /// The identifier of the model.
  let model: String
  /// True if a reading is one label, which is right or wrong as a whole.
  let isOfLabels: Bool
  /// Marks of crossed-out ink, which are no part of a text.
  let marks: Set<Character>
  private var names = NameTable()
  /// The reading of each ink; -1 for none.
  private var readOf: [Int32]
  /// The probability of each reading; NaN for none.
  private(set) var confidenceOf: [Float]
  /// The errors of each reading per character of the label, 0 for a right one; NaN for none.
  private(set) var rateOf: [Float]

  package init(model: String, isOfLabels: Bool, marks: Set<Character>, count: Int) {
    self.model = model
    self.isOfLabels = isOfLabels
    self.marks = marks
    readOf = Array(repeating: -1, count: count)
    confidenceOf = Array(repeating: .nan, count: count)
    rateOf = Array(repeating: .nan, count: count)
  }

  /// The number of inks that were read.
  var count: Int { readOf.count { $0 >= 0 } }
  /// The number of wrong readings.
  var errors: Int { rateOf.count { $0 > 0 } }

  /// The reading of an ink; nil if it was not read.
  func text(of ink: Int) -> String? { names[readOf[ink]] }

  /// Stores a reading. The empty text is one too.
  package mutating func set(_ ink: Int, _ text: String, score: Double, label: String) {
    readOf[ink] = names.number(of: text)
    let confidence = exp(score)
    confidenceOf[ink] = confidence.isFinite ? Float(min(1, max(0, confidence))) : 0
    compare(ink, label: label)
  }

  /// Compares the reading of an ink with its label, which has changed.
  mutating func compare(_ ink: Int, label: String) {
    guard let text = text(of: ink) else { return }
    // Without a label, there is nothing to be wrong about.
    guard !label.isEmpty else {
      rateOf[ink] = .nan
      return
    }
    guard !isOfLabels else {
      rateOf[ink] = text == label ? 0 : 1
      return
    }
    let reference = TextErrorRate.reference(label, without: marks)
    let rate = EditDistance(reference: reference, hypothesis: text).rate ?? (text.isEmpty ? 0 : 1)
    rateOf[ink] = Float(rate)
  }
}
