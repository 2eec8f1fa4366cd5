import InkCore
import LinearAlgebra
import Networks

/// The differences between kinds of model: what a sample, a batch, a loss and a score are.
///
/// A ``Trainer`` does the rest. A task is used by one trainer; ``run(_:index:of:_:)`` is called on
/// several threads at once, everything else on the trainer's thread.
public protocol TrainingTask: AnyObject, Sendable {
  /// What decides the outcome.
  associatedtype Configuration: TrainingConfiguration
  /// The samples of one step; each element counts as a sample.
  associatedtype Batch: Collection & Sendable
  /// The buffers of one micro-shard.
  associatedtype Shard: TrainingShard
  /// What comes of training.
  associatedtype Model

  /// What decides the outcome.
  var configuration: Configuration { get }
  /// The classes of the model.
  var labels: [String] { get }
  /// Threads; does not change the result.
  var workers: Int { get }
  /// The network's tensors in a flat buffer of ``parameterCount`` floats.
  var tensors: [Parameter] { get }
  /// The floats of the flat buffer.
  var parameterCount: Int { get }
  /// Steps of one pass over the data.
  var stepsPerEpoch: Int { get }
  /// When a loss is beyond hope.
  var divergence: DivergenceLimit { get }
  /// Whether the share of training samples that were recognised is known without decoding.
  var knowsTrainingAccuracy: Bool { get }
  /// What a checkpoint keeps besides weights and moments, by name.
  var buffers: [(name: String, buffer: AlignedBuffer)] { get }

  /// Sets the first weights: fresh ones, or those of a model to start from.
  ///
  /// - Throws: ``TrainingError/unusableStart`` where that model has other layers.
  func initialize(_ parameters: AlignedBuffer) throws(TrainingError)
  /// Allocates the memory of one micro-shard.
  func makeShard() -> Shard
  /// The batches of an epoch, ``stepsPerEpoch`` of them.
  func batches(_ epoch: EpochContext, observer: (any TrainingObserver)?) -> [Batch]
  /// How many shards work on a batch, and how many units the gradient is the mean over.
  func division(of batch: Batch) -> (shards: Int, units: Int)
  /// Computes the gradients of a shard's part of a batch. Allocates nothing once memory has grown.
  func run(_ shard: Shard, index: Int, of batch: Batch, _ step: StepContext)
  /// Scores weights on the validation data.
  func validate(_ parameters: AlignedBuffer) -> ValidationScore
  /// The finished model, with weights rounded as they are saved.
  func model(of parameters: AlignedBuffer) -> Model
}

extension TrainingTask {
  /// Nothing.
  public var buffers: [(name: String, buffer: AlignedBuffer)] { [] }
  /// False.
  public var knowsTrainingAccuracy: Bool { false }
}

/// The buffers of one micro-shard of a batch, allocated once.
public protocol TrainingShard: AnyObject, SendableMetatype {
  /// The parameters' gradients of its last work.
  var gradients: AlignedBuffer { get }
  /// The sums of its last work.
  var outcome: StepOutcome { get }
}

/// Sums over the samples of an optimisation step.
public struct StepOutcome: Hashable, Sendable {
  /// Loss of all units.
  public var loss: Double
  /// What the loss is an average over: inks for glyph models, characters for line models.
  public var units: Int
  /// Samples that were recognised; 0 where that is not known before decoding.
  public var correct: Int
  /// The length of the whole gradient before clipping.
  public var gradientNorm = 0.0

  /// Makes sums.
  public init(loss: Double = 0, units: Int = 0, correct: Int = 0) {
    self.loss = loss
    self.units = units
    self.correct = correct
  }

  /// The loss of a unit.
  public var meanLoss: Double { loss / Double(max(1, units)) }
}

/// The epoch whose batches are made.
public struct EpochContext: Sendable {
  /// From 0.
  public let epoch: Int
  /// Whether no step of it was taken yet.
  public let begins: Bool
  /// The moving average of the weights.
  public let average: AlignedBuffer

  /// Describes an epoch.
  public init(epoch: Int, begins: Bool, average: AlignedBuffer) {
    self.epoch = epoch
    self.begins = begins
    self.average = average
  }
}

/// What shards of one step share.
public struct StepContext: Sendable {
  /// The epoch, from 0.
  public let epoch: Int
  /// Steps taken, this one included.
  public let number: Int
  /// The weights.
  public let parameters: AlignedBuffer
  /// What gradients are multiplied with: 1 / units of the batch.
  public let gradientScale: Float
  /// Whether inputs stay those of the step before, which leaves features out of a measured time.
  public let reusesInputs: Bool

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
  public func dropoutSeed(_ seed: UInt64, shard: Int) -> UInt64 {
    SeededGenerator.value(seed, 3, UInt64(number), UInt64(shard))
  }
}

/// How good weights are on the validation data.
public struct ValidationScore: Hashable, Sendable {
  /// As ``EpochRecord/validationAccuracy`` says.
  public var accuracy: Double
  /// The same without writing areas; nil where the data has none.
  public var accuracyWithoutArea: Double?
  /// Mean loss.
  public var loss: Double

  /// Makes a score.
  public init(accuracy: Double, accuracyWithoutArea: Double? = nil, loss: Double) {
    self.accuracy = accuracy
    self.accuracyWithoutArea = accuracyWithoutArea
    self.loss = loss
  }
}

/// A mean loss that does not come back.
public struct DivergenceLimit: Hashable, Sendable {
  /// A loss above this, and above three times that of the first step, ends training.
  public var loss: Double
  /// The steps in which the loss may be anything finite; a quarter of those of a short run.
  public var freeSteps: Int

  /// Makes a limit.
  public init(loss: Double, freeSteps: Int) {
    self.loss = loss
    self.freeSteps = freeSteps
  }
}
