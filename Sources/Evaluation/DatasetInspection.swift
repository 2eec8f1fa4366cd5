import InkCore
import InkDatasets
import InkFormats

/// The content of a report on a dataset: its summary, some inks of each class, its first bad
/// records.
///
/// Memory is bounded except for the summary, which grows with classes and writers.
public struct DatasetInspection: Sendable {
  /// The most bad records to keep.
  public static let mostBad = 100
  /// The most inks to draw per class, if there are few classes.
  package static let mostPerClass = 6
  /// The most classes with drawings.
  static let mostClasses = 400

  /// The data.
  public let specification: DataSpecification
  /// Counts and distributions.
  public private(set) var summary = DatasetSummary()
  /// Some inks of each class.
  public private(set) var samples = InkSampler(perClass: mostPerClass, classLimit: mostClasses)
  /// The first records that could not be read. If several fail alike in one place, one is kept.
  public private(set) var bad: [InkFormatError] = []

  /// Makes an inspection without records.
  public init(_ specification: DataSpecification) {
    self.specification = specification
  }

  /// Adds a record or a failure. O(points).
  public mutating func add(_ element: Result<InkRecord, InkFormatError>) {
    summary.add(element)
    switch element {
    case .success(let record): samples.add(record.labeled)
    case .failure(let error):
      if bad.count < Self.mostBad, bad.last != error { bad.append(error) }
    }
  }
}
