extension IntensityString {
  /// Returns the intensity of each UTF-16 unit, smoothed: each is the mean of its unit of text, cut
  /// to an integer. Separators belong to the unit before them, and those at the beginning of the
  /// text to the first one. O(n).
  public func smoothedIntensities(by unit: IntensitySmoothing) -> [Int] {
    smoothed(by: unit).map(Int.init)
  }

  func smoothed(by unit: IntensitySmoothing) -> [UInt8] {
    if unit == .message {
      return [UInt8](repeating: UInt8(averageIntensity), count: count)
    }
    var numbers: [UInt8] = []
    numbers.reserveCapacity(count)
    text.forEach { chunk, _ in numbers += chunk.intensities }
    if unit == .character { return numbers }
    return Self.means(of: numbers, ends: ends(of: unit))
  }

  private func ends(of unit: IntensitySmoothing) -> [Int] {
    let borders = TextBorders(units: units(in: 0..<count))
    return switch unit {
    case .word: borders.wordsWithSeparators
    case .sentence: borders.sentences
    case .line: borders.lines
    case .paragraph: borders.paragraphs
    case .character, .message: [count]
    }
  }

  private static func means(of numbers: [UInt8], ends: [Int]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(numbers.count)
    var start = 0
    for end in ends where end > start {
      var sum = 0
      for index in start..<end { sum += Int(numbers[index]) }
      let mean = UInt8(sum / (end - start))
      for _ in start..<end { result.append(mean) }
      start = end
    }
    return result
  }
}

extension TextBorders {
  /// The end of each word with the spaces, punctuation and line ends after it. Separators at the
  /// beginning of the text belong to the first word. O(n).
  public var wordsWithSeparators: [Int] {
    var ends: [Int] = []
    var start = 0
    var hasWord = false
    for end in words {
      if isWord(start..<end) {
        if hasWord { ends.append(start) }
        hasWord = true
      }
      start = end
    }
    return start == 0 ? [] : ends + [start]
  }
}
