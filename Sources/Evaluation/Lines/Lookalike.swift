/// Characters that differ from others in their size or place on the line more than in their form, and
/// what they are taken for then: what a writing area is there for.
public enum Lookalike: String, CaseIterable, Sendable {
  /// c k o p s u v w x z, taken for their capitals.
  case small
  /// C K O P S U V W X Z, taken for their small letters.
  case capital
  /// Commas, taken for apostrophes.
  case comma
  /// Apostrophes, straight, curved and backtick, taken for commas.
  case apostrophe
  /// Slashes, taken for one of l I 1 | \, a comma or an apostrophe.
  case slash
  /// l I 1 | \, commas and apostrophes, taken for slashes.
  case bar

  private static let letters: Set<Character> = Set("ckopsuvwxz")
  private static let apostrophes: Set<Character> = Set("'’‘`´")
  private static let bars: Set<Character> = Set("lI1|\\,").union(apostrophes)

  /// Whether a character that was written is one of these.
  public func contains(_ written: Character) -> Bool {
    switch self {
    case .small: Self.letters.contains(written)
    case .capital: written.isUppercase && Self.letters.contains(Self.lowercased(written))
    case .comma: written == ","
    case .apostrophe: Self.apostrophes.contains(written)
    case .slash: written == "/"
    case .bar: Self.bars.contains(written)
    }
  }

  /// Whether one of these was taken for what it looks like. O(1).
  public func isConfusion(written: Character, read: Character) -> Bool {
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
