import InkDatasets

/// The training data of any kind of model.
public protocol TrainingData: Sendable {
  /// The identity of the records.
  var identity: DataIdentity { get }
  /// The origins of the training data.
  var origins: [DataOrigin] { get }
  /// The number of different writers among the training inks; nil if the data names none.
  var writers: Int? { get }
  /// The number of training and validation inks that name no writer.
  var unnamed: Int { get }
  /// The number of validation writers that are also training writers of the same data.
  var sharedWriters: Int { get }
  /// The records that could not be used.
  var rejected: RejectedRecords { get }
  /// The outcome of looking for the indexes of training and validation data.
  var indexes: [DataIndexUse] { get }
  /// The number of training samples: inks, or lines.
  var trainingCount: Int { get }
  /// The number of validation inks.
  var validationCount: Int { get }
}

extension GlyphTrainingData: TrainingData {
  /// The number of training inks.
  public var trainingCount: Int { training.samples.count }
  /// The number of validation inks.
  public var validationCount: Int { validation.samples.count }
}

extension LineTrainingData: TrainingData {
  /// The number of training lines.
  public var trainingCount: Int { training.samples.count }
  /// The number of validation inks.
  public var validationCount: Int { validation.samples.count }
}

/// The inks of some data and their writers, counted.
public struct InkCount: Hashable, Sendable {
  /// The number of inks with points.
  public let inks: Int
  /// The number of different writers. The same name in different data counts as different people.
  public let writers: Int

  /// Counts the inks of some data.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - indexing: The place of the indexes of large data.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public init(of data: [DataSpecification], indexing: DataIndexing = .off) throws {
    var rejected = RejectedRecords()
    let reading = try TrainingReading(
      data,
      for: TrainingReading.Purpose(name: "inks, counted", skipsPoorQuality: false, keepsInk: false),
      &rejected, indexing: indexing)
    inks = reading.samples.count
    writers = reading.writers.count
  }
}
