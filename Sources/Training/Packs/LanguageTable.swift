import DatasetFiles
import Foundation
import LanguageModels
import Recognition

/// The letters and quotation marks of the languages of CLDR.
///
///     let row = try LanguageTable.cldr().row(for: LanguageTag(parsing: "cs"))
///     print(row?.letters.joined() ?? "unknown")
public struct LanguageTable: Sendable {
  /// One language.
  public struct Row: Hashable, Sendable {
    /// The tag: a language, with a script or region where those differ.
    package var tag: String
    /// The English name.
    public var name: String
    /// The script: `Latn`.
    package var script: String
    /// The letters in lower case, in NFC.
    package var letters: [String]
    /// The quotation marks, or nil if CLDR has none.
    package var quotes: QuoteRules?
  }

  /// The rows, by tag.
  public let rows: [Row]

  /// Reads the table that comes with the package. O(bytes).
  ///
  /// - Throws: `DatasetFilesError` if the resources are missing.
  package static func cldr() throws -> LanguageTable {
    LanguageTable(parsing: try DatasetFiles.text("letters.tsv", in: .languages))
  }

  /// Reads the text of a table; malformed lines are left out.
  init(parsing text: String) {
    rows = text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 5, !fields[3].isEmpty else { return nil }
      let marks = Array(fields[4])
      return Row(
        tag: fields[0], name: fields[1], script: fields[2], letters: Self.letters(fields[3]),
        quotes: marks.count == 4
          ? QuoteRules(outer: String(marks[0...1]), inner: String(marks[2...3])) : nil)
    }
  }

  /// The letters of a field; `a-z` is a run.
  private static func letters(_ field: String) -> [String] {
    field.split(separator: " ").flatMap { text -> [String] in
      let scalars = Array(text.unicodeScalars)
      guard scalars.count == 3, scalars[1] == "-", scalars[0].value < scalars[2].value else {
        return [String(text)]
      }
      return (scalars[0].value...scalars[2].value).compactMap {
        Unicode.Scalar($0).map { String(Character($0)) }
      }
    }
  }

  /// The row of the best matching tag; nil if there is none.
  public func row(for tag: LanguageTag) -> Row? {
    LanguageIndex(rows) { row in [try? LanguageTag(parsing: row.tag)].compactMap { $0 } }
      .bestMatches(for: tag).first
  }
}

extension LanguageRules {
  /// Makes the rules of a row: its letters with capitals, its quotes, and the special rules of the
  /// language. A language of the Latin script gets all letters from a to z, which names and loans
  /// use.
  ///
  /// - Parameters:
  ///   - row: A language of a table.
  ///   - tag: The tag of the rules.
  public init(_ row: LanguageTable.Row, tag: String) {
    var rules = LanguageRules(tag: tag, letters: [])
    rules.addSpecialRules()
    let latin = row.script == "Latn" ? "abcdefghijklmnopqrstuvwxyz".map(String.init) : []
    let letters = rules.letters(withCapitalsOf: row.letters + latin)
    rules.letters = letters
    rules.quotes = row.quotes
    self = rules
  }
}
