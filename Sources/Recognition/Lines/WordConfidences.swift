import Foundation

/// The confidence of each word of a reading: from the probability of all readings together that have
/// the word at its place, and from how certain the network is of its characters.
package struct WordConfidences {
  /// What speaks for a word.
  package struct Evidence {
    /// The word, without the spaces around it.
    package var text: String
    /// The characters of the reading that it is made of.
    package var characters: Range<Int>
    /// The probability of the readings that have it, 0 … 1.
    package var probability: Double
    /// The probability of its least certain character by the network alone, 0 … 1.
    package var certainty: Double

    /// The log-odds that confidences follow.
    package func logOdds(certaintyWeight: Float) -> Double {
      WordConfidences.logOdds(probability, within: WordConfidences.bound)
        + Double(certaintyWeight) * WordConfidences.logOdds(certainty, within: 1e-6)
    }
  }

  /// A number for each word that a reading has.
  private let numbers: [Substring: Int]
  /// For each reading the numbers of its words, and its probability.
  private let readings: [(words: [Int], probability: Double)]

  init(_ texts: [String], _ probabilities: [Double]) {
    var numbers: [Substring: Int] = [:]
    readings = zip(texts, probabilities).map { text, probability in
      let words = text.split(separator: " ").map { word in
        let number = numbers[word] ?? numbers.count
        numbers[word] = number
        return number
      }
      return (words, probability)
    }
    self.numbers = numbers
  }

  /// The readings with probabilities from their scores.
  package init(_ readings: [(text: String, score: Float)], temperature: Float) {
    self.init(
      readings.map(\.text),
      Self.probabilities(readings.map(\.score), temperature: temperature))
  }

  /// Probabilities are kept so far from 0 and 1.
  fileprivate static let bound = 1e-4

  /// The log-odds of a probability that is kept as far from 0 and 1 as the bound.
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

  /// What speaks for the words of one of the readings. The place of a word is its number counted from
  /// the beginning or from the end, whichever other readings agree with: those differ by a word that
  /// was split.
  ///
  /// - Parameter certainties: For each character of the text the probability that the network gives it;
  ///   those of characters behind the last one given are 1.
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

  /// Of the readings with a word at a place from the beginning, from 0, or from the end, from 1.
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
  /// The calibrated probability that a word is right, 0 … 1: linear between the log-odds that it was
  /// fitted to. Below the first of them it falls with the probability of the readings that have the word,
  /// to 0 where none has it.
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
    // Evidence that is no number tells nothing.
    guard let right = x.firstIndex(where: { $0 > logOdds }) else { return Double(y[0]) }
    let part = (logOdds - x[right - 1]) / (x[right] - x[right - 1])
    return Double(y[right - 1] + part * (y[right] - y[right - 1]))
  }
}
