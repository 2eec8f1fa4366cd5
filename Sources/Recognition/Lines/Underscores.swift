import InkCore

/// Tells underscores from hyphens by their height in the line: the network reads both as hyphens,
/// because its training texts have no underscores.
enum Underscores {
  /// An underscore is below the bottoms of the letters beside it less this share of their height.
  private static let share = 0.2
  /// A hyphen is at least so much wider than high.
  private static let flat = 2.0

  /// The text with hyphens at the foot of the line as underscores. O(characters).
  ///
  /// - Parameters:
  ///   - text: One reading.
  ///   - characters: The ink of each of its characters.
  ///   - ink: The line.
  static func corrected(_ text: String, _ characters: [CharacterInk], of ink: Ink) -> String {
    guard text.contains("-"), text.count == characters.count else { return text }
    var letters = Array(text)
    for index in letters.indices.dropFirst().dropLast() where letters[index] == "-" {
      guard letters[index - 1].isLetter || letters[index - 1].isNumber,
        letters[index + 1].isLetter || letters[index + 1].isNumber,
        let bar = box(characters[index], ink), bar.width > flat * bar.height,
        let before = box(characters[index - 1], ink), let behind = box(characters[index + 1], ink)
      else { continue }
      let height = max(before.height, behind.height)
      if bar.midY > min(before.maxY, behind.maxY) - share * height { letters[index] = "_" }
    }
    return String(letters)
  }

  private static func box(_ character: CharacterInk, _ ink: Ink) -> BoundingBox? {
    Ink(
      strokes: character.parts.map { part in
        Stroke(points: Array(ink.strokes[part.stroke].points[part.points]))
      }
    ).boundingBox
  }
}
