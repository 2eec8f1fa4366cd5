import LinearAlgebra

/// A trainer whose state can be saved and restored.
public protocol ResumableTrainer: AnyObject {
  /// What decides the outcome.
  associatedtype Configuration: TrainingConfiguration
  /// What comes of training.
  associatedtype Model

  /// What decides the outcome.
  var configuration: Configuration { get }
  /// The classes of the model.
  var labels: [String] { get }
  /// Steps of one pass over the data.
  var stepsPerEpoch: Int { get }
  /// What it does as all trainers do.
  var loop: TrainingLoop { get }
  /// Trains to the end, from where the state is, saving checkpoints as it goes.
  ///
  /// - Returns: the model of the epoch that is kept, as it is saved.
  /// - Throws: ``TrainingError``, or what `save` throws.
  func train(observer: (any TrainingObserver)?, save: ((Self) throws -> Void)?) throws -> Model
}

extension ResumableTrainer {
  /// Where training stands.
  public var state: TrainingState { loop.state }

  /// The figures of the epoch whose weights are kept so far; nil before the first ends.
  public var keptRecord: EpochRecord? { loop.keptRecord }

  /// Wall time of training so far, of all sessions of a resumed run.
  public var seconds: Double { loop.seconds }
}
