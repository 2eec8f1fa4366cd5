import InkCore

extension ExportLine {
  private static let bullets: Set<Character> = ["-", "–", "—", "•", "*", "·", "+", ">", "→", "←"]

  /// Removes the dash, bullet, number or letter that begins an item of a list, and returns it; nil if
  /// there is none, or nothing after it.
  mutating func takeItemMark() -> ExportItemMark? {
    guard words.count > 1, let first = words.first?.text else { return nil }
    let mark: ExportItemMark
    if first.count == 1, first.first.map(Self.bullets.contains) == true {
      mark = .bullet
    } else if let end = first.last, end == "." || end == ")",
      case let label = first.dropLast(), !label.isEmpty, label.count <= 3,
      DigitSystem.folded(String(label)).allSatisfy({ $0.isASCII && $0.isNumber })
        || (label.count == 1 && label.allSatisfy { $0.isASCII && $0.isLowercase })
    {
      mark = .number(first)
    } else {
      return nil
    }
    words.removeFirst()
    words[0].followsSpace = false
    return mark
  }
}
