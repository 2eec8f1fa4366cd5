import Formulas
import InkDatasets

/// Names labelled formulas: `inkml:PATH?unit=formula`, with the keys `limit=N`, `every=N` and
/// `writers=REGEX`.
///
///     let data = try FormulaData(parsing: "inkml:crohme/train?unit=formula")
///     let records = try data.records()
package struct FormulaData: Sendable {
  /// The text this was parsed from.
  package let text: String
  private let specification: DataSpecification

  private static let unit = "unit=formula"

  /// True if a text names data of formulas.
  package static func isNamed(by text: String) -> Bool { query(of: text).contains { $0 == unit } }

  private static func query(of text: String) -> [Substring] {
    guard let mark = text.firstIndex(of: "?") else { return [] }
    return text[text.index(after: mark)...].split(separator: "&")
  }

  /// Parses a name.
  ///
  /// - Throws: `DataError`, also for keys that formulas do not take.
  package init(parsing text: String) throws(DataError) {
    self.text = text
    let rest = Self.query(of: text).filter { $0 != Self.unit }
    let known = ["limit", "every", "writers", "licence", "attribution"]
    guard text.hasPrefix("inkml:"), Self.isNamed(by: text),
      rest.allSatisfy({ part in known.contains { part.hasPrefix($0 + "=") } })
    else {
      throw DataError(
        .malformedSpecification, in: "data \(text)",
        expected: "inkml:PATH?unit=formula with the keys \(known.joined(separator: ", "))",
        found: "another format or key")
    }
    let path = text.prefix { $0 != "?" }
    let query = rest.isEmpty ? "" : "?" + rest.joined(separator: "&")
    specification = try DataSpecification(parsing: path + query)
  }

  /// The origins of the data, for the card of a model.
  ///
  /// - Throws: `DataError`.
  package func origins() throws(DataError) -> [DataOrigin] { try specification.origins() }

  /// Reads the records.
  ///
  /// - Returns: The records, and the errors of the files that could not be read.
  /// - Throws: `FormulaError` or `DataError` if there is nothing to read.
  package func records() throws -> (records: [LabeledFormula], errors: [FormulaError]) {
    var (records, errors) = try FormulaFile.records(
      at: DataSpecification.locate(specification.path))
    if let pattern = specification.writers {
      let expression = try Self.expression(pattern, in: text)
      records = records.filter { $0.writer?.wholeMatch(of: expression) != nil }
    }
    records = records.enumerated().filter { $0.offset % specification.every == 0 }.map(\.element)
    if let limit = specification.limit { records = Array(records.prefix(limit)) }
    return (records, errors)
  }

  private static func expression(
    _ pattern: String, in text: String
  ) throws(DataError) -> Regex<AnyRegexOutput> {
    do {
      return try Regex(pattern)
    } catch {
      throw DataError(
        .malformedSpecification, in: "data \(text)", expected: "a regular expression in writers=",
        found: "another text")
    }
  }
}
