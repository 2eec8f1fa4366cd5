import InkCore
import InkDatasets
import InkFormats

/// What a report shows of a dataset: its summary, some inks of each class, its first bad records.
///
/// Memory is bounded but for the summary, which grows with classes and writers.
public struct DatasetInspection: Sendable {
  /// Bad records that are kept.
  public static let mostBad = 100
  /// Inks drawn of a class, where there are few classes.
  package static let mostPerClass = 6
  /// Classes that have drawings.
  static let mostClasses = 400

  /// The data.
  public let specification: DataSpecification
  /// Counts and distributions.
  public private(set) var summary = DatasetSummary()
  /// Some inks of each class.
  public private(set) var samples = InkSampler(perClass: mostPerClass, classLimit: mostClasses)
  /// The first records that could not be read; one of several that fail alike at one place.
  public private(set) var bad: [InkFormatError] = []

  /// Begins without records.
  public init(_ specification: DataSpecification) {
    self.specification = specification
  }

  /// Takes a record or a failure into account. O(points).
  public mutating func add(_ element: Result<InkRecord, InkFormatError>) {
    summary.add(element)
    switch element {
    case .success(let record): samples.add(record.labeled)
    case .failure(let error):
      if bad.count < Self.mostBad, bad.last != error { bad.append(error) }
    }
  }
}
