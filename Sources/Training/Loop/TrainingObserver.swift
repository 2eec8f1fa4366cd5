/// Receives reports from a trainer while it runs, and can ask it to stop.
public protocol TrainingObserver: AnyObject, Sendable {
  /// Called after every optimisation step, on the training thread. Return quickly.
  func trainingDidStep(_ progress: TrainingProgress)
  /// Called after every pass over the data and its validation.
  func trainingDidFinishEpoch(_ record: EpochRecord)
  /// Called after lines were cut into words, which are recombined to other lines from now on.
  func trainingDidCut(lines: Int, intoWords words: Int)
  /// The number of the worst validation errors to report after every epoch; 0 for none.
  var wantedErrors: Int { get }
  /// Called before ``trainingDidFinishEpoch(_:)`` if errors are wanted.
  ///
  /// - Parameters:
  ///   - errors: The worst errors on the validation data, the worst first; at most
  ///     ``wantedErrors``.
  ///   - epoch: The epoch, from 0.
  func trainingDidMisread(_ errors: [MisreadSample], inEpoch epoch: Int)
  /// Asked after every step; true saves a checkpoint and ends with `TrainingError.interrupted`.
  var shouldStop: Bool { get }
}

extension TrainingObserver {
  /// Does nothing.
  public func trainingDidCut(lines: Int, intoWords words: Int) {}
  /// 0.
  public var wantedErrors: Int { 0 }
  /// Does nothing.
  public func trainingDidMisread(_ errors: [MisreadSample], inEpoch epoch: Int) {}
}

/// The progress of training.
public struct TrainingProgress: Hashable, Sendable {
  /// Steps done in all epochs so far.
  public var step: Int
  /// The total number of steps.
  public var steps: Int
  /// The current epoch, from 0.
  public var epoch: Int
  /// The number of epochs.
  public var epochs: Int
  /// Training samples of this step.
  public var samples: Int
  /// Mean loss of this step's samples.
  package var loss: Double
  /// Learning rate of this step.
  package var rate: Float

  package init(
    step: Int, steps: Int, epoch: Int, epochs: Int, samples: Int, loss: Double, rate: Float = 0
  ) {
    self.rate = rate
    self.step = step
    self.steps = steps
    self.epoch = epoch
    self.epochs = epochs
    self.samples = samples
    self.loss = loss
  }
}

/// The figures of one pass over the training data.
public struct EpochRecord: Hashable, Codable, Sendable {
  /// The epoch, from 0.
  public var epoch: Int
  /// Mean training loss, including augmentation and label smoothing.
  package var trainingLoss: Double
  /// Share of (augmented) training samples recognised; nil for line and language models.
  package var trainingAccuracy: Double?
  /// The accuracy on the unchanged validation data: top-1 for glyph models, 1 minus the character
  /// error rate without a language model for line models, exp(-``validationLoss``) for language
  /// models.
  public var validationAccuracy: Double
  /// The same without writing areas; nil if the data has none.
  package var validationAccuracyWithoutArea: Double?
  /// Mean loss on the validation data: per ink for glyph models, per character for line and
  /// language models.
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

  /// The score that training maximises: the mean of the accuracies with and without area.
  public var score: Double {
    guard let without = validationAccuracyWithoutArea else { return validationAccuracy }
    return (validationAccuracy + without) / 2
  }
}
