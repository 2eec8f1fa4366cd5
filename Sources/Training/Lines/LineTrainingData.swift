import InkDatasets
import Metrics

/// Training and validation lines read from named data, with what a model must know of them.
public struct LineTrainingData: Sendable {
  /// The training lines; its labels are the model's symbols.
  public let training: LineTrainingSet
  /// The validation lines.
  public let validation: LineTrainingSet
  /// Which records these are.
  public let identity: DataIdentity
  /// Different writers among the training lines; nil where the data names none.
  public let writers: Int?
  /// Inks of both that name no writer.
  public let unnamed: Int
  /// Different validation writers that are training writers of the same data too.
  public let sharedWriters: Int
  /// Records that could not be used.
  public let rejected: RejectedRecords

  /// A symbol that fewer training lines have is not learned: the network would never write it.
  public static let minimumLines = 3

  /// Reads the data. Texts become references, as `TextErrorRate` compares them.
  ///
  /// - Parameter knownSymbols: Those that the model goes on knowing whether the data has them or not.
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened.
  public init(
    training: [DataSpecification], validation: [DataSpecification], knownSymbols: [String] = []
  ) throws {
    var rejected = RejectedRecords()
    let first = try TrainingReading(training, skipsPoorQuality: true, &rejected)
    let second = try TrainingReading(validation, skipsPoorQuality: false, &rejected)
    var counts: [Character: Int] = [:]
    let texts = first.samples.map(\.text)
    for text in texts { for symbol in Set(text) { counts[symbol, default: 0] += 1 } }
    // A small set keeps all: there, every line counts.
    let least = first.samples.count < 200 ? 1 : Self.minimumLines
    let learned = counts.filter { $0.value >= least }.keys.map(String.init)
    let labels = Set(learned).union(knownSymbols).sorted()
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
  /// One text for one person.
  var description: String { "\(name) of \(path)" }
}

extension TrainingReading.Sample {
  /// What was written: the label without marks of crossed-out ink and doubled spaces.
  fileprivate var text: String {
    TextErrorRate.reference(label, without: format.crossedOutMarks)
  }
}
