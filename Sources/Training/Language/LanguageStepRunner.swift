import InkCore
import LinearAlgebra
import Networks

/// Optimisation steps of a recurrent language model.
final class LanguageStepRunner: Sendable {
  private let network: SequenceNetwork
  private let set: LanguageTrainingSet
  private let optimizer: AdamW
  private let configuration: LanguageTrainingConfiguration
  private let steps: ShardedStep<LanguageShard>

  init(
    network: SequenceNetwork, set: LanguageTrainingSet, optimizer: AdamW,
    configuration: LanguageTrainingConfiguration, workers: Int
  ) {
    self.network = network
    self.set = set
    self.optimizer = optimizer
    self.configuration = configuration
    steps = ShardedStep(
      (0..<configuration.shards).map { _ in LanguageShard(network, configuration.precision) },
      network.parameters, count: network.parameterCount, optimizer: optimizer, workers: workers)
  }

  /// Computes the gradients of `batch` and updates the weights.
  ///
  /// - Returns: The sums over the symbols that were foretold.
  func run(_ batch: [Int], step: AdamW.Step) -> StepOutcome {
    let symbols = batch.reduce(0) { $0 + set.passages[$1].steps }
    let active = min(configuration.shards, batch.count)
    return steps.run(
      active: active, step, maximumNorm: configuration.maximumGradientNorm
    ) { shard, index in
      shard.run(
        stride(from: index, to: batch.count, by: active).lazy.map { self.set.passages[batch[$0]] },
        of: set, network, optimizer.parameters,
        dropoutSeed: SeededGenerator.value(
          configuration.seed, 3, UInt64(step.number), UInt64(index)),
        gradientScale: 1 / Float(symbols))
    }
  }
}

/// The buffers and the work of one micro-shard.
private final class LanguageShard: TrainingShard {
  let gradients: AlignedBuffer
  private(set) var outcome = StepOutcome()
  private let workspace: SequenceNetwork.Workspace
  private var batch = LanguageBatch()
  private let unit: BFloat16Unit?

  init(_ network: SequenceNetwork, _ precision: TrainingPrecision) {
    gradients = AlignedBuffer(count: network.parameterCount)
    workspace = network.makeWorkspace(training: true)
    unit = precision.makeUnit()
  }

  func run(
    _ passages: some Sequence<LanguageTrainingSet.Passage>, of set: LanguageTrainingSet,
    _ network: SequenceNetwork, _ parameters: AlignedBuffer, dropoutSeed: UInt64,
    gradientScale: Float
  ) {
    batch.load(passages, of: set, into: workspace)
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true, seed: dropoutSeed, unit: unit)
    let output = network.forward(workspace, context: context)
    let rows = batch.targets.count
    let sums = Kernels.softmaxCrossEntropy(
      output, labels: batch.targets, rows: rows, columns: network.architecture.classes,
      smoothing: 0, scale: gradientScale)
    outcome = StepOutcome(loss: sums.loss, units: rows, correct: sums.correct)
    network.backward(workspace, logitGradient: output, context: context)
  }
}
