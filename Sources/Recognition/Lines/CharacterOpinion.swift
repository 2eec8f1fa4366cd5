import Foundation
import InkCore

/// Consults a glyph model if an ink may be one character. A line network reads single characters
/// badly, but it detects well that an ink is one character.
///
/// Readings of one character that both models know, with or without a space before it, are rescored
/// by a product of both models' probabilities (Hinton 1999, Products of experts). Their total
/// probability, all other readings, and the ratio of readings with and without the space stay
/// unchanged. The probability from the search, which covers ink and text before the ink, is weighted
/// by the square root.
///
/// If the ink is one character in all probability, characters that the glyph model finds and the
/// search did not are added, for example a letter that was drawn from its end.
package struct CharacterOpinion {
  /// The exponent of the search's probabilities, tuned on UNIPEN's single characters of validation
  /// writers.
  private static let lineWeight = 0.5
  private static let glyphWeight = 1.0
  /// The least probability of a label of the glyph model.
  private static let leastProbability = 1e-6
  /// The least total probability of readings of one character; below it they are not changed.
  private static let leastShare = 0.01
  /// The total probability of readings of one character above which characters are added. This
  /// value and the next two were chosen on UNIPEN's single characters of validation writers.
  private static let certainShare = 0.5
  /// The least probability of an added character by the glyph model.
  private static let leastAdded = 0.05
  /// The probability of an added character by the search.
  private static let addedShare = 1e-3

  let classifier: GlyphClassifier
  /// The index of the glyph model's label for each class of the line network; nil if it has none.
  let glyphs: [Int?]
  /// The indices of the glyph model's labels of one shape.
  let shapes: [[Int]]
  let space: Int32?

  /// - Parameter labels: The labels of the line network: label k is class k + 1.
  package init(_ model: GlyphModel, labels: [String]) {
    classifier = GlyphClassifier(model: model)
    let indices = Dictionary(
      model.labels.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { one, _ in one }
    )
    glyphs = [nil] + labels.map { indices[$0] }
    shapes = SeparatedCharacters.shapes.map { $0.compactMap { indices[$0] } }
    space = labels.firstIndex(of: " ").map { Int32($0 + 1) }
  }

  /// The readings with those that the glyph model adds, and its probabilities of the characters
  /// among them, by class. No probabilities if the glyph model is not consulted: if readings of one
  /// character are too improbable.
  ///
  /// - Parameter mayAdd: For each class, true if it may be added.
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  package func consulted(
    on readings: [BeamDecoder.Reading], temperature: Float, of ink: Ink,
    _ context: RecognitionContext, mayAdd: (Int) -> Bool
  ) throws -> (readings: [BeamDecoder.Reading], probabilities: [Int32: Double]) {
    let shares = shares(of: readings, temperature: temperature)
    let sum = Self.sum(shares)
    guard sum > Self.leastShare, shares.count > 1 || sum > Self.certainShare else {
      return (readings, [:])
    }
    let found = try classifier.logProbabilities(of: ink, context)
    func probability(_ glyph: Int?) -> Double {
      max(glyph.map { exp(found[$0]) } ?? 0, Self.leastProbability)
    }
    var probabilities = shares.keys.reduce(into: [Int32: Double]()) { result, character in
      result[character] = probability(glyphs[Int(character)])
    }
    guard sum > Self.certainShare,
      let first = readings.first(where: { character(of: $0.labels) != nil })
    else { return (readings, probabilities) }
    let score = additionalScore(among: readings, temperature: temperature)
    var result = readings
    for (index, glyph) in glyphs.enumerated() {
      let character = Int32(index)
      guard probabilities[character] == nil, probability(glyph) >= Self.leastAdded, mayAdd(index)
      else { continue }
      probabilities[character] = probability(glyph)
      result.append(
        BeamDecoder.Reading(labels: first.labels.dropLast() + [character], score: score))
    }
    return (result.bestFirst(), probabilities)
  }

  /// The score of a reading whose probability is ``addedShare``.
  private func additionalScore(
    among readings: [BeamDecoder.Reading], temperature: Float
  ) -> Float {
    let best = readings.map(\.score).max() ?? 0
    let share = WordConfidences.probabilities(readings.map(\.score), temperature: temperature).max()
    return best + temperature * Float(log(Self.addedShare / max(share ?? 1, Self.addedShare)))
  }

  /// Sums in the order of the classes, because another order may change the last bits.
  private static func sum(_ values: [Int32: Double]) -> Double {
    values.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value }
  }

  /// Returns the rescored readings, best first.
  ///
  /// - Parameters:
  ///   - readings: The readings, best first.
  ///   - probabilities: those of ``consulted(on:temperature:of:_:mayAdd:)``.
  ///   - temperature: The temperature of the probabilities of readings.
  package func weighed(
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
