/// The symbols that a line model writes texts with.
///
/// A symbol is a character as people perceive it: an extended grapheme cluster (UAX #29) in NFC, so
/// that a letter and its combining marks, or a conjunct of consonants, are one symbol. A cluster of
/// several scalars that the symbols lack is written scalar by scalar, if each is a symbol. Rare
/// clusters are then learned from their parts.
public struct TextSymbols: Sendable {
  /// The symbols; symbol k is class k + 1.
  public let labels: [String]
  private let classes: [Character: Int32]

  /// Takes the symbols of a model, each one character.
  public init(_ labels: [String]) {
    self.labels = labels
    classes = Dictionary(
      labels.enumerated().compactMap { index, label in
        label.first.map { ($0, Int32(index + 1)) }
      }, uniquingKeysWith: { _, last in last })
  }

  /// The classes of a text in NFC; 0 for a character without a symbol. O(characters).
  public func classes(of text: String) -> [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(text.utf8.count)
    for character in text {
      if let known = classes[character] {
        result.append(known)
        continue
      }
      let parts = character.unicodeScalars.map { classes[Character($0)] }
      let known = parts.compactMap(\.self)
      if parts.count > 1, known.count == parts.count {
        result.append(contentsOf: known)
      } else {
        result.append(0)
      }
    }
    return result
  }

  /// The class of a symbol; nil if there is none.
  func index(of character: Character) -> Int32? { classes[character] }

  /// Chooses the symbols of texts in NFC: characters that are on enough texts, and the scalars of
  /// rarer clusters. O(characters).
  ///
  /// - Parameters:
  ///   - texts: The texts.
  ///   - known: Symbols that are kept in any case.
  ///   - least: The fewest texts with a symbol; rarer ones are left out.
  ///   - leastOfClusters: The fewest texts with a cluster of several scalars; rarer ones are split.
  /// - Returns: The symbols, sorted.
  public static func symbols(
    of texts: [String], keeping known: [String] = [], least: Int, leastOfClusters: Int
  ) -> [String] {
    let kept = Set(known)
    var counts: [Character: Int] = [:]
    for text in texts { for symbol in Set(text) { counts[symbol, default: 0] += 1 } }
    let split = counts.keys.filter { character in
      character.unicodeScalars.count > 1 && counts[character, default: 0] < leastOfClusters
        && !kept.contains(String(character))
    }
    if !split.isEmpty {
      let rare = Set(split)
      for character in rare { counts[character] = nil }
      var parts: [Character: Int] = [:]
      for text in texts where text.contains(where: rare.contains) {
        let whole = Set(text.filter { !rare.contains($0) })
        let scalars = Set(text.filter(rare.contains).flatMap(\.unicodeScalars).map(Character.init))
        for part in scalars.subtracting(whole) { parts[part, default: 0] += 1 }
      }
      counts.merge(parts, uniquingKeysWith: +)
    }
    let learned = counts.filter { $0.value >= least }.keys.map(String.init)
    return kept.union(learned).sorted()
  }

  /// The numbers of consecutive symbols that make each character of a text, if a symbol combines
  /// with the one before it; nil if every symbol is a character. O(characters).
  static func clusters(of symbols: [String], in text: String) -> [Int]? {
    guard text.count != symbols.count else { return nil }
    var sizes: [Int] = []
    var next = symbols.startIndex
    for character in text {
      var scalars = character.unicodeScalars.count
      var size = 0
      while next < symbols.endIndex, scalars > 0 {
        scalars -= symbols[next].unicodeScalars.count
        size += 1
        next += 1
      }
      sizes.append(size)
    }
    return sizes
  }
}
