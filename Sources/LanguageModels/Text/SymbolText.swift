/// Texts as symbols of a table, the form that n-grams are counted in: every text begins with
/// ``SymbolTable/startOfText`` and ends with ``SymbolTable/endOfText``.
package struct SymbolText {
  package let table: SymbolTable
  package let symbols: [SymbolTable.Symbol]

  /// Chooses the table by counting, and translates.
  package init(_ text: NormalizedText, minimumCount: Int) throws(LanguageModelTrainingError) {
    self.init(text, table: try SymbolTable(of: text, minimumCount: minimumCount))
  }

  /// Translates with a given table.
  init(_ text: NormalizedText, table: SymbolTable) {
    self.table = table
    var symbols: [SymbolTable.Symbol] = []
    symbols.reserveCapacity(text.scalars.count + 2 * text.ends.count)
    var begin = 0
    for end in text.ends {
      symbols.append(SymbolTable.startOfText)
      for scalar in text.scalars[begin..<end] { symbols.append(table.symbol(of: scalar)) }
      symbols.append(SymbolTable.endOfText)
      begin = end
    }
    self.symbols = symbols
  }
}

extension SymbolTable {
  /// The table of the scalars that are frequent enough. O(scalars).
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - minimumCount: The fewest occurrences of a scalar that is a symbol. The most frequent
  ///     ``maximumScalarCount`` are used; the smaller scalar is first if counts are equal.
  ///   - required: Scalars that are symbols whatever their count, before all others.
  /// - Throws: ``LanguageModelTrainingError`` if no scalar is frequent enough.
  public init(
    of text: NormalizedText, minimumCount: Int, required: Set<Unicode.Scalar> = []
  ) throws(LanguageModelTrainingError) {
    var counts: [Unicode.Scalar: Int] = [:]
    var ascii = [Int](repeating: 0, count: 128)
    for scalar in text.scalars {
      if scalar.isASCII { ascii[Int(scalar.value)] += 1 } else { counts[scalar, default: 0] += 1 }
    }
    for (value, count) in ascii.enumerated() where count > 0 {
      counts[Unicode.Scalar(UInt8(value))] = count
    }
    let isFrequent = counts.contains { $0.value >= minimumCount }
    for scalar in required { counts[scalar] = Int.max }
    let kept = counts.filter { isFrequent && $0.value >= minimumCount }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(SymbolTable.maximumScalarCount)
    guard !kept.isEmpty, let table = SymbolTable(scalars: kept.map(\.key).sorted()) else {
      throw .noText(scalars: text.scalars.count, minimumCount: minimumCount)
    }
    self = table
  }
}

/// The characters of words: letters, digits, marks and apostrophes.
package enum WordCharacters {
  /// Returns whether a scalar belongs to a word.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    mayEnd(scalar) || scalar == "'" || scalar == "\u{2019}"
  }

  /// Returns whether a scalar may be the last of a word: an apostrophe there may be a quotation
  /// mark.
  static func mayEnd(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar
    }
    switch scalar.properties.generalCategory {
    case .decimalNumber, .nonspacingMark, .spacingMark: return true
    default: return scalar.properties.isAlphabetic
    }
  }
}
