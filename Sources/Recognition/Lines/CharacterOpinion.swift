import Foundation
import InkCore

/// Consults a glyph model if an ink may be one character. A line network reads single characters
/// badly, but it detects well that an ink is one character.
///
/// Readings of one character that both models know, with or without a space before it, are rescored
/// by a product of both models' probabilities (Hinton 1999, Products of experts). Their total
/// probability, all other readings, and the ratio of readings with and without the space stay
/// unchanged. Readings that the search did not find are not added: alphabets and vocabularies still
/// apply. The probability from the search, which covers ink and text before the ink, is weighted by
/// the square root.
struct CharacterOpinion {
  /// The exponent of the search's probabilities, tuned on UNIPEN's single characters of validation
  /// writers.
  private static let lineWeight = 0.5
  private static let glyphWeight = 1.0
  /// The least probability of a label of the glyph model.
  private static let leastProbability = 1e-6
  /// The least total probability of readings of one character; below it they are not changed.
  private static let leastShare = 0.01

  private let classifier: GlyphClassifier
  /// The glyph model's label for each class of the line network; nil if it has none.
  private let glyphs: [String?]
  private let space: Int32?

  /// - Parameter labels: The labels of the line network: label k is class k + 1.
  init(_ model: GlyphModel, labels: [String]) {
    classifier = GlyphClassifier(model: model)
    let known = Set(model.labels)
    glyphs = [nil] + labels.map { known.contains($0) ? $0 : nil }
    space = labels.firstIndex(of: " ").map { Int32($0 + 1) }
  }

  /// The glyph model's probabilities of the characters among the readings, by class. Empty if the
  /// glyph model is not consulted: if readings of one character are too improbable, or all of the
  /// same character.
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  func probabilities(
    for readings: [BeamDecoder.Reading], temperature: Float, of ink: Ink,
    _ context: RecognitionContext
  ) throws -> [Int32: Double] {
    let shares = shares(of: readings, temperature: temperature)
    guard shares.count > 1, Self.sum(shares) > Self.leastShare else { return [:] }
    let candidates = try classifier.recognize(
      ink, context: context, maximumCandidates: classifier.model.labels.count
    ).candidates
    let found = Dictionary(
      candidates.map { ($0.text, exp($0.score)) }, uniquingKeysWith: { best, _ in best })
    return shares.reduce(into: [:]) { result, entry in
      let probability = glyphs[Int(entry.key)].flatMap { found[$0] } ?? 0
      result[entry.key] = max(probability, Self.leastProbability)
    }
  }

  /// Sums in the order of the classes, because another order may change the last bits.
  private static func sum(_ values: [Int32: Double]) -> Double {
    values.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value }
  }

  /// Returns the rescored readings, best first.
  ///
  /// - Parameters:
  ///   - readings: The readings, best first.
  ///   - probabilities: ``probabilities(for:temperature:of:_:)``, also for another temperature.
  ///   - temperature: The temperature of the probabilities of readings.
  func weighed(
    _ readings: [BeamDecoder.Reading], by probabilities: [Int32: Double], temperature: Float
  ) -> [BeamDecoder.Reading] {
    guard !probabilities.isEmpty else { return readings }
    let shares = shares(of: readings, temperature: temperature)
    let weights = shares.reduce(into: [Int32: Double]()) { result, entry in
      let probability = probabilities[entry.key] ?? Self.leastProbability
      result[entry.key] = pow(entry.value, Self.lineWeight) * pow(probability, Self.glyphWeight)
    }
    let factor = Self.sum(shares) / Self.sum(weights)
    var result = readings
    for index in result.indices {
      guard let character = character(of: result[index].labels),
        let share = shares[character], let weight = weights[character]
      else { continue }
      let score = result[index].score + temperature * Float(log(factor * weight / share))
      if score.isFinite { result[index].score = score }
    }
    return result.bestFirst()
  }

  /// The probabilities, above 0, of the characters among the readings, by class.
  private func shares(
    of readings: [BeamDecoder.Reading], temperature: Float
  ) -> [Int32: Double] {
    let shares = WordConfidences.probabilities(readings.map(\.score), temperature: temperature)
    return zip(readings, shares).reduce(into: [:]) { result, entry in
      guard entry.1 > 0, let character = character(of: entry.0.labels) else { return }
      result[character, default: 0] += entry.1
    }
  }

  /// The class of a reading of one character; nil if it has another number of characters, or one
  /// that the glyph model does not know.
  func character(of reading: [Int32]) -> Int32? {
    let written = reading.first == space ? reading.dropFirst() : reading[...]
    guard written.count == 1, let character = written.first, glyphs[Int(character)] != nil
    else { return nil }
    return character
  }
}
