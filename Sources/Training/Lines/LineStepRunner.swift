import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks

/// Optimisation steps of a line network.
///
/// Random numbers are addressed by (seed, epoch, sample) or (seed, step, shard). Memory grows to the
/// longest lines seen; once it has, a step allocates nothing but what starting the workers needs.
final class LineStepRunner: Sendable {
  struct Settings {
    var seed: UInt64
    var shards: Int
    var workers: Int
    var precision: TrainingPrecision
    var augmentation: LineAugmentation
  }

  let network: SequenceNetwork
  let optimizer: AdamW
  private let settings: Settings
  private let steps: ShardedStep<LineShard>

  init(
    network: SequenceNetwork, pipeline: LinePipeline, optimizer: AdamW, settings: Settings
  ) {
    self.network = network
    self.optimizer = optimizer
    self.settings = settings
    steps = ShardedStep(
      (0..<settings.shards).map { _ in LineShard(network, pipeline, settings.precision) },
      network.parameters, count: network.parameterCount, optimizer: optimizer,
      workers: settings.workers)
  }

  /// Computes the gradients of `batch` and updates the weights.
  ///
  /// Lines of a batch are in order of length. They are dealt to the shards in turn, so that shards
  /// take about the same time.
  ///
  /// - Returns: The sums over the characters of the lines that were long enough for their texts.
  func run(
    _ batch: [LineEpochOrder.Line], of set: LineTrainingSet, epoch: Int, step: AdamW.Step,
    maximumNorm: Double
  ) -> StepOutcome {
    let characters = batch.reduce(0) { $0 + set.labelCount(of: $1) }
    let active = min(settings.shards, batch.count)
    return steps.run(active: active, step, maximumNorm: maximumNorm) { shard, index in
      shard.run(
        batch, from: index, of: set, network, optimizer.parameters, settings, epoch: epoch,
        dropoutSeed: SeededGenerator.value(
          settings.seed, 3, UInt64(step.number), UInt64(index)),
        gradientScale: 1 / Float(max(1, characters)))
    }
  }
}

/// The buffers and the work of one micro-shard.
private final class LineShard: TrainingShard {
  let gradients: AlignedBuffer
  private(set) var outcome = StepOutcome()
  private let pipeline: LinePipeline
  private let workspace: SequenceNetwork.Workspace
  private var composers: [LineComposer] = []
  private var line = NormalizedLine()
  private var batch: LineBatch
  private var scratch = AlignedBuffer(count: 0)
  private let unit: BFloat16Unit?

  init(_ network: SequenceNetwork, _ pipeline: LinePipeline, _ precision: TrainingPrecision) {
    gradients = AlignedBuffer(count: network.parameterCount)
    self.pipeline = pipeline
    workspace = network.makeWorkspace(training: true)
    batch = LineBatch(pipeline)
    unit = precision.makeUnit()
  }

  /// Runs every `settings.shards`-th line of a batch, from `first` on.
  func run(
    _ lines: [LineEpochOrder.Line], from first: Int, of set: LineTrainingSet,
    _ network: SequenceNetwork, _ parameters: AlignedBuffer,
    _ settings: LineStepRunner.Settings, epoch: Int, dropoutSeed: UInt64, gradientScale: Float
  ) {
    outcome = StepOutcome()
    batch.removeAll()
    for index in stride(from: first, to: lines.count, by: settings.shards) {
      let (words, place) = (lines[index], index / settings.shards)
      var generator = SeededGenerator(seed: settings.seed, 2, UInt64(epoch), UInt64(words[0]))
      if composers.count == place { composers.append(LineComposer()) }
      composers[place].compose(words, of: set, using: &generator)
      composers[place].line.copy(into: &line)
      let spacing = settings.augmentation.apply(to: &line, using: &generator)
      batch.append(line, index: place, spacing: spacing) { encoder in
        // Curves are as long as they are; points stand so far apart.
        let stepLength =
          pipeline.curveError == nil
          ? spacing * pipeline.spacing
          : line.trajectory.pathLength / Float(max(1, encoder.steps))
        settings.augmentation.forEachMask(
          steps: encoder.steps, stepLength: stepLength, using: &generator
        ) { encoder.mask($0) }
      }
    }
    batch.load(into: workspace)
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true, seed: dropoutSeed, unit: unit)
    let output = network.forward(workspace, context: context)
    for (row, place) in batch.order.enumerated() {
      addLoss(output, row, composers[place].labels, network, gradientScale)
    }
    network.backward(workspace, logitGradient: output, context: context)
  }

  /// Replaces one line's rows by the gradient of its loss.
  private func addLoss(
    _ output: UnsafeMutablePointer<Float>, _ row: Int, _ labels: [Int32],
    _ network: SequenceNetwork, _ scale: Float
  ) {
    let layout = workspace.outputSequences
    let needed = ConnectionistTemporalClassification.scratchCount(
      steps: layout.lengths[row], labels: labels.count)
    if scratch.count < needed { scratch = AlignedBuffer(count: needed + needed / 4) }
    let value = ConnectionistTemporalClassification.loss(
      output, classes: network.architecture.classes, sequence: row, of: layout, labels: labels,
      scratch: scratch.pointer, scale: scale)
    // A line that is too short for its text has no gradient: it does not count. Any other has a loss,
    // infinite only where the weights have grown beyond bounds.
    let steps = ConnectionistTemporalClassification.minimumSteps(for: labels)
    guard steps <= layout.lengths[row] else { return }
    outcome.loss += value
    outcome.units += labels.count
  }
}
