import Foundation
import InkCore

/// The say of a glyph model where an ink may be one character: a line network knows single characters
/// badly, and well that an ink is one.
///
/// Readings of one character that both models know, with or without a space before it, are weighed anew
/// by a product of both models' probabilities of the character (Hinton 1999, Products of experts). Their
/// probability together stays what it was, and so do all other readings and, of one character, what the
/// space before it is worth. What the search did not read comes not in: what alphabets and vocabularies
/// forbid stays forbidden. What the search knows of a character, of the ink as of the text before it,
/// counts by the square root.
struct CharacterOpinion {
  /// Exponents of the probabilities, chosen on UNIPEN's single characters of validation writers.
  private static let lineWeight = 0.5
  private static let glyphWeight = 1.0
  /// No label is less probable to the glyph model.
  private static let leastProbability = 1e-6
  /// Readings of one character that are less probable together are left alone.
  private static let leastShare = 0.01

  private let classifier: GlyphClassifier
  /// For each class of the line network the glyph model's label; nil where it has none.
  private let glyphs: [String?]
  private let space: Int32?

  /// - Parameter labels: Of the line network: label k is class k + 1.
  init(_ model: GlyphModel, labels: [String]) {
    classifier = GlyphClassifier(model: model)
    let known = Set(model.labels)
    glyphs = [nil] + labels.map { known.contains($0) ? $0 : nil }
    space = labels.firstIndex(of: " ").map { Int32($0 + 1) }
  }

  /// What the glyph model says of the characters that readings are of, by class; empty where it has no
  /// say: where readings of one character are next to impossible, or of the same.
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

  /// The sum in the order of the classes: another order may have other last bits.
  private static func sum(_ values: [Int32: Double]) -> Double {
    values.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value }
  }

  /// The readings weighed anew, best first.
  ///
  /// - Parameters:
  ///   - readings: Best first.
  ///   - probabilities: ``probabilities(for:temperature:of:_:)``, also for another temperature.
  ///   - temperature: Of the probabilities of readings.
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

  /// The probabilities of the characters that readings are of, above 0, by class.
  private func shares(
    of readings: [BeamDecoder.Reading], temperature: Float
  ) -> [Int32: Double] {
    let shares = WordConfidences.probabilities(readings.map(\.score), temperature: temperature)
    return zip(readings, shares).reduce(into: [:]) { result, entry in
      guard entry.1 > 0, let character = character(of: entry.0.labels) else { return }
      result[character, default: 0] += entry.1
    }
  }

  /// The class of a reading's one character; nil where it has another number of them, or one that the
  /// glyph model does not know.
  func character(of reading: [Int32]) -> Int32? {
    let written = reading.first == space ? reading.dropFirst() : reading[...]
    guard written.count == 1, let character = written.first, glyphs[Int(character)] != nil
    else { return nil }
    return character
  }
}
