import Foundation
import InkCore

/// Consults a glyph model on an ink whose characters stand apart, such as a printed number or a sum.
///
/// A line network reads a printed character by the shape of its strokes and by its neighbours, and
/// a search prefers what its language model knows. Where the strokes fall into as many groups as a
/// reading has characters, the glyph model sees each character as a whole. Readings with one
/// character for each group are rescored by a product of both models' probabilities (Hinton 1999,
/// Products of experts); their total probability and all other readings stay unchanged. Readings
/// that the glyph model finds and the search did not are scored as in the search, and added.
package struct SeparatedCharacters {
  /// The exponent of the glyph model's probabilities; this one and ``spaceWeight`` are tuned on words,
  /// numbers and capitals of UNIPEN's validation writers.
  private static let glyphWeight = 0.4
  /// The least probability of a label of the glyph model.
  private static let leastProbability = 1e-4
  /// The least total probability of readings with one character for each group; below it the glyph
  /// model is not consulted.
  private static let leastShare = 0.1
  /// The exponent of the odds of spaces by the gaps.
  private static let spaceWeight = 1.5
  /// The log-odds of a space grow by so much for each character height that a gap is wider than the
  /// median one, and are 0 at ``evenGap``: by the quantiles of gaps in 331 texts and 3,069 words of
  /// UNIPEN's training writers.
  private static let spaceSlope = 7.0
  private static let evenGap = 0.37
  private static let mostOdds = 3.0
  /// The least mean log-probability of a character by the glyph model in the best reading. Below it
  /// the groups are no characters, as in joined writing; by hand.
  private static let leastMean = -2.5
  /// The least probability of a label in an added reading.
  private static let leastAdded = 0.05
  /// The most readings that are added.
  private static let mostAdded = 16
  /// The numbers of groups for which the glyph model is consulted. One group is a single character
  /// (``CharacterOpinion``), and more than these are a line of words.
  private static let counts = 2...24
  /// More strokes than these are a line of words.
  static let mostStrokes = 60

  /// Characters of one shape, as most people write them.
  static let shapes: [[String]] =
    [["0", "O", "o"], ["1", "l", "I", "|"]]
    + ["c", "k", "p", "s", "u", "v", "w", "x", "y", "z"].map { [$0, $0.uppercased()] }

  /// For each group, the logarithm of the glyph model's probability of each class of the line
  /// network; those that it does not know have the least one.
  private let scores: [[Double]]
  /// For each boundary between two groups, the log-odds of a space by its width.
  private let spaceOdds: [Double]
  private let space: Int32?

  /// Reads each group of strokes; nil if the ink does not fall into groups.
  ///
  /// - Parameters:
  ///   - opinion: The glyph model.
  ///   - mayRead: For each class, true if it may be read.
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  package init?(
    in groups: [Ink], _ opinion: CharacterOpinion, _ context: RecognitionContext,
    mayRead: (Int) -> Bool
  ) throws {
    guard Self.counts.contains(groups.count) else { return nil }
    space = opinion.space
    spaceOdds = Self.spaceOdds(between: groups)
    // The class of each label of the glyph model; nil if it may not be read.
    var classes = [Int?](repeating: nil, count: opinion.classifier.model.labels.count)
    for (index, glyph) in opinion.glyphs.enumerated() where mayRead(index) {
      if let glyph { classes[glyph] = index }
    }
    scores = try groups.map { group in
      var found = try opinion.classifier.logProbabilities(of: group, context).map { exp($0) }
      for glyph in found.indices where classes[glyph] == nil { found[glyph] = 0 }
      // Size and place tell characters of one shape apart, which the glyph model does not see here.
      for shape in opinion.shapes {
        let sum = shape.reduce(0) { $0 + found[$1] }
        for glyph in shape where classes[glyph] != nil { found[glyph] = sum }
      }
      let largest = found.max() ?? 0
      var scores = [Double](repeating: log(Self.leastProbability), count: opinion.glyphs.count)
      for (glyph, index) in classes.enumerated() {
        guard let index, found[glyph] > largest * Self.leastProbability else { continue }
        scores[index] = log(found[glyph] / largest)
      }
      return scores
    }
  }

  /// The log-odds of a space by the width of each gap beyond the median one, in heights of the median
  /// character.
  private static func spaceOdds(between groups: [Ink]) -> [Double] {
    let boxes = groups.compactMap(\.boundingBox)
    guard boxes.count == groups.count else { return groups.dropFirst().map { _ in 0 } }
    let gaps = zip(boxes, boxes.dropFirst()).map { $1.minX - $0.maxX }
    let median = gaps.sorted()[(gaps.count - 1) / 2]
    let height = boxes.map(\.height).sorted()[boxes.count / 2]
    guard height > 0 else { return gaps.map { _ in 0 } }
    return gaps.map { gap in
      let odds = spaceSlope * ((gap - median) / height - evenGap)
      return max(-mostOdds, min(mostOdds, odds))
    }
  }

  /// The number of groups.
  var count: Int { scores.count }

  /// The readings of the glyph model alone, most probable first, and the readings of the search
  /// without the spaces between characters.
  package func readings(beside searched: [BeamDecoder.Reading]) -> [[Int32]] {
    let joined = searched.prefix(Self.mostAdded).compactMap { reading in
      reading.labels.dropFirst().contains { $0 == space } ? written(reading.labels) : nil
    }
    return Set(joined).sorted { $0.lexicographicallyPrecedes($1) } + readings()
  }

  private func readings() -> [[Int32]] {
    var beam: [(labels: [Int32], score: Double)] = [([], 0)]
    for group in scores {
      let kept = group.enumerated().filter { $0.element >= log(Self.leastAdded) }
        .sorted { ($0.element, $1.offset) > ($1.element, $0.offset) }
      guard !kept.isEmpty else { return [] }
      beam = beam.flatMap { prefix in
        kept.map { (prefix.labels + [Int32($0.offset)], prefix.score + $0.element) }
      }
      beam.sort { $0.score > $1.score }
      beam.removeLast(max(0, beam.count - Self.mostAdded))
    }
    return beam.map(\.labels)
  }

  /// Returns whether the groups are the characters of one of the readings, as far as the glyph model
  /// sees.
  package func fit(_ readings: [BeamDecoder.Reading]) -> Bool {
    readings.contains { reading in
      written(reading.labels).map { gain(of: $0) >= Self.leastMean * Double(count) } ?? false
    }
  }

  /// Returns whether readings with one character for each of `count` groups are probable enough.
  static func applies(
    to readings: [BeamDecoder.Reading], count: Int, space: Int32?, temperature: Float
  ) -> Bool {
    guard counts.contains(count) else { return false }
    let shares = WordConfidences.probabilities(readings.map(\.score), temperature: temperature)
    let share = zip(readings, shares).reduce(0) { sum, entry in
      entry.0.labels.count { $0 != space } == count ? sum + entry.1 : sum
    }
    return share >= leastShare
  }

  /// Returns the rescored readings, best first.
  package func weighed(
    _ readings: [BeamDecoder.Reading], temperature: Float
  ) -> [BeamDecoder.Reading] {
    let shares = WordConfidences.probabilities(readings.map(\.score), temperature: temperature)
    var (before, after) = (0.0, 0.0)
    var gains: [Double?] = []
    for (reading, share) in zip(readings, shares) {
      guard let labels = written(reading.labels) else {
        gains.append(nil)
        continue
      }
      let gain =
        Self.glyphWeight * self.gain(of: labels) + Self.spaceWeight * spaceGain(of: reading.labels)
      gains.append(gain)
      before += share
      after += share * exp(gain)
    }
    guard before > 0, after > 0 else { return readings }
    let shift = log(before / after)
    var result = readings
    for (index, gain) in gains.enumerated() {
      guard let gain else { continue }
      let score = result[index].score + temperature * Float(gain + shift)
      if score.isFinite { result[index].score = score }
    }
    return result.bestFirst()
  }

  private func spaceGain(of labels: [Int32]) -> Double {
    var (sum, written) = (0.0, 0)
    for label in labels {
      if label != space {
        written += 1
      } else if written > 0, written < count {
        sum += spaceOdds[written - 1]
      }
    }
    return sum
  }

  private func gain(of labels: [Int32]) -> Double {
    zip(labels, scores).reduce(0) { sum, entry in
      sum + entry.1[Int(entry.0)]
    }
  }

  /// The classes of a reading without its spaces; nil if they are not one for each group.
  private func written(_ labels: [Int32]) -> [Int32]? {
    let written = labels.filter { $0 != space }
    return written.count == count ? written : nil
  }
}

extension Ink {
  /// The groups of strokes that stand apart from left to right: strokes one above the other are in
  /// one group. O(strokes log strokes).
  package func separatedGroups() -> [Ink] {
    struct Span {
      var low: Double
      var high: Double
      var strokes: [Int]
    }
    var spans: [Span] = []
    for (index, stroke) in strokes.enumerated() where !stroke.points.isEmpty {
      var (low, high) = (Double.infinity, -Double.infinity)
      for point in stroke.points {
        low = min(low, point.x)
        high = max(high, point.x)
      }
      spans.append(Span(low: low, high: high, strokes: [index]))
    }
    spans.sort { $0.low < $1.low }
    var groups: [Span] = []
    for span in spans {
      if let last = groups.last,
        min(last.high, span.high) - span.low
          >= Ink.leastOverlap * min(last.high - last.low, span.high - span.low),
        span.low <= last.high
      {
        groups[groups.count - 1].high = max(last.high, span.high)
        groups[groups.count - 1].strokes += span.strokes
      } else {
        groups.append(span)
      }
    }
    return groups.map { group in Ink(strokes: group.strokes.sorted().map { strokes[$0] }) }
  }

  /// The share of the narrower of two groups that must be above or below the other one for both to
  /// be one character; by hand.
  private static let leastOverlap = 0.4
}
