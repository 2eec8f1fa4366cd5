/// Characters that differ from others in size or position on the line more than in shape, with the
/// characters that they are confused with. A writing area separates them.
package enum Lookalike: String, CaseIterable, Sendable {
  /// c k o p s u v w x z, confused with their capitals.
  case small
  /// C K O P S U V W X Z, confused with their small letters.
  case capital
  /// Commas, confused with apostrophes.
  case comma
  /// Apostrophes, straight, curved and backtick, confused with commas.
  case apostrophe
  /// Slashes, confused with one of l I 1 | \, a comma or an apostrophe.
  case slash
  /// l I 1 | \, commas and apostrophes, confused with slashes.
  case bar

  private static let letters: Set<Character> = Set("ckopsuvwxz")
  private static let apostrophes: Set<Character> = Set("'’‘`´")
  private static let bars: Set<Character> = Set("lI1|\\,").union(apostrophes)

  /// Returns whether a written character belongs to this kind.
  package func contains(_ written: Character) -> Bool {
    switch self {
    case .small: Self.letters.contains(written)
    case .capital: written.isUppercase && Self.letters.contains(Self.lowercased(written))
    case .comma: written == ","
    case .apostrophe: Self.apostrophes.contains(written)
    case .slash: written == "/"
    case .bar: Self.bars.contains(written)
    }
  }

  /// Returns whether a character of this kind was confused with a look-alike. O(1).
  package func isConfusion(written: Character, read: Character) -> Bool {
    guard contains(written) else { return false }
    return switch self {
    case .small, .capital:
      written != read && Self.lowercased(written) == Self.lowercased(read)
    case .comma: Self.apostrophes.contains(read)
    case .apostrophe: read == ","
    case .slash: Self.bars.contains(read)
    case .bar: read == "/"
    }
  }

  private static func lowercased(_ character: Character) -> Character {
    let text = character.lowercased()
    return text.count == 1 ? Character(text) : character
  }
}
