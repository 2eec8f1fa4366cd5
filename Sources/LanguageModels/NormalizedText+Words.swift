extension NormalizedText {
  /// The words of a sentence, and the sentences of a paragraph, of ``init(words:count:)``.
  private static let (sentenceLength, paragraphLength) = (12, 8)

  /// A text of the words of a list, as often as they occur and in any order, for languages of which there
  /// is a list and no text: paragraphs of sentences that begin with a capital and end with a full stop.
  /// Which word follows which it does not know. The same words give the same text.
  ///
  /// - Parameters:
  ///   - words: Each occurs at least once, whatever its frequency.
  ///   - count: About so many words altogether, or one of each where that is more.
  public init(words: [WordList.Entry], count: Int = 1_000_000) {
    self.init()
    let total = max(words.reduce(0) { $0 + $1.frequency }, .leastNormalMagnitude)
    var order: [Int32] = []
    for (index, entry) in words.enumerated() {
      let share = (entry.frequency / total * Double(count)).rounded()
      order += Array(repeating: Int32(index), count: max(1, Int(min(share, Double(count)))))
    }
    // Fisher and Yates's shuffle with numbers of our own generator, the same everywhere.
    var generator = SplitMix(state: 1)
    for index in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(index, Int(generator.next() % UInt64(index + 1)))
    }
    var paragraph: [String] = []
    for start in stride(from: 0, to: order.count, by: Self.sentenceLength) {
      let sentence = order[start..<min(start + Self.sentenceLength, order.count)]
        .map { words[Int($0)].word }.joined(separator: " ")
      paragraph.append(sentence.prefix(1).uppercased() + sentence.dropFirst() + ".")
      if paragraph.count == Self.paragraphLength {
        append(paragraph.joined(separator: " "))
        paragraph = []
      }
    }
    append(paragraph.joined(separator: " "))
  }
}

/// Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
