import Foundation

/// The confidence of each word of a reading, from the total probability of all readings with the
/// word in its place, and from the network's certainty of its characters.
package struct WordConfidences {
  /// The evidence for a word.
  package struct Evidence {
    /// The word, without the spaces around it.
    package var text: String
    /// The range of its characters in the reading.
    package var characters: Range<Int>
    /// The total probability of the readings with the word, 0 … 1.
    package var probability: Double
    /// The probability of its least certain character by the network alone, 0 … 1.
    package var certainty: Double

    package init(text: String, characters: Range<Int>, probability: Double, certainty: Double) {
      self.text = text
      self.characters = characters
      self.probability = probability
      self.certainty = certainty
    }

    /// The log-odds that determine the confidence.
    package func logOdds(certaintyWeight: Float) -> Double {
      WordConfidences.logOdds(probability, within: WordConfidences.bound)
        + Double(certaintyWeight) * WordConfidences.logOdds(certainty, within: 1e-6)
    }
  }

  /// A number for each word of the readings.
  private let numbers: [Substring: Int]
  /// For each reading, the numbers of its words and its probability.
  private let readings: [(words: [Int], probability: Double)]

  package init(_ texts: [String], _ probabilities: [Double]) {
    var numbers: [Substring: Int] = [:]
    var last: (words: [Substring], numbers: [Int]) = ([], [])
    readings = zip(texts, probabilities).map { text, probability in
      let words = Self.words(of: text)
      let found = words.indices.map { index in
        // Most readings differ from the one before in one word, and to compare is faster than to
        // look up.
        if index < last.words.count, last.words[index] == words[index] {
          return last.numbers[index]
        }
        let number = numbers[words[index]] ?? numbers.count
        numbers[words[index]] = number
        return number
      }
      last = (words, found)
      return (found, probability)
    }
    self.numbers = numbers
  }

  /// The words of a text, without the spaces.
  private static func words(of text: String) -> [Substring] {
    // Only outside of ASCII a mark may join the space before it to another character.
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
      : text.split(separator: " ")
  }

  /// Normalises the scores of readings to probabilities.
  package init(_ readings: [(text: String, score: Float)], temperature: Float) {
    self.init(
      readings.map(\.text),
      Self.probabilities(readings.map(\.score), temperature: temperature))
  }

  /// The distance of probabilities from 0 and 1.
  fileprivate static let bound = 1e-4

  /// The log-odds of a probability that is clamped away from 0 and 1 by the bound.
  fileprivate static func logOdds(_ probability: Double, within bound: Double) -> Double {
    let kept = min(max(probability, bound), 1 - bound)
    return log(kept / (1 - kept))
  }

  /// The softmax of scores over a temperature, the best score first.
  package static func probabilities(_ scores: [Float], temperature: Float) -> [Double] {
    let best = scores.first ?? 0
    let weights = scores.map { exp(Double(($0 - best) / temperature)) }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// The evidence for the words of one of the readings. The position of a word counts from the
  /// beginning or from the end, whichever agrees with more readings, because readings differ by
  /// split words.
  ///
  /// - Parameter certainties: The network's probability of each character of the text; missing ones
  ///   are 1.
  package func evidence(of text: String, certainties: [Float]) -> [Evidence] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let count = words.count { !$0.isEmpty }
    var result: [Evidence] = []
    var position = 0
    for word in words {
      let characters = position..<(position + word.count)
      if !characters.isEmpty {
        result.append(
          Evidence(
            text: String(word), characters: characters,
            probability: probability(of: word, at: result.count, fromEnd: count - result.count),
            certainty: Double(certainties[characters.clamped(to: certainties.indices)].min() ?? 1)))
      }
      position = characters.upperBound + 1
    }
    return result
  }

  /// The words of one of the readings with their confidences; see ``evidence(of:certainties:)``.
  package func words(
    of text: String, certainties: [Float], _ configuration: DecoderConfiguration
  ) -> [RecognizedWord] {
    evidence(of: text, certainties: certainties).map { evidence in
      RecognizedWord(
        text: evidence.text, characters: evidence.characters,
        confidence: configuration.confidence(of: evidence))
    }
  }

  /// The probability of the readings with a word at an index from the beginning (from 0) or from
  /// the end (from 1).
  private func probability(of word: Substring, at index: Int, fromEnd: Int) -> Double {
    guard let number = numbers[word] else { return 0 }
    return readings.reduce(0.0) { sum, reading in
      let words = reading.words
      let agrees =
        index < words.count && words[index] == number
        || fromEnd <= words.count && words[words.count - fromEnd] == number
      return agrees ? sum + reading.probability : sum
    }
  }
}

extension DecoderConfiguration {
  /// The calibrated probability that a word is correct, 0 … 1, interpolated linearly between the
  /// fitted log-odds. Below the first of them it falls to 0 with the probability of the readings
  /// that contain the word.
  package func confidence(of evidence: WordConfidences.Evidence) -> Double {
    let (x, y) = (wordLogOdds, wordConfidences)
    guard let first = x.first, let last = x.last else { return min(1, evidence.probability) }
    let logOdds = Float(evidence.logOdds(certaintyWeight: certaintyWeight))
    if logOdds <= first {
      let bound = WordConfidences.bound
      let least = Float(WordConfidences.logOdds(0, within: bound))
      let own = Float(WordConfidences.logOdds(evidence.probability, within: bound))
      return Double(y[0] * (first > own ? (own - least) / (first - least) : 1))
    }
    if logOdds >= last { return Double(y[y.count - 1]) }
    // NaN is no evidence.
    guard let right = x.firstIndex(where: { $0 > logOdds }) else { return Double(y[0]) }
    let part = (logOdds - x[right - 1]) / (x[right] - x[right - 1])
    return Double(y[right - 1] + part * (y[right] - y[right - 1]))
  }
}
