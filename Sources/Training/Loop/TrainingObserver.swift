/// What a trainer reports while it runs, and how it is asked to stop.
public protocol TrainingObserver: AnyObject, Sendable {
  /// After every optimisation step, on the training thread: return quickly.
  func trainingDidStep(_ progress: TrainingProgress)
  /// After every pass over the data and its validation.
  func trainingDidFinishEpoch(_ record: EpochRecord)
  /// After lines were cut into words, which are put together to other lines from now on.
  func trainingDidCut(lines: Int, intoWords words: Int)
  /// Asked after every step; true saves a checkpoint and ends with `TrainingError.interrupted`.
  var shouldStop: Bool { get }
}

extension TrainingObserver {
  /// Nothing.
  public func trainingDidCut(lines: Int, intoWords words: Int) {}
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
  /// Share of (augmented) training samples recognised; nil for line and language models.
  public var trainingAccuracy: Double?
  /// On the validation data as it is: top-1 of glyph models, 1 minus the character error rate
  /// without a language model of line models, exp(-``validationLoss``) of language models.
  public var validationAccuracy: Double
  /// The same without writing areas; nil where the data has none.
  public var validationAccuracyWithoutArea: Double?
  /// Mean loss on the validation data: of an ink for glyph models, of a character for line and language
  /// models.
  public var validationLoss: Double
  /// Learning rate of the last step.
  public var rate: Float

  /// Makes a record of its figures.
  public init(
    epoch: Int, trainingLoss: Double, trainingAccuracy: Double? = nil, validationAccuracy: Double,
    validationAccuracyWithoutArea: Double? = nil, validationLoss: Double, rate: Float
  ) {
    self.epoch = epoch
    self.trainingLoss = trainingLoss
    self.trainingAccuracy = trainingAccuracy
    self.validationAccuracy = validationAccuracy
    self.validationAccuracyWithoutArea = validationAccuracyWithoutArea
    self.validationLoss = validationLoss
    self.rate = rate
  }

  /// What training tries to raise: the mean of the accuracies with and without area.
  public var score: Double {
    guard let without = validationAccuracyWithoutArea else { return validationAccuracy }
    return (validationAccuracy + without) / 2
  }
}
