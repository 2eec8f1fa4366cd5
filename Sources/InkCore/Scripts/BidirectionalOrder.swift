/// The order of the words of a line that has words of both directions.
///
/// A line is read in its own direction. Words of the other direction that follow each other are read
/// in theirs, with the numbers and signs between them: in a Hebrew line, `hello` is to the left of
/// `world`. The rules are those of the Unicode Bidirectional Algorithm (UAX #9) for whole words.
///
///     let words = ["שלום", "hello", "world"]
///     BidirectionalOrder.places(of: words, in: .rightToLeft)  // [0, 2, 1], from the right
public enum BidirectionalOrder {
  /// Returns the indices of words in the order of their places, from where the line begins.
  ///
  /// - Parameters:
  ///   - words: The words in logical order.
  ///   - line: The direction of the line.
  /// - Complexity: O(characters).
  public static func places(of words: [String], in line: WritingDirection) -> [Int] {
    turned(words, in: line, joinsNumbers: true)
  }

  /// Returns the indices of words in logical order.
  ///
  /// A number beside a word of the other direction belongs to the line: the place of the words does
  /// not tell whether it was written before or after that word.
  ///
  /// - Parameters:
  ///   - words: The words in the order of their places, from where the line begins.
  ///   - line: The direction of the line.
  /// - Complexity: O(characters).
  public static func reading(of words: [String], in line: WritingDirection) -> [Int] {
    turned(words, in: line, joinsNumbers: false)
  }

  /// Returns the indices of the characters of a word from left to right, as the word is drawn.
  ///
  /// Letters from right to left are drawn in that order. Numbers, and Latin letters with the signs
  /// between them, are drawn from left to right among them; see ``WritingRuns``.
  ///
  /// - Complexity: O(characters).
  public static func signs(of word: String) -> [Int] {
    let signs = Array(word)
    let directions = signs.map { sign in
      sign.unicodeScalars.lazy.compactMap { WritingDirection(of: $0) }.first
    }
    guard directions.contains(.rightToLeft) else { return Array(signs.indices) }
    var order = Array(signs.indices)
    if WritingDirection(of: word) == .rightToLeft {
      for run in WritingRuns.leftToRight(in: signs) { order[run].reverse() }
      return order.reversed()
    }
    // Some letters from right to left in a word from left to right.
    var begin = 0
    while let first = directions[begin...].firstIndex(of: .rightToLeft) {
      let end = directions[first...].firstIndex(of: .leftToRight) ?? signs.count
      let last = directions[..<end].lastIndex(of: .rightToLeft) ?? first
      order[first...last].reverse()
      begin = last + 1
    }
    return order
  }

  /// The effect of a word on the order of its line.
  private enum Kind {
    case along, against
    /// A number that belongs to a word of the other direction before it.
    case joining
    /// A number that does not.
    case apart
    case neutral

    init(_ word: String, in line: WritingDirection) {
      if let own = WritingDirection(of: word) {
        self = (own == .rightToLeft) == (line == .rightToLeft) ? .along : .against
      } else if let digit = word.unicodeScalars.first(where: { $0.properties.numericType != nil }) {
        // Arabic-Indic digits go with Arabic letters alone, all others also with Latin ones.
        self =
          line == .rightToLeft && DigitSystem.arabicIndic.contains(digit) ? .apart : .joining
      } else {
        self = .neutral
      }
    }
  }

  /// Turns each sequence of words of the other direction around.
  private static func turned(
    _ words: [String], in line: WritingDirection, joinsNumbers: Bool
  ) -> [Int] {
    guard line != .topToBottom else { return Array(words.indices) }
    let kinds = words.map { Kind($0, in: line) }
    var result = Array(words.indices)
    var begin = 0
    while let first = kinds[begin...].firstIndex(of: .against) {
      var (last, next) = (first, first + 1)
      while next < kinds.count, kinds[next] != .along, kinds[next] != .apart {
        if kinds[next] == .against || joinsNumbers && kinds[next] == .joining { last = next }
        next += 1
      }
      result[first...last].reverse()
      begin = last + 1
    }
    return result
  }
}
