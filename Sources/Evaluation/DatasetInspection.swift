import InkCore
import InkDatasets
import InkFormats

/// The content of a report on a dataset: its summary, some inks of each class, its first bad
/// records.
///
/// Memory is bounded except for the summary, which grows with classes and writers.
package struct DatasetInspection: Sendable {
  /// The most bad records to keep.
  package static let mostBad = 100
  /// The most inks to draw per class, if there are few classes.
  package static let mostPerClass = 6
  /// The most classes with drawings.
  static let mostClasses = 400

  /// The data.
  package let specification: DataSpecification
  /// Counts and distributions.
  package private(set) var summary = DatasetSummary()
  /// Some inks of each class.
  package private(set) var samples = InkSampler(perClass: mostPerClass, classLimit: mostClasses)
  /// The first records that could not be read. If several fail alike in one place, one is kept.
  package private(set) var bad: [InkFormatError] = []

  /// Makes an inspection without records.
  package init(_ specification: DataSpecification) {
    self.specification = specification
  }

  /// Adds a record or a failure. O(points).
  package mutating func add(_ element: Result<InkRecord, InkFormatError>) {
    summary.add(element)
    switch element {
    case .success(let record): samples.add(record.labeled)
    case .failure(let error):
      if bad.count < Self.mostBad, bad.last != error { bad.append(error) }
    }
  }
}
