import InkCore
import InkDatasets
import Metrics
import Recognition

/// Measures a model on ink as other people, pens or programs would have written it: with fewer
/// points, on a coarse grid, slanted, with dots at the end.
///
/// Each ink is read unchanged and with every disturbance of its kind.
package struct Robustness: Sendable {
  /// The results with one disturbance.
  package struct Row: Sendable {
    /// The disturbance; nil for unchanged ink.
    package let disturbance: InkDisturbance?
    /// An ink of the data with this disturbance.
    package fileprivate(set) var example: LabeledInk?
    /// The number of wrong labels, or of character edits.
    fileprivate var errors = 0
    /// The number of inks, or of characters.
    fileprivate var total = 0

    /// The error rate of inks or characters; nil if there are none.
    package var errorRate: Double? { total > 0 ? Double(errors) / Double(total) : nil }

    /// The name of the row in JSON.
    package var name: String { disturbance?.rawValue ?? Robustness.undisturbed }

    /// A short description of the disturbance.
    package var title: String { Robustness.title(of: name) }
  }

  /// The results, unchanged ink first.
  package private(set) var rows: [Row]

  /// The name of unchanged ink in ``figures``.
  package static let undisturbed = "asWritten"

  /// Error rates by the names of disturbances, and of ``undisturbed``: for glyphs, the share with a
  /// wrong best candidate; for lines, the character error rate.
  package var figures: [String: Double] {
    Dictionary(rows.compactMap { row in row.errorRate.map { (row.name, $0) } }) { first, _ in first
    }
  }

  /// A short description of a figure's disturbance.
  package static func title(of name: String) -> String {
    InkDisturbance(rawValue: name)?.title ?? "as it was written"
  }

  /// The names of figures in display order.
  package static let order = [undisturbed] + InkDisturbance.allCases.map(\.rawValue)

  /// Reads every record of the data with a glyph recogniser.
  ///
  /// - Parameters:
  ///   - recognizer: The recogniser to measure.
  ///   - data: The data to disturb and read.
  ///   - seed: The seed of the random disturbances.
  ///   - progress: Called after every record with the number of records so far.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, or the error of an outside
  ///   program that answers no more.
  package init(
    glyphs recognizer: any Recognizer, on data: [DataSpecification], seed: UInt64 = 1,
    progress: (Int) -> Void = { _ in }
  ) throws {
    try self.init(.glyphs, on: data, seed: seed, progress) { labeled, _, place in
      let context = RecognitionContext(writingArea: labeled.writingArea)
      let result = try recognizer.answer(
        labeled.ink, context: context, maximumCandidates: 1, place: place)
      return (result?.candidates.first?.text == labeled.label ? 0 : 1, 1)
    }
  }

  /// Reads every record of the data with a line recogniser.
  ///
  /// - Parameters:
  ///   - reader: What reads.
  ///   - data: What is disturbed and read.
  ///   - reading: How texts are found.
  ///   - layout: Whether an ink is a line or a page.
  ///   - seed: Of the random disturbances.
  ///   - progress: Called after every record with the number of records so far.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, or the error of an outside
  ///   program that answers no more.
  package init(
    lines reader: LineReader, on data: [DataSpecification],
    reading: LineEvaluation.Reading, layout: InkLayout = .auto, seed: UInt64 = 1,
    progress: (Int) -> Void = { _ in }
  ) throws {
    try self.init(.lines, on: data, seed: seed, progress) { labeled, format, place in
      let text = TextErrorRate.reference(labeled.label, without: format.crossedOutMarks)
      let context = RecognitionContext(writingArea: labeled.writingArea, layout: layout)
      var timings = LineTimings()
      let read = try reader.read(
        labeled, context, reading, candidates: 1, place: place, &timings
      )?.candidates.first?.text
      var errors = TextErrorRate()
      errors.add(reference: text, hypothesis: read)
      return (errors.characters.total, errors.characters.referenceCount)
    }
  }

  private init(
    _ subject: InkDisturbance.Subject, on data: [DataSpecification], seed: UInt64,
    _ progress: (Int) -> Void,
    read: (LabeledInk, DataFormat, _ place: String) throws -> (errors: Int, total: Int)?
  ) throws {
    rows = ([nil] + InkDisturbance.all(of: subject)).map { Row(disturbance: $0) }
    var count = 0
    for specification in data {
      for case .success(let record) in try specification.records()
      where (try? record.labeled.ink.validate()) != nil {
        for index in rows.indices {
          var generator = SeededGenerator(seed: seed, UInt64(count), UInt64(index))
          let labeled =
            rows[index].disturbance?.apply(to: record.labeled, using: &generator) ?? record.labeled
          let place = "\(record.place(count)), \(rows[index].title)"
          guard let (errors, total) = try read(labeled, specification.format, place)
          else { continue }
          rows[index].errors += errors
          rows[index].total += total
          if rows[index].example == nil { rows[index].example = labeled }
        }
        count += 1
        progress(count)
      }
    }
  }
}
