/// What a trainer reports while it runs, and how it is asked to stop.
public protocol TrainingObserver: AnyObject, Sendable {
  /// After every optimisation step, on the training thread: return quickly.
  func trainingDidStep(_ progress: TrainingProgress)
  /// After every pass over the data and its validation.
  func trainingDidFinishEpoch(_ record: EpochRecord)
  /// Asked after every step; true saves a checkpoint and ends with `TrainingError.interrupted`.
  var shouldStop: Bool { get }
}

/// How far training has come.
public struct TrainingProgress: Hashable, Sendable {
  /// Steps done, of all epochs.
  public var step: Int
  /// Steps in all.
  public var steps: Int
  /// The epoch, from 0, and how many there are.
  public var epoch: Int
  /// Number of epochs.
  public var epochs: Int
  /// Training samples of this step.
  public var samples: Int
  /// Mean loss of this step's samples.
  public var loss: Double
}

/// The figures of one pass over the training data.
public struct EpochRecord: Hashable, Codable, Sendable {
  /// From 0.
  public var epoch: Int
  /// Mean training loss, augmentation and label smoothing included.
  public var trainingLoss: Double
  /// Share of (augmented) training samples recognised; nil for line models.
  public var trainingAccuracy: Double?
  /// On the validation data as it is: top-1 of glyph models, 1 minus the character error rate
  /// without a language model of line models.
  public var validationAccuracy: Double
  /// The same without writing areas; nil where the data has none.
  public var validationAccuracyWithoutArea: Double?
  /// Mean loss on the validation data: of an ink for glyph models, of a character for line models.
  public var validationLoss: Double
  /// Learning rate of the last step.
  public var rate: Float

  /// What training tries to raise: the mean of the accuracies with and without area.
  public var score: Double {
    guard let without = validationAccuracyWithoutArea else { return validationAccuracy }
    return (validationAccuracy + without) / 2
  }
}

/// Why training ended without a model.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No training inks are left after selection.
  case noTrainingData
  /// No validation inks whose labels are known.
  case noValidationData
  /// All training inks have one label.
  case tooFewClasses(found: Int)
  /// The loss or the gradient is not finite, or far above that of guessing.
  case diverged(epoch: Int, step: Int, loss: Double, rate: Float)
  /// Asked to stop; a checkpoint was saved.
  case interrupted(epoch: Int, step: Int)
  /// The model to start from has other layers or features than the configuration.
  case unusableStart
  /// A number of the configuration is out of range.
  case unusableConfiguration(name: String, expected: String, found: String)
  /// Mixed precision was asked of a processor that has no tile unit.
  case noTileUnit
  /// A checkpoint cannot be used.
  case unusableCheckpoint(path: String, reason: String)

  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .noTrainingData:
      "no training inks: expected at least two classes, found none; check --data, split= and labels="
    case .noValidationData:
      "no validation inks with a known label; check --validation (writers must not be in --data)"
    case .tooFewClasses(let found):
      "training data: expected at least 2 classes, found \(found); check --data and labels="
    case .diverged(let epoch, let step, let loss, let rate):
      "training diverged in epoch \(epoch + 1), step \(step): the loss is \(loss) at learning rate "
        + "\(rate); start again with a lower --learning-rate"
    case .interrupted(let epoch, let step):
      "training stopped in epoch \(epoch + 1), step \(step); continue with --resume"
    case .unusableStart:
      "the model to start from has other layers or features than the preset; name its preset"
    case .unusableConfiguration(let name, let expected, let found):
      "training with \(name): expected \(expected), found \(found)"
    case .noTileUnit:
      "mixed precision: expected a processor with matrix tiles (AMX) on Linux, found none; train in "
        + "single precision"
    case .unusableCheckpoint(let path, let reason):
      "\(path): \(reason); delete the folder and start again without --resume"
    }
  }
}

extension TrainingError {
  /// - Throws: ``TrainingError/unusableConfiguration(name:expected:found:)`` where the value is outside
  ///   the range, or is no number.
  static func check<Value: Comparable>(
    _ name: String, _ value: Value, in range: ClosedRange<Value>
  ) throws(TrainingError) {
    guard range.contains(value) else {
      throw .unusableConfiguration(
        name: name, expected: "\(range.lowerBound) to \(range.upperBound)", found: "\(value)")
    }
  }
}
