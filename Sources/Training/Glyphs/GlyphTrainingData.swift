import InkDatasets

/// Training and validation inks read from named data, with the facts that a model records about
/// them.
public struct GlyphTrainingData: Sendable {
  /// The training inks. Their labels are the labels of the model.
  public let training: GlyphTrainingSet
  /// The validation inks whose labels the training inks have.
  public let validation: GlyphTrainingSet
  /// The origins of the training data.
  public let origins: [DataOrigin]
  /// The identity of the records.
  public let identity: DataIdentity
  /// The number of different writers among the training inks; nil if the data names none.
  public let writers: Int?
  /// The number of training and validation inks that name no writer.
  public let unnamed: Int
  /// The number of validation writers that are also training writers of the same data.
  public let sharedWriters: Int
  /// The records that could not be used.
  public let rejected: RejectedRecords

  /// The outcome of looking for the indexes of training and validation data.
  public let indexes: [DataIndexUse]

  /// Reads the data.
  ///
  /// - Parameters:
  ///   - training: The training data.
  ///   - validation: The validation data.
  ///   - indexing: The place of the indexes of large data. An index is a file that later readings use
  ///     while data, keys and program are the same, and that is made again otherwise.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public init(
    training: [DataSpecification], validation: [DataSpecification], indexing: DataIndexing = .off
  ) throws {
    var rejected = RejectedRecords()
    let first = try TrainingReading(
      training, for: .glyphs(skippingPoorQuality: true), &rejected, indexing: indexing)
    let second = try TrainingReading(
      validation, for: .glyphs(skippingPoorQuality: false), &rejected, indexing: indexing)
    let labels = first.samples.labels.sorted()
    self.training = GlyphTrainingSet(labels: labels, of: first.samples)
    self.validation = GlyphTrainingSet(labels: labels, of: second.samples)
    rejected.unknownLabel += self.validation.unknownCount
    origins = try training.origins()
    identity = DataIdentity(training: first.hash, validation: second.hash)
    writers = first.writers.isEmpty ? nil : first.writers.count
    unnamed = first.unnamed + second.unnamed
    sharedWriters = first.writers.intersection(second.writers).count
    indexes = [first.index, second.index]
    self.rejected = rejected
  }
}

extension TrainingReading.Purpose {
  fileprivate static func glyphs(skippingPoorQuality skips: Bool) -> Self {
    Self(name: skips ? "inks to train on" : "inks", skipsPoorQuality: skips)
  }
}
