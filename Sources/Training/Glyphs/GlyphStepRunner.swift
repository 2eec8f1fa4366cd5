import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks

/// Optimisation steps of a glyph network.
///
/// Random numbers are addressed by (seed, epoch, sample) or (seed, step, shard). Buffers are
/// allocated once.
final class GlyphStepRunner: Sendable {
  struct Settings {
    var seed: UInt64
    var shards: Int
    var shardSize: Int
    var workers: Int
    var labelSmoothing: Float
    var precision: TrainingPrecision
    var augmentation: Augmentation
  }

  let network: GlyphNetwork
  let optimizer: AdamW
  private let settings: Settings
  private let set: GlyphTrainingSet
  private let steps: ShardedStep<GlyphShard>

  init(
    network: GlyphNetwork, pipeline: FeaturePipeline, set: GlyphTrainingSet, optimizer: AdamW,
    settings: Settings
  ) {
    self.network = network
    self.optimizer = optimizer
    self.settings = settings
    self.set = set
    steps = ShardedStep(
      (0..<settings.shards).map { _ in
        GlyphShard(
          network, FeatureExtractor(pipeline), size: settings.shardSize, settings.precision)
      }, network.parameters, count: network.parameterCount, optimizer: optimizer,
      workers: settings.workers)
  }

  /// The inks of a shard are normalised by themselves: of one ink alone nothing would be left, and fewer
  /// than so many tell too little.
  private static let fewestInks = 8

  /// The inks of each shard of a batch.
  static func shardSize(of count: Int, shards: Int) -> Int {
    let active = min(shards, max(1, count / fewestInks))
    return (count + active - 1) / active
  }

  /// The inks of the largest shard of batches of at most so many.
  static func largestShard(batchSize: Int, shards: Int) -> Int {
    max(shardSize(of: batchSize, shards: shards), min(batchSize, 2 * fewestInks - 1))
  }

  /// Computes the gradients of `batch` (indices into the set; shards take consecutive parts) and
  /// updates the weights.
  ///
  /// - Parameter reusingInputs: Keeps the inputs and labels of the step before, for benchmarks.
  func run(
    _ batch: ArraySlice<Int>, epoch: Int, step: AdamW.Step, maximumNorm: Double,
    reusingInputs: Bool = false
  ) -> StepOutcome {
    let size = Self.shardSize(of: batch.count, shards: settings.shards)
    let active = (batch.count + size - 1) / size
    return steps.run(active: active, step, maximumNorm: maximumNorm) { shard, index in
      let start = batch.startIndex + index * size
      let part = batch[start..<min(start + size, batch.endIndex)]
      shard.run(
        part, of: set, network, optimizer.parameters, settings, epoch: epoch,
        dropoutSeed: SeededGenerator.value(
          settings.seed, 3, UInt64(step.number), UInt64(index)),
        gradientScale: 1 / Float(batch.count), reusingInputs: reusingInputs)
    }
  }
}

/// The buffers and the work of one micro-shard.
private final class GlyphShard: TrainingShard {
  let gradients: AlignedBuffer
  private(set) var outcome = StepOutcome()
  private var extractor: FeatureExtractor
  private var trajectory = Trajectory()
  private let input: GlyphInput
  private let workspace: GlyphNetwork.Workspace
  private let labels: LabelBuffer
  private let unit: BFloat16Unit?

  init(
    _ network: GlyphNetwork, _ extractor: FeatureExtractor, size: Int,
    _ precision: TrainingPrecision
  ) {
    gradients = AlignedBuffer(count: network.parameterCount)
    self.extractor = extractor
    input = GlyphInput(network.architecture, batch: size)
    workspace = network.makeWorkspace(batch: size, training: true)
    labels = LabelBuffer(count: size)
    unit = precision.makeUnit()
  }

  func run(
    _ part: ArraySlice<Int>, of set: GlyphTrainingSet, _ network: GlyphNetwork,
    _ parameters: AlignedBuffer, _ settings: GlyphStepRunner.Settings, epoch: Int,
    dropoutSeed: UInt64, gradientScale: Float, reusingInputs: Bool
  ) {
    outcome = StepOutcome()
    guard !part.isEmpty else { return }
    if !reusingInputs {
      for (row, index) in part.enumerated() { load(row, index, set, settings, network, epoch) }
    }
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true, seed: dropoutSeed, unit: unit)
    let logits = network.forward(input, batch: part.count, workspace: workspace, context: context)
    guard let gradient = network.logitGradient(workspace) else { return }
    gradient.update(from: logits, count: part.count * network.classes)
    outcome.units = part.count
    (outcome.loss, outcome.correct) = Kernels.softmaxCrossEntropy(
      gradient, labels: labels.pointer, rows: part.count, columns: network.classes,
      smoothing: settings.labelSmoothing, scale: gradientScale)
    network.backward(input, batch: part.count, workspace: workspace, context: context)
  }

  /// Augments and encodes one sample into row `row` of the input.
  private func load(
    _ row: Int, _ index: Int, _ set: GlyphTrainingSet, _ settings: GlyphStepRunner.Settings,
    _ network: GlyphNetwork, _ epoch: Int
  ) {
    let sample = set.samples[index]
    var generator = SeededGenerator(seed: settings.seed, 2, UInt64(epoch), UInt64(index))
    var area = sample.area
    sample.trajectory.copy(into: &trajectory)
    settings.augmentation.apply(to: &trajectory, area: &area, using: &generator)
    labels.pointer[row] = sample.label
    let architecture = network.architecture
    extractor.extract(
      trajectory, area: area,
      sequence: input.sequence.pointer + row * architecture.sequence.count,
      maps: input.maps.pointer + row * architecture.maps,
      globals: input.globals.pointer + row * architecture.globals)
  }
}

/// The labels of a shard's rows.
private final class LabelBuffer {
  let pointer: UnsafeMutablePointer<Int32>

  init(count: Int) {
    pointer = .allocate(capacity: count)
    pointer.initialize(repeating: 0, count: count)
  }

  deinit { pointer.deallocate() }
}
