import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition
import Testing
import Training

@Suite struct LineTrainerTests {
  @Test(arguments: TrainingPrecision.available, [1, 2])
  func anEasyAlphabetIsLearned(precision: TrainingPrecision, stride: Int) throws {
    var configuration = LineTrainingConfiguration.tiny(epochs: 30)
    configuration.precision = precision
    configuration.layers.stride = stride
    let trainer = try LineTrainer.ofArcs(configuration, count: 400, workers: 2)
    _ = try trainer.train()
    let accuracy = trainer.keptRecord?.validationAccuracy ?? 0
    #expect(accuracy > 0.9, "seed 1: 1 - CER is \(accuracy)")
  }

  @Test(
    "An absurd learning rate is reported as divergence, with place and rate",
    arguments: [100, 1e4, 1e9] as [Float])
  func divergence(rate: Float) throws {
    var configuration = LineTrainingConfiguration.tiny()
    configuration.peakRate = rate
    let trainer = try LineTrainer(
      configuration: configuration, training: LineTrainingSet.arcs(count: 60, seed: 7),
      validation: LineTrainingSet.arcs(count: 20, seed: 8), workers: 2)
    let error = #expect(throws: TrainingError.self) { try trainer.train() }
    guard case .diverged(_, let step, _, let found) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    // Three epochs of eight steps; the rate of the first is a 25th of the peak.
    #expect(step > 0 && step < 24)
    #expect(found >= rate / 30)
    #expect(error?.description.contains("--learning-rate") == true)
  }

  @Test(arguments: TrainingPrecision.available)
  func theNumberOfWorkersDoesNotChangeTheModel(precision: TrainingPrecision) throws {
    var configuration = LineTrainingConfiguration.tiny()
    configuration.precision = precision
    let models = try [1, 2, 3].map { workers in
      try LineTrainer(
        configuration: configuration, training: LineTrainingSet.arcs(count: 60, seed: 3),
        validation: LineTrainingSet.arcs(count: 20, seed: 4), workers: workers
      ).train()
    }
    #expect(models[0].parameters.values == models[1].parameters.values)
    #expect(models[0].parameters.values == models[2].parameters.values)
  }

  @Test(arguments: TrainingPrecision.available, KeptEpoch.allCases)
  func aResumedRunEndsWithTheSameBits(precision: TrainingPrecision, kept: KeptEpoch) throws {
    var configuration = LineTrainingConfiguration.tiny()
    (configuration.precision, configuration.keptEpoch) = (precision, kept)
    configuration.layers.stride = kept == .last ? 2 : 1
    func trainer() throws -> LineTrainer {
      try LineTrainer(
        configuration: configuration, training: LineTrainingSet.arcs(count: 60, seed: 5),
        validation: LineTrainingSet.arcs(count: 20, seed: 6), workers: 1)
    }
    let whole = try trainer().train()
    let second = try resumed(after: 11, trainer)
    #expect(second.state.epochs == 1)
    #expect(try second.train().parameters.values == whole.parameters.values)
  }

  @Test func curvesAreLearnedToo() throws {
    var configuration = LineTrainingConfiguration.tiny(epochs: 30)
    configuration.useCurves()
    let trainer = try LineTrainer.ofArcs(configuration, count: 400, workers: 2)
    _ = try trainer.train()
    let accuracy = trainer.keptRecord?.validationAccuracy ?? 0
    #expect(accuracy > 0.9, "seed 1: 1 - CER is \(accuracy)")
  }

  @Test func numbersOutOfRangeAreRefused() throws {
    let set = try LineTrainingSet.arcs(count: 4, seed: 1)
    let changes: [(inout LineTrainingConfiguration) -> Void] = [
      { $0.shards = 0 }, { $0.batchSize = 0 }, { $0.epochs = 0 }, { $0.peakRate = .nan },
      { $0.layers.hidden = [0] }, { $0.layers.dropout = 1 }, { $0.layers.stages[0].kernel = 4 },
      { $0.layers.stages[0].stride = 0 }, { $0.pipeline.spacing = 0 }, { $0.averageDecay = 1 },
      { $0.pipeline.curveError = 0 }, { $0.augmentation.shear = -1 }, { $0.joinedWords = 0 },
      { $0.joinedDigits = -1 }, { $0.layers.stride = 0 }, { $0.layers.stride = 9 },
      { ($0.layers.hidden, $0.layers.stride) = ([], 2) },
    ]
    for (index, change) in changes.enumerated() {
      var configuration = LineTrainingConfiguration.tiny()
      change(&configuration)
      #expect(throws: TrainingError.self, "change \(index)") {
        try LineTrainer(configuration: configuration, training: set, validation: set, workers: 1)
      }
    }
  }

  @Test func dataThatCannotBeTrainedOnIsRefused() throws {
    let none = LineTrainingSet(labels: ["n", "u"])
    #expect(throws: TrainingError.noTrainingData) {
      try LineTrainer(
        configuration: LineTrainingConfiguration.tiny(), training: none,
        validation: LineTrainingSet.arcs(count: 5, seed: 1),
        workers: 1)
    }
    #expect(throws: TrainingError.noValidationData) {
      try LineTrainer(
        configuration: LineTrainingConfiguration.tiny(),
        training: LineTrainingSet.arcs(count: 5, seed: 1), validation: none,
        workers: 1)
    }
  }

  @Test func theLastLearningRateIsThePeakOverTheFinalDivisor() throws {
    for divisor in [Float(1), 10_000] {
      var configuration = LineTrainingConfiguration.tiny(epochs: 2)
      configuration.finalDivisor = divisor
      let trainer = try LineTrainer.ofArcs(configuration, count: 40, workers: 1)
      _ = try trainer.train()
      let last = try #require(trainer.state.history.last?.rate)
      #expect(abs(last * divisor / configuration.peakRate - 1) < 1e-3, "\(divisor): \(last)")
    }
  }

  @Test func setsOfDifferentLabelsAreRefused() throws {
    let training = try LineTrainingSet.arcs(count: 20, seed: 12)
    var validation = LineTrainingSet(labels: training.labels + ["zz"])
    validation.append(try Trajectory(Ink.word(0)), text: "u", for: .validation)
    #expect(throws: TrainingError.differentLabels) {
      try LineTrainer(
        configuration: LineTrainingConfiguration.tiny(), training: training,
        validation: validation, workers: 1)
    }
  }

  @Test func inkTooShortForItsTextIsNotLearned() throws {
    var set = LineTrainingSet(labels: ["l", "o"])
    let ink = try Trajectory(Ink.word(0))
    let isFitting = set.append(ink, text: "lol", for: .training)
    let isFittingMore = set.append(
      ink, text: String(repeating: "lol", count: 10), for: .training)
    #expect(isFitting == nil && isFittingMore == .tooShort)
  }

  @Test func aSymbolThatIsNotAmongTheLabelsIsAnErrorInValidationAndNoneInTraining() throws {
    var set = LineTrainingSet(labels: ["a"])
    let ink = try Trajectory(
      Ink(strokes: [Stroke(points: [StrokePoint(x: 0, y: 0), StrokePoint(x: 9, y: 5)])]))
    let isTrainedOn = set.append(ink, text: "ab", for: .training)
    let isScored = set.append(ink, text: "ab", for: .validation)
    #expect(isTrainedOn == .unknownSymbol && isScored == nil)
    #expect(set.samples[0].labels == [1, 0])
  }
}

extension LineTrainer {
  /// A trainer on `count` lines of the easy alphabet, with a sixth of that for validation.
  static func ofArcs(
    _ configuration: LineTrainingConfiguration, count: Int, workers: Int
  ) throws -> LineTrainer {
    try LineTrainer(
      configuration: configuration, training: LineTrainingSet.arcs(count: count, seed: 1),
      validation: LineTrainingSet.arcs(count: count / 6, seed: 2), workers: workers)
  }
}
