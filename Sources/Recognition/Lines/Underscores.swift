import InkCore

/// Tells underscores from hyphens by their height in the line: the network reads both as hyphens,
/// because its training texts have no underscores.
package enum Underscores {
  /// An underscore is lower than the feet of the letters near it less this share of their height. Of
  /// the 57 hyphens within words of IAM-OnDB's validation writers (val1), two are.
  private static let share = 0.2
  /// A hyphen is at least so much wider than high.
  private static let flat = 2.0
  /// The letters to each side that show where the line stands, and the fewest of both sides together.
  private static let (letters, fewest) = (5, 3)
  /// Letters that may reach below the line.
  private static let descending: Set<Character> = ["f", "g", "j", "p", "q", "y", "z", "J", "Q"]

  /// The text with hyphens at the foot of the line as underscores. O(characters).
  ///
  /// - Parameters:
  ///   - text: One reading.
  ///   - characters: The ink of each of its characters.
  ///   - ink: The line.
  package static func corrected(_ text: String, _ characters: [CharacterInk], of ink: Ink) -> String
  {
    guard text.contains("-"), text.count == characters.count else { return text }
    let read = Array(text)
    var result = read
    func isStanding(_ index: Int) -> Bool {
      (read[index].isLetter || read[index].isNumber) && !descending.contains(read[index])
    }
    for index in read.indices.dropFirst().dropLast() where read[index] == "-" {
      guard !read[index - 1].isWhitespace, !read[index + 1].isWhitespace,
        let bar = box(characters[index], ink), bar.width > flat * bar.height
      else { continue }
      let near =
        read[..<index].indices.reversed().filter(isStanding).prefix(letters)
        + read[(index + 1)...].indices.filter(isStanding).prefix(letters)
      let boxes = near.compactMap { box(characters[$0], ink) }
      guard boxes.count >= fewest else { continue }
      let foot = boxes.map(\.maxY).sorted()[boxes.count / 2]
      let height = boxes.map(\.height).sorted()[boxes.count / 2]
      if bar.midY > foot - share * height { result[index] = "_" }
    }
    return String(result)
  }

  private static func box(_ character: CharacterInk, _ ink: Ink) -> BoundingBox? {
    Ink(
      strokes: character.parts.map { part in
        Stroke(points: Array(ink.strokes[part.stroke].points[part.points]))
      }
    ).boundingBox
  }
}
