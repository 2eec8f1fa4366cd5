import InkCore
import LinearAlgebra
import Recognition
import Testing
import Training

@Suite("GlyphTrainer")
struct GlyphTrainerTests {
  private let training: GlyphTrainingSet
  private let validation: GlyphTrainingSet

  init() throws {
    training = try SyntheticInk.set(151, seed: 71)
    // A number that neither two nor three workers nor a batch of 32 divides.
    validation = try SyntheticInk.set(83, seed: 72)
  }

  private func trainer(
    _ configuration: GlyphTrainingConfiguration = .tiny, workers: Int = 2
  ) throws -> GlyphTrainer {
    try GlyphTrainer(
      configuration: configuration, training: training, validation: validation, workers: workers)
  }

  @Test("A few epochs train it to read the inks, with and without writing areas")
  func learns() throws {
    let counter = StepCounter()
    let trainer = try trainer()
    let model = try trainer.train(observer: counter)
    // Guessing is right once in five.
    #expect(trainer.state.history.count == 6)
    #expect((trainer.state.history.last?.validationAccuracy ?? 0) > 0.9)
    #expect((trainer.state.history.last?.validationAccuracyWithoutArea ?? 0) > 0.9)
    let losses = trainer.state.history.map(\.trainingLoss)
    #expect((losses.last ?? 9) < 0.8 * (losses.first ?? 0))
    #expect(counter.epochs == trainer.state.history)
    #expect(counter.steps.map(\.step) == Array(1...30))
    #expect(counter.steps.reduce(0) { $0 + $1.samples } == 6 * 151)
    let classifier = GlyphClassifier(model: model)
    let fresh = try SyntheticInk.records(50, seed: 73)
    let right = try fresh.count { record in
      try classifier.recognize(record.ink).candidates.first?.text == record.label
    }
    #expect(right > 45, "of 50 inks, seed 73")
  }

  @Test(
    "The number of workers does not change a bit of the model or of the figures",
    arguments: TrainingPrecision.available)
  func workers(precision: TrainingPrecision) throws {
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.precision = precision
    let one = try trainer(configuration, workers: 1)
    let expected = try one.train()
    for workers in [2, 3, 8] {
      let other = try trainer(configuration, workers: workers)
      let model = try other.train()
      #expect(model.parameters.values == expected.parameters.values, "\(workers) workers")
      #expect(model.temperature == expected.temperature, "\(workers) workers")
      #expect(other.state.history == one.state.history, "\(workers) workers")
      let (average, first) = (other.optimizer.average, one.optimizer.average)
      #expect(average.values == first.values, "\(workers) workers")
    }
  }

  @Test("Training goes on from a finished model with other labels, and begins where that ended")
  func start() throws {
    let model = try trainer().train()
    let labels = (SyntheticInk.labels + ["new"]).reversed().map(\.self)
    func set(_ count: Int, seed: UInt64) throws -> GlyphTrainingSet {
      var set = GlyphTrainingSet(labels: labels)
      for record in try SyntheticInk.records(count, seed: seed) { try set.append(record) }
      return set
    }
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.epochs = 1
    configuration.optimization.peakRate = 1e-6
    let further = try GlyphTrainer(
      configuration: configuration, training: set(60, seed: 74), validation: set(83, seed: 72),
      start: model, workers: 2)
    _ = try further.train()
    // As good as the model, although the weights have hardly changed.
    #expect((further.state.history.last?.validationAccuracy ?? 0) > 0.9)
    // In training its normalisation has the statistics of the new ink.
    #expect((further.state.history.last?.trainingAccuracy ?? 0) > 0.7)
    configuration.layers.headUnits += 1
    #expect(throws: TrainingError.unusableStart) {
      try GlyphTrainer(
        configuration: configuration, training: training, validation: validation, start: model,
        workers: 1)
    }
  }

  @Test("Another seed gives another model, the same seed the same model")
  func seeds() throws {
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.epochs = 1
    let first = try trainer(configuration).train().parameters.values
    #expect(try trainer(configuration).train().parameters.values == first)
    configuration.seed = 2
    #expect(try trainer(configuration).train().parameters.values != first)
  }

  @Test("An absurd learning rate is reported as divergence, with place and rate")
  func divergence() throws {
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.peakRate = 1e4
    let trainer = try trainer(configuration)
    let error = #expect(throws: TrainingError.self) { try trainer.train() }
    guard case .diverged(_, let step, _, let rate) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(step > 0 && step < 30)
    #expect(rate > 100)
    #expect(error?.description.contains("--learning-rate") == true)
  }

  @Test("Training ends early when patience runs out")
  func patience() throws {
    // The labels of the validation data are wrong by one, so that training lowers the score.
    var shifted = GlyphTrainingSet(labels: SyntheticInk.labels)
    for (index, record) in try SyntheticInk.records(83, seed: 72).enumerated() {
      var wrong = record
      wrong.label = SyntheticInk.labels[(index + 1) % SyntheticInk.labels.count]
      try shifted.append(wrong)
    }
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.epochs = 30
    configuration.patience = 3
    let trainer = try GlyphTrainer(
      configuration: configuration, training: training, validation: shifted, workers: 2)
    let kept = try trainer.train()
    let scores = trainer.state.history.map(\.score)
    #expect(scores.count < 30)
    let best = scores.max() ?? 0
    #expect(scores.firstIndex(of: best).map { $0 + 3 } == scores.count - 1)
    #expect(trainer.keptRecord?.score == best)

    configuration.keptEpoch = .last
    let last = try GlyphTrainer(
      configuration: configuration, training: training, validation: shifted, workers: 2)
    let model = try last.train()
    // It does not end early by a score that it does not use.
    #expect(last.state.history.map(\.score).starts(with: scores))
    #expect(last.state.history.count == 30 && last.keptRecord?.epoch == 29)
    let isOther = (0..<model.parameters.count).contains {
      model.parameters.pointer[$0] != kept.parameters.pointer[$0]
    }
    #expect(isOther)
  }

  @Test("Batches of few inks train too: no shard is normalised by one ink")
  func smallBatches() throws {
    for (count, size) in [(1, 1), (4, 4), (15, 15), (16, 8), (23, 12), (32, 8), (64, 16)] {
      #expect(GlyphTask.shardSize(of: count, shards: 4) == size, "\(count) inks")
      #expect(GlyphTask.largestShard(batchSize: 64, shards: 4) >= size)
    }
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.batchSize = 4
    let trainer = try trainer(configuration)
    _ = try trainer.train()
    // Guessing is right once in five.
    #expect((trainer.state.history.last?.validationAccuracy ?? 0) > 0.6)
  }

  @Test("The best epoch is kept even if all are bad")
  func badScores() {
    var state = TrainingState()
    for accuracy in [-3.1, -2.2, -2.5] {
      state.finishEpoch(
        EpochRecord(
          epoch: state.epoch, trainingLoss: 1, trainingAccuracy: 0, validationAccuracy: accuracy,
          validationAccuracyWithoutArea: nil, validationLoss: 1, rate: 0.1))
    }
    #expect(state.bestScore == -2.2 && state.epochsWithoutGain == 1)
  }

  @Test("An equal score is no improvement, but the later weights are kept")
  func ties() {
    var state = TrainingState()
    var gains: [Int] = []
    for accuracy in [0.5, 0.6, 0.6, 0.4, 0.7] {
      state.finishEpoch(
        EpochRecord(
          epoch: state.epoch, trainingLoss: 1, trainingAccuracy: 0.5, validationAccuracy: accuracy,
          validationAccuracyWithoutArea: nil, validationLoss: 1, rate: 0.1))
      gains.append(state.epochsWithoutGain)
    }
    #expect(gains == [0, 0, 1, 2, 0])
  }

  @Test(
    "Mixed precision without products in bfloat16 is refused",
    .enabled(if: !BFloat16Unit.isAvailable, "this processor has products in bfloat16"))
  func noBFloat16Unit() throws {
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.precision = .mixed
    #expect(throws: TrainingError.noBFloat16Unit) { try trainer(configuration) }
  }

  @Test("Data that cannot be trained on is refused")
  func refusals() throws {
    let empty = GlyphTrainingSet(labels: SyntheticInk.labels)
    var single = GlyphTrainingSet(labels: ["-"])
    for record in try SyntheticInk.records(5, seed: 74) { try single.append(record) }
    func make(_ training: GlyphTrainingSet, _ validation: GlyphTrainingSet) throws {
      _ = try GlyphTrainer(
        configuration: .tiny, training: training, validation: validation, workers: 1)
    }
    #expect(throws: TrainingError.noTrainingData) { try make(empty, validation) }
    #expect(throws: TrainingError.noValidationData) { try make(training, empty) }
    #expect(throws: TrainingError.tooFewClasses(found: 1)) { try make(single, single) }
  }
}
