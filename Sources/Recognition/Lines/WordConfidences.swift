import Foundation

/// The probability of each word of a reading: that of all readings together that have the word at
/// its place.
package struct WordConfidences {
  /// A number for each word that a reading has.
  private let numbers: [Substring: Int]
  /// For each reading the numbers of its words, and its probability.
  private let readings: [(words: [Int], probability: Double)]
  private let configuration: DecoderConfiguration

  init(_ texts: [String], _ probabilities: [Double], _ configuration: DecoderConfiguration) {
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
    self.configuration = configuration
  }

  /// The readings with probabilities from their scores.
  package init(_ readings: [(text: String, score: Float)], _ configuration: DecoderConfiguration) {
    self.init(
      readings.map(\.text),
      Self.probabilities(readings.map(\.score), temperature: configuration.temperature),
      configuration)
  }

  /// The log-odds of a probability, kept finite: what all hypotheses share is not certain.
  package static func logOdds(_ probability: Double) -> Double {
    let kept = min(max(probability, 1e-4), 1 - 1e-4)
    return log(kept / (1 - kept))
  }

  /// The softmax of scores over a temperature, the best score first.
  static func probabilities(_ scores: [Float], temperature: Float) -> [Double] {
    let best = scores.first ?? 0
    let weights = scores.map { exp(Double(($0 - best) / temperature)) }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// The words of one of the readings. The place of a word is its number counted from the beginning
  /// or from the end, whichever other readings agree with: those differ by a word that was split.
  package func words(of text: String) -> [RecognizedWord] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let count = words.count { !$0.isEmpty }
    var result: [RecognizedWord] = []
    var position = 0
    for word in words {
      let length = word.count
      if length > 0 {
        let confidence = probability(of: word, at: result.count, fromEnd: count - result.count)
        result.append(
          RecognizedWord(
            text: String(word), characters: position..<(position + length),
            confidence: calibrated(confidence)))
      }
      position += length + 1
    }
    return result
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

  private func calibrated(_ probability: Double) -> Double {
    let (x, y) = (configuration.wordLogOdds, configuration.wordConfidences)
    guard let first = x.first, let last = x.last else { return min(1, probability) }
    let logOdds = Float(Self.logOdds(probability))
    if logOdds <= first { return Double(y[0]) }
    if logOdds >= last { return Double(y[y.count - 1]) }
    let right = x.firstIndex { $0 > logOdds } ?? x.count - 1
    let part = (logOdds - x[right - 1]) / (x[right] - x[right - 1])
    return Double(y[right - 1] + part * (y[right] - y[right - 1]))
  }
}
