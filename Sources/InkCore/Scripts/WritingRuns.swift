/// The parts of a line from right to left that are written from left to right: numbers, and words of
/// other scripts.
///
///     WritingRuns.leftToRight(in: Array("עמוד 12 מתוך 30"))  // 5..<7, 13..<15
///
/// The rules are those of the Unicode Bidirectional Algorithm (UAX #9) for a paragraph from right to
/// left without marks of direction: one separator between two digits belongs to the number (W4), so
/// does a sign such as % beside it (W5), and so do signs and spaces between two words of the other
/// direction, and a number after such a word (W7, N1).
public enum WritingRuns {
  private enum Kind { case letter, digit, rightToLeft, neutral }

  /// Returns the runs from left to right, in logical order, as ranges of indices. None is empty.
  /// O(characters).
  public static func leftToRight(in characters: [Character]) -> [Range<Int>] {
    let kinds = characters.map(kind)
    var runs: [Range<Int>] = []
    var index = 0
    while index < characters.count {
      guard kinds[index] == .letter || kinds[index] == .digit else {
        index += 1
        continue
      }
      var run = index..<end(of: index, characters, kinds)
      while run.lowerBound > (runs.last?.upperBound ?? 0), kinds[run.lowerBound] == .digit,
        isTerminator(characters[run.lowerBound - 1])
      { run = run.lowerBound - 1..<run.upperBound }
      runs.append(run)
      index = run.upperBound
    }
    return runs
  }

  /// The end of the run that a letter or digit begins.
  private static func end(of start: Int, _ characters: [Character], _ kinds: [Kind]) -> Int {
    var last = start
    var isWord = kinds[start] == .letter
    while let next = kinds[(last + 1)...].firstIndex(where: { $0 != .neutral }),
      kinds[next] != .rightToLeft
    {
      // A digit after one separator.
      let continues =
        next == last + 2 && kinds[next] == .digit && separators.contains(characters[last + 1])
      guard isWord || next == last + 1 || continues else { break }
      isWord = isWord || kinds[next] == .letter
      last = next
    }
    while !isWord || kinds[last] == .digit, last + 1 < characters.count,
      isTerminator(characters[last + 1])
    { last += 1 }
    return last + 1
  }

  private static let separators: Set<Character> = [".", ",", ":", "/", "-", "+", "٫", "٬", "،"]

  /// True for signs that belong to a number beside them (class ET).
  private static func isTerminator(_ character: Character) -> Bool {
    character == "%" || character == "٪" || character == "#" || character == "°"
      || character.unicodeScalars.first?.properties.generalCategory == .currencySymbol
  }

  private static func kind(_ character: Character) -> Kind {
    // The Arabic separators are of that script, but numbers have them.
    guard let scalar = character.unicodeScalars.first, !separators.contains(character) else {
      return .neutral
    }
    if scalar.properties.generalCategory == .decimalNumber {
      let direction = ScriptTraits.direction(ofNumber: String(character), in: .rightToLeft)
      return direction == .rightToLeft ? .rightToLeft : .digit
    }
    guard let traits = ScriptTraits(of: scalar) else { return .neutral }
    return traits.direction == .rightToLeft ? .rightToLeft : .letter
  }
}
