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
  /// Where training stands.
  var state: TrainingState { get set }
  /// The figures of the epoch whose weights are the best so far; nil before the first ends.
  var bestRecord: EpochRecord? { get }
  /// Wall time of training so far, of all sessions of a resumed run.
  var seconds: Double { get }
  /// All floats that the state needs, by name.
  var buffers: [(String, AlignedBuffer)] { get }
  /// Trains to the end, from where the state is, saving checkpoints as it goes.
  func train(observer: (any TrainingObserver)?, save: ((Self) throws -> Void)?) throws -> Model
}
