import Foundation
import InkCore

/// The say of a glyph model where an ink may be one character: a line network knows single characters
/// badly, and well that an ink is one.
///
/// Readings of one character, with or without a space before it, are ordered anew by a product of both
/// models' probabilities (Hinton 1999, Products of experts); their probability together stays what it
/// was, and so do all other readings. What the search did not read comes not in: alphabets,
/// vocabularies and the text before the ink hold as they did.
struct CharacterOpinion {
  /// Exponents of the probabilities, chosen on UNIPEN's single characters of validation writers.
  private static let lineWeight = 0.5
  private static let glyphWeight = 1.0
  /// No label is less probable to the glyph model.
  private static let leastProbability = 1e-6
  /// Readings of one character that are less probable together are left alone.
  static let leastShare = 0.01

  private let classifier: GlyphClassifier
  /// The labels of the line network, the blank left out.
  private let labels: [String]
  private let space: Int32?

  init(_ model: GlyphModel, labels: [String]) {
    classifier = GlyphClassifier(model: model)
    self.labels = labels
    space = labels.firstIndex(of: " ").map { Int32($0 + 1) }
  }

  /// The readings in their new order, and for each of one character the glyph model's probability; none
  /// where it has no say.
  ///
  /// - Parameters:
  ///   - readings: Best first.
  ///   - temperature: Of the probabilities of readings.
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  func ordered(
    _ readings: [BeamDecoder.Reading], temperature: Float, of ink: Ink,
    _ context: RecognitionContext
  ) throws -> (readings: [BeamDecoder.Reading], certainties: [Int32: Float]) {
    let characters = readings.map { character(of: $0.labels) }
    let single = readings.indices.filter { characters[$0] != nil }
    let shares = WordConfidences.probabilities(readings.map(\.score), temperature: temperature)
    let share = single.reduce(0) { $0 + shares[$1] }
    guard single.count > 1, share > Self.leastShare else { return (readings, [:]) }
    let probabilities = try classifier.recognize(
      ink, context: context, maximumCandidates: classifier.model.labels.count
    ).candidates.reduce(into: [String: Double]()) { $0[$1.text] = exp($1.score) }
    var certainties: [Int32: Float] = [:]
    let weights = single.map { index in
      let class_ = characters[index] ?? 0
      let probability = max(
        probabilities[labels[Int(class_) - 1]] ?? 0, Self.leastProbability)
      certainties[class_] = Float(probability)
      return Self.lineWeight * log(max(shares[index], .leastNormalMagnitude))
        + Self.glyphWeight * log(probability)
    }
    let most = weights.max() ?? 0
    let sum = weights.reduce(0) { $0 + exp($1 - most) }
    let best = readings.first?.score ?? 0
    // What all readings have together, in the scores' own scale.
    let total = log(
      readings.reduce(0.0) { $0 + exp(Double(($1.score - best) / temperature)) })
    var result = readings
    for (index, weight) in zip(single, weights) {
      let probability = log(share) + weight - most - log(sum)
      result[index].score = best + temperature * Float(probability + total)
    }
    let order = result.indices.sorted {
      result[$0].score != result[$1].score ? result[$0].score > result[$1].score : $0 < $1
    }
    return (order.map { result[$0] }, certainties)
  }

  /// The class of a reading's one character; nil where it has another number of them.
  func character(of reading: [Int32]) -> Int32? {
    let written = reading.first == space ? reading.dropFirst() : reading[...]
    return written.count == 1 && written.first != space ? written.first : nil
  }
}
