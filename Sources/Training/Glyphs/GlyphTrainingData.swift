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

  /// Reads the data.
  ///
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public init(training: [DataSpecification], validation: [DataSpecification]) throws {
    var rejected = RejectedRecords()
    let first = try TrainingReading(training, skipsPoorQuality: true, &rejected)
    let second = try TrainingReading(validation, skipsPoorQuality: false, &rejected)
    let labels = Set(first.samples.lazy.map(\.label)).sorted()
    var trainingSet = GlyphTrainingSet(labels: labels)
    for sample in first.samples {
      trainingSet.append(sample.trajectory, area: sample.area, label: sample.label)
    }
    var validationSet = GlyphTrainingSet(labels: labels)
    for sample in second.samples
    where !validationSet.append(sample.trajectory, area: sample.area, label: sample.label) {
      rejected.unknownLabel += 1
      validationSet.unknownCount += 1
    }
    origins = try training.origins()
    self.training = trainingSet
    self.validation = validationSet
    identity = DataIdentity(training: first.hash, validation: second.hash)
    writers = first.writers.isEmpty ? nil : first.writers.count
    unnamed = first.unnamed + second.unnamed
    sharedWriters = first.writers.intersection(second.writers).count
    self.rejected = rejected
  }
}
