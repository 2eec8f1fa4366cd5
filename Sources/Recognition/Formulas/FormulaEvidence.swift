/// The evidence for and against formulas in ink that was read as text: words are sure, formulas are not.
package enum FormulaEvidence {
  // The numbers were chosen on lines of IAM-OnDB with formulas of CROHME between their words.

  /// The most that a word says against a formula, and the part of it that a word of two letters says.
  private static let (word, shortPart): (Float, Float) = (1, 0.7)
  /// A word that is less sure says nothing.
  private static let leastSure = 0.5
  /// The evidence for a formula of signs and letters beside digits, and of an unsure reading.
  private static let (signs, unsure): (Float, Float) = (0.4, 0.28)

  /// Returns what the readings of lines say about each stroke: above 0 for a formula, below 0 for text.
  /// O(strokes and characters of the lines).
  ///
  /// - Parameters:
  ///   - lines: The best readings.
  ///   - strokes: The number of strokes that they are counted in.
  package static func scores(of lines: [RecognitionCandidate], strokes count: Int) -> [Float] {
    var scores = [Float](repeating: 0, count: count)
    // A stroke of two words counts as one of the longer one.
    var sizes = [Int](repeating: 0, count: count)
    for line in lines {
      for word in line.words where word.formula == nil {
        let strokes = line.strokes(of: word).filter { $0 < count }
        let score = score(of: word.text, confidence: word.confidence)
        for stroke in strokes where sizes[stroke] < strokes.count {
          (scores[stroke], sizes[stroke]) = (score, strokes.count)
        }
      }
    }
    return scores
  }

  /// Returns what a word says.
  package static func score(of text: String, confidence: Double) -> Float {
    let inner = text.drop { marks.contains($0) }
    let letters = inner.prefix { $0.isLetter || $0 == "'" || $0 == "-" }
    let isWord =
      inner.dropFirst(letters.count).allSatisfy(marks.contains)
      && letters.dropFirst().allSatisfy { !$0.isUppercase }
    if isWord, letters.count >= 2 {
      let sure = Float(max(0, confidence - leastSure) / (1 - leastSure))
      return -word * (letters.count > 2 ? 1 : shortPart) * sure
    }
    if text.contains(where: { "=+<>^{}\\/|".contains($0) }) || joinsDigits(text)
      || hasArguments(text) || confidence < leastSure && text.contains(where: \.isNumber)
    {
      return signs
    }
    return confidence < leastSure ? unsure : 0
  }

  private static let marks: Set<Character> = [
    ".", ",", ";", ":", "!", "?", "\"", "'", "(", ")",
  ]

  /// True if a bracket opens after a letter or a digit, as those of arguments do.
  private static func hasArguments(_ text: String) -> Bool {
    zip(text, text.dropFirst()).contains { ($0.isLetter || $0.isNumber) && $1 == "(" }
  }

  /// True if a letter stands beside a digit.
  private static func joinsDigits(_ text: String) -> Bool {
    zip(text, text.dropFirst()).contains {
      $0.isLetter && $1.isNumber || $0.isNumber && $1.isLetter
    }
  }
}
