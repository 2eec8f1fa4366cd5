/// The probability of each word of a reading: that of all readings together that have the word at
/// its place.
struct WordConfidences {
  /// For each reading its words, and its probability.
  private let readings: [(words: [Substring], probability: Double)]

  init(_ texts: [String], _ probabilities: [Double]) {
    readings = zip(texts, probabilities).map { ($0.split(separator: " "), $1) }
  }

  /// The words of one of the readings. The place of a word is its number counted from the beginning
  /// or from the end, whichever other readings agree with: those differ by a word that was split.
  func words(of text: String) -> [RecognizedWord] {
    var result: [RecognizedWord] = []
    let words = text.split(separator: " ")
    var characters = Array(text)[...]
    var position = 0
    for (index, word) in words.enumerated() {
      while characters.first == " " {
        characters.removeFirst()
        position += 1
      }
      let fromEnd = words.count - index
      let confidence = readings.reduce(0.0) { sum, reading in
        let agrees =
          index < reading.words.count && reading.words[index] == word
          || fromEnd <= reading.words.count && reading.words[reading.words.count - fromEnd] == word
        return agrees ? sum + reading.probability : sum
      }
      result.append(
        RecognizedWord(
          text: String(word), characters: position..<(position + word.count),
          confidence: min(1, confidence)))
      characters.removeFirst(word.count)
      position += word.count
    }
    return result
  }
}
