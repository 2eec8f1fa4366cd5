/// A source of completions, the likeliest first.
public protocol SuggestionSource: Sendable {
  /// Returns words that may continue a beginning after a text, the likeliest first.
  func completions(of beginning: String, after text: String, limit: Int) -> [String]
}

/// The suggestions for the word at the caret of an editor.
///
/// They are in the order of their likelihood. A chosen one has the mean intensity of what it
/// replaces.
public struct SuggestionBar: Sendable {
  /// The suggestions, the likeliest first.
  public private(set) var suggestions: [String] = []
  /// The word that they replace.
  public private(set) var range: Range<Int>?

  private let source: any SuggestionSource
  private let limit: Int

  /// The characters before a word that a source gets.
  private static let context = 100
  /// The longest beginning of a word.
  private static let longestWord = 64

  /// Makes a bar.
  public init(source: any SuggestionSource, limit: Int = 3) {
    self.source = source
    self.limit = max(limit, 0)
  }

  /// Shows the suggestions for the word that ends at the caret; none without one.
  public mutating func update(for editor: IntensityEditor) {
    suggestions = []
    range = nil
    let caret = editor.selection.lowerBound
    guard editor.selection.isEmpty, caret > 0 else { return }
    var low = max(caret - Self.context - Self.longestWord, 0)
    if editor.text.cutsPair(low) { low += 1 }
    let units = editor.text.units(in: low..<caret)
    let borders = TextBorders(units: units)
    let ends = borders.words
    let start = ends.count > 1 ? ends[ends.count - 2] : 0
    guard start < units.count, units.count - start <= Self.longestWord,
      borders.isWord(start..<units.count)
    else { return }
    let beginning = String(decoding: units[start...], as: UTF16.self)
    let before = String(decoding: units[..<start], as: UTF16.self)
    var taken: Set<String> = []
    suggestions = Array(
      source.completions(of: beginning, after: before, limit: limit)
        .filter { !$0.isEmpty && taken.insert($0).inserted }.prefix(limit))
    range = low + start..<caret
  }

  /// Puts a suggestion in the place of the word, and a space behind it.
  ///
  /// - Throws: ``IntensityTextError`` for a number without a suggestion, or if the caret is no longer
  ///   behind the word.
  public mutating func choose(
    _ number: Int, in editor: inout IntensityEditor
  ) throws(IntensityTextError) {
    guard suggestions.indices.contains(number), let range,
      editor.selection == range.upperBound..<range.upperBound
    else {
      throw IntensityTextError(
        .outside, "suggestion", at: number, expected: "one of \(suggestions.count)",
        found: "\(number)")
    }
    try editor.replace(range, withText: suggestions[number] + " ")
    suggestions = []
    self.range = nil
  }
}
