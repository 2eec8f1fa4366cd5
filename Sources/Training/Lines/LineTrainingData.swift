import InkDatasets
import Metrics
import Recognition

/// Training and validation lines read from named data, with the facts that a model records about
/// them.
public struct LineTrainingData: Sendable {
  /// The training lines. Their labels are the symbols of the model.
  public let training: LineTrainingSet
  /// The validation lines.
  public let validation: LineTrainingSet
  /// The identity of the records.
  public let identity: DataIdentity
  /// The number of different writers among the training lines; nil if the data names none.
  public let writers: Int?
  /// The number of training and validation inks that name no writer.
  public let unnamed: Int
  /// The number of validation writers that are also training writers of the same data.
  public let sharedWriters: Int
  /// The records that could not be used.
  public let rejected: RejectedRecords

  /// The fewest training lines with a symbol. The network would never write a rarer one, so it is
  /// left out.
  public static let minimumLines = 3
  /// The fewest training lines with a character of several scalars, such as a letter and a combining
  /// mark. The scalars of a rarer one are symbols instead.
  public static let minimumClusterLines = 20

  /// Reads the data. Texts are normalised to references as `TextErrorRate` compares them.
  ///
  /// - Parameters:
  ///   - training: The training data.
  ///   - validation: The validation data.
  ///   - knownSymbols: Symbols that the model keeps even if the data lacks them.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public init(
    training: [DataSpecification], validation: [DataSpecification], knownSymbols: [String] = []
  ) throws {
    var rejected = RejectedRecords()
    let first = try TrainingReading(training, skipsPoorQuality: true, &rejected)
    let second = try TrainingReading(validation, skipsPoorQuality: false, &rejected)
    let texts = first.samples.map(\.text)
    // A small set keeps all symbols.
    let isSmall = first.samples.count < 200
    let labels = TextSymbols.symbols(
      of: texts, keeping: knownSymbols, least: isSmall ? 1 : Self.minimumLines,
      leastOfClusters: isSmall ? 1 : Self.minimumClusterLines)
    var trainingSet = LineTrainingSet(labels: labels)
    for (sample, text) in zip(first.samples, texts) {
      rejected.add(
        trainingSet.append(
          sample.trajectory, area: sample.area, text: text, level: sample.level,
          writer: sample.writer?.description, for: .training))
    }
    var validationSet = LineTrainingSet(labels: labels)
    for sample in second.samples {
      rejected.add(
        validationSet.append(
          sample.trajectory, area: sample.area, text: sample.text,
          writer: sample.writer?.description, for: .validation))
    }
    self.training = trainingSet
    self.validation = validationSet
    identity = DataIdentity(training: first.hash, validation: second.hash)
    writers = first.writers.isEmpty ? nil : first.writers.count
    unnamed = first.unnamed + second.unnamed
    sharedWriters = first.writers.intersection(second.writers).count
    self.rejected = rejected
  }
}

extension RejectedRecords {
  fileprivate mutating func add(_ refusal: LineTrainingSet.Refusal?) {
    switch refusal {
    case nil: break
    case .empty?: empty += 1
    case .unknownSymbol?: unknownLabel += 1
    case .tooShort?: tooShort += 1
    }
  }
}

extension TrainingReading.Writer: CustomStringConvertible {
  /// A text that identifies one person.
  var description: String { "\(name) of \(path)" }
}

extension TrainingReading.Sample {
  /// The written text: the label without marks for crossed-out ink and without doubled spaces.
  fileprivate var text: String {
    TextErrorRate.reference(label, without: format.crossedOutMarks)
  }
}
