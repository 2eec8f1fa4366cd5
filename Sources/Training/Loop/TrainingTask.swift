import InkCore
import LinearAlgebra
import Networks

/// The differences between kinds of model: the meaning of a sample, a batch, a loss and a score.
///
/// A ``Trainer`` does the rest. One trainer uses a task: it calls ``run(_:index:of:_:)`` on several
/// threads at once, everything else on its own thread.
public protocol TrainingTask: AnyObject, Sendable {
  /// The settings that determine the result.
  associatedtype Configuration: TrainingConfiguration
  /// The samples of one step; each element counts as a sample.
  associatedtype Batch: Collection & Sendable
  /// The buffers of one micro-shard.
  associatedtype Shard: TrainingShard
  /// The finished model.
  associatedtype Model

  /// The settings that determine the result.
  var configuration: Configuration { get }
  /// The classes of the model.
  var labels: [String] { get }
  /// The number of threads; the result does not depend on it.
  var workers: Int { get }
  /// The network's tensors in a flat buffer of ``parameterCount`` floats.
  var tensors: [Parameter] { get }
  /// The floats of the flat buffer.
  var parameterCount: Int { get }
  /// Steps of one pass over the data.
  var stepsPerEpoch: Int { get }
  /// The loss that counts as diverged.
  var divergence: DivergenceLimit { get }
  /// True if the share of recognised training samples is known without decoding.
  var knowsTrainingAccuracy: Bool { get }
  /// Buffers that a checkpoint keeps in addition to weights and moments, by name.
  var buffers: [(name: String, buffer: AlignedBuffer)] { get }

  /// Sets the first weights: fresh weights, or those of a model to start from.
  ///
  /// - Throws: ``TrainingError/unusableStart`` if that model has other layers.
  func initialize(_ parameters: AlignedBuffer) throws(TrainingError)
  /// Allocates the memory of one micro-shard.
  func makeShard() -> Shard
  /// The batches of an epoch, ``stepsPerEpoch`` of them.
  func batches(_ epoch: EpochContext, observer: (any TrainingObserver)?) -> [Batch]
  /// Returns the number of shards for a batch and the number of units that the gradient is averaged
  /// over.
  func division(of batch: Batch) -> (shards: Int, units: Int)
  /// Computes the gradients of a shard's part of a batch. Allocates memory only for inputs larger
  /// than before.
  func run(_ shard: Shard, index: Int, of batch: Batch, _ step: StepContext)
  /// Scores weights on the validation data.
  func validate(_ parameters: AlignedBuffer) -> ValidationScore
  /// Scores weights on the validation data, and returns the worst errors, the worst first.
  ///
  /// The score is that of ``validate(_:)``.
  ///
  /// - Parameters:
  ///   - parameters: The weights.
  ///   - errors: The most errors to return.
  func validate(
    _ parameters: AlignedBuffer, keepingErrors errors: Int
  ) -> (score: ValidationScore, errors: [MisreadSample])
  /// The finished model, with weights rounded as they are saved.
  func model(of parameters: AlignedBuffer) -> Model
}

extension TrainingTask {
  /// None.
  public var buffers: [(name: String, buffer: AlignedBuffer)] { [] }
  /// False.
  public var knowsTrainingAccuracy: Bool { false }
  /// The score without errors, for tasks whose errors cannot be shown.
  public func validate(
    _ parameters: AlignedBuffer, keepingErrors errors: Int
  ) -> (score: ValidationScore, errors: [MisreadSample]) {
    (validate(parameters), [])
  }
}

/// The buffers of one micro-shard of a batch, allocated once.
public protocol TrainingShard: AnyObject, SendableMetatype {
  /// The gradients of the parameters, from the last run.
  var gradients: AlignedBuffer { get }
  /// The sums of the last run.
  var outcome: StepOutcome { get }
}

/// Sums over the samples of an optimisation step.
public struct StepOutcome: Hashable, Sendable {
  /// The loss of all units.
  package var loss: Double
  /// The number of units that the loss is averaged over: inks for glyph models, characters for line
  /// models.
  package var units: Int
  /// The number of recognised samples; 0 if that is not known without decoding.
  package var correct: Int
  /// The length of the whole gradient before clipping.
  package var gradientNorm = 0.0

  /// Makes sums.
  public init(loss: Double = 0, units: Int = 0, correct: Int = 0) {
    self.loss = loss
    self.units = units
    self.correct = correct
  }

  /// The loss of a unit.
  package var meanLoss: Double { loss / Double(max(1, units)) }
}

/// The epoch to make batches for.
public struct EpochContext: Sendable {
  /// The epoch, from 0.
  public let epoch: Int
  /// True if no step of the epoch has been taken.
  package let begins: Bool
  /// The moving average of the weights.
  package let average: AlignedBuffer

  /// Describes an epoch.
  public init(epoch: Int, begins: Bool, average: AlignedBuffer) {
    self.epoch = epoch
    self.begins = begins
    self.average = average
  }
}

/// The values that the shards of one step share.
public struct StepContext: Sendable {
  /// The epoch, from 0.
  public let epoch: Int
  /// The number of this step, from 1.
  public let number: Int
  /// The weights.
  package let parameters: AlignedBuffer
  /// The factor on gradients: 1 / units of the batch.
  package let gradientScale: Float
  /// True if inputs of the previous step are reused, so that a measured time excludes features.
  package let reusesInputs: Bool

  /// Describes a step.
  public init(
    epoch: Int, number: Int, parameters: AlignedBuffer, gradientScale: Float,
    reusesInputs: Bool = false
  ) {
    self.epoch = epoch
    self.number = number
    self.parameters = parameters
    self.gradientScale = gradientScale
    self.reusesInputs = reusesInputs
  }

  /// The seed of a shard's dropout in this step.
  package func dropoutSeed(_ seed: UInt64, shard: Int) -> UInt64 {
    SeededGenerator.value(seed, 3, UInt64(number), UInt64(shard))
  }
}

/// The score of weights on the validation data.
public struct ValidationScore: Hashable, Sendable {
  /// See ``EpochRecord/validationAccuracy``.
  public var accuracy: Double
  /// The same without writing areas; nil if the data has none.
  package var accuracyWithoutArea: Double?
  /// Mean loss.
  package var loss: Double

  /// Makes a score.
  public init(accuracy: Double, accuracyWithoutArea: Double? = nil, loss: Double) {
    self.accuracy = accuracy
    self.accuracyWithoutArea = accuracyWithoutArea
    self.loss = loss
  }
}

/// A mean loss from which training does not recover.
public struct DivergenceLimit: Hashable, Sendable {
  /// A loss above this value, and above three times that of the first step, ends training.
  package var loss: Double
  /// The first steps in which any finite loss is allowed; for short runs, a quarter of the steps.
  package var freeSteps: Int

  /// Makes a limit.
  public init(loss: Double, freeSteps: Int) {
    self.loss = loss
    self.freeSteps = freeSteps
  }
}
