import InkCore

extension DataSpecification {
  /// The starter set that the path names.
  ///
  /// - Throws: ``DataError`` for a set that there is not and for words that cannot be written.
  func starterSet() throws -> StarterSet {
    guard let name = StarterSet.Name(rawValue: path) else {
      let names = StarterSet.Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw DataError(
        .invalidValue, in: "data \(text)", expected: "one of the sets \(names)",
        found: "\"\(path)\"")
    }
    let match = try labels.map(WholeMatch.init)
    return try StarterSet(
      name: name, options: starter, count: starter.count ?? defaultCount,
      isSelected: { match?.matches($0) ?? true }, words: starter.words.map { Self.locate($0) },
      isRuled: area == .text)
  }

  /// As many records as a limit asks for; of a part, which may hold a tenth of them, enough that
  /// the part has as many.
  private var defaultCount: Int {
    guard let limit else { return StarterSet.defaultCount }
    guard split != nil, split != .all else { return limit }
    return max(StarterSet.defaultCount, min(limit, Int.max / 16) * 12)
  }
}
