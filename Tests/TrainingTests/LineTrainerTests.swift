import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition
import Testing

@testable import Training

@Suite struct LineTrainerTests {
  @Test(arguments: TrainingPrecision.available)
  func anEasyAlphabetIsLearned(precision: TrainingPrecision) throws {
    var configuration = LineTrainingConfiguration.tiny(epochs: 30)
    configuration.precision = precision
    let trainer = try LineTrainer.ofArcs(configuration, count: 400, workers: 2)
    _ = try trainer.train()
    let accuracy = trainer.bestRecord?.validationAccuracy ?? 0
    #expect(accuracy > 0.9, "seed 1: 1 - CER is \(accuracy)")
  }

  @Test(
    "An absurd learning rate is reported as divergence, with where and at what rate",
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

  @Test(arguments: TrainingPrecision.available)
  func aResumedRunEndsWithTheSameBits(precision: TrainingPrecision) throws {
    var configuration = LineTrainingConfiguration.tiny()
    configuration.precision = precision
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("line-checkpoint-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let identity = DataIdentity(training: "a", validation: "b")
    let checkpoint = TrainingCheckpoint(folder: folder)
    func trainer() throws -> LineTrainer {
      try LineTrainer(
        configuration: configuration, training: LineTrainingSet.arcs(count: 60, seed: 5),
        validation: LineTrainingSet.arcs(count: 20, seed: 6), workers: 1)
    }
    let whole = try trainer().train()
    #expect(throws: TrainingError.self) {
      try trainer().train(observer: Stopper(after: 11)) {
        try checkpoint.save($0, data: identity)
      }
    }
    let second = try trainer()
    try checkpoint.restore(second, data: identity)
    #expect(second.state.epochs == 1)
    let resumed = try second.train()
    #expect(whole.parameters.values == resumed.parameters.values)
    let other = DataIdentity(training: "a", validation: "c")
    #expect(throws: TrainingError.self) { try checkpoint.restore(trainer(), data: other) }
  }

  @Test func curvesAreLearnedToo() throws {
    var configuration = LineTrainingConfiguration.tiny(epochs: 30)
    configuration.useCurves()
    let trainer = try LineTrainer.ofArcs(configuration, count: 400, workers: 2)
    _ = try trainer.train()
    let accuracy = trainer.bestRecord?.validationAccuracy ?? 0
    #expect(accuracy > 0.9, "seed 1: 1 - CER is \(accuracy)")
  }

  @Test func everyNumberOfAnAugmentationIsChecked() {
    #expect(
      LineAugmentation().values.count == Mirror(reflecting: LineAugmentation()).children.count)
    #expect(Augmentation().values.count == Mirror(reflecting: Augmentation()).children.count)
  }

  @Test func numbersOutOfRangeAreRefused() throws {
    let set = try LineTrainingSet.arcs(count: 4, seed: 1)
    let changes: [(inout LineTrainingConfiguration) -> Void] = [
      { $0.shards = 0 }, { $0.batchSize = 0 }, { $0.epochs = 0 }, { $0.peakRate = .nan },
      { $0.layers.hidden = [0] }, { $0.layers.dropout = 1 }, { $0.layers.stages[0].kernel = 4 },
      { $0.layers.stages[0].stride = 0 }, { $0.pipeline.spacing = 0 }, { $0.averageDecay = 1 },
      { $0.pipeline.curveError = 0 }, { $0.augmentation.shear = -1 }, { $0.joinedWords = 0 },
      { $0.joinedDigits = -1 },
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

  @Test func everyLineIsInOneBatchOfAnEpoch() throws {
    let set = try LineTrainingSet.arcs(count: 101, seed: 7)
    let order = LineEpochOrder(set, LineTrainingConfiguration.tiny())
    let batches = order.batches(epoch: 3)
    #expect(batches.count == 13)
    #expect(batches.flatMap { $0.flatMap { $0 } }.sorted() == Array(0..<101))
    #expect(batches == order.batches(epoch: 3))
    #expect(batches != order.batches(epoch: 4))
  }

  @Test func wordsOfAWriterMakeLinesInEveryEpoch() throws {
    var set = LineTrainingSet(labels: [" ", "l", "o"])
    for index in 0..<90 {
      set.append(
        try Trajectory(Ink.word(index)), text: index % 3 == 0 ? "lo ol" : "lol",
        writer: "w\(index % 4)", for: .training)
    }
    let order = LineEpochOrder(set, LineTrainingConfiguration.tiny())
    for epoch in 0..<3 {
      let batches = order.batches(epoch: epoch)
      #expect(batches.count == order.batchCount)
      let lines = batches.flatMap { $0 }
      #expect(lines.flatMap { $0 }.sorted() == Array(0..<90), "epoch \(epoch)")
      #expect(lines.allSatisfy { Set($0.map { set.samples[$0].writer }).count == 1 })
      #expect(lines.allSatisfy { $0.count == 1 || $0.allSatisfy { $0 % 3 != 0 } })
      #expect(lines.contains { $0.count > 2 })
    }
    var apart = LineTrainingConfiguration.tiny()
    apart.joinedWords = 1
    #expect(LineEpochOrder(set, apart).batches(epoch: 0).flatMap { $0 }.count == 90)
  }

  @Test func singleDigitsAndMarksStandAlone() throws {
    var set = LineTrainingSet(labels: [" ", ".", "1", "a", "l"])
    let texts = ["1", ".", "a", "11", "la"]
    for index in 0..<50 {
      set.append(
        try Trajectory(Ink.word(index)), text: texts[index % 5], writer: "w", for: .training)
    }
    let lines = LineEpochOrder(set, LineTrainingConfiguration.tiny()).batches(epoch: 0).flatMap {
      $0
    }
    for line in lines where line.contains(where: { $0 % 5 < 2 }) { #expect(line.count == 1) }
    #expect(lines.contains { $0.count > 1 && $0.contains { $0 % 5 == 2 } })
  }

  @Test("Single digits of a writer make numbers, with that writer's marks and without spaces")
  func digitsMakeNumbers() throws {
    var set = LineTrainingSet(labels: [" ", ".", "1", "2", "l", "o"])
    let texts = ["1", ".", "2", "1", "lol"]
    for index in 0..<120 {
      let writer = index < 100 ? "w\(index % 5 % 2)" : "marks"
      let trajectory = try Trajectory(Ink.word(index))
      let (top, bottom) = (try #require(trajectory.y.min()), try #require(trajectory.y.max()))
      set.append(
        trajectory, area: LocalArea(top: top, height: bottom - top),
        text: index < 100 ? texts[index % 5] : ".", writer: writer, for: .training)
    }
    var configuration = LineTrainingConfiguration.tiny()
    configuration.joinedDigits = 6
    let order = LineEpochOrder(set, configuration)
    func isDigit(_ index: Int) -> Bool { index < 100 && [0, 2, 3].contains(index % 5) }
    var composer = LineComposer()
    var generator = SeededGenerator(seed: 5)
    for epoch in 0..<3 {
      let lines = order.batches(epoch: epoch).flatMap { $0 }
      #expect(order.batches(epoch: epoch).count == order.batchCount)
      let numbers = lines.filter { $0.contains(where: isDigit) }
      #expect(numbers.contains { $0.count > 4 } && numbers.contains { !$0.allSatisfy(isDigit) })
      for number in numbers {
        #expect(Set(number.map { set.samples[$0].writer }).count == 1)
        #expect((1...6).contains(number.count(where: isDigit)))
        let (first, last) = (try #require(number.first), try #require(number.last))
        #expect(isDigit(first) && isDigit(last), "epoch \(epoch): \(number)")
        composer.compose(number, of: set, using: &generator)
        #expect(composer.labels == number.flatMap { set.samples[$0].labels })
      }
      // Nothing is lost: marks of a writer of no digits stand alone.
      #expect(lines.filter { $0[0] >= 100 }.sorted { $0[0] < $1[0] } == (100..<120).map { [$0] })
    }
  }

  @Test func joinedWordsStandOnOneLine() throws {
    var set = LineTrainingSet(labels: [" ", "l", "o"])
    // The second word in another unit and far below: as from another file.
    set.append(try Trajectory(Ink.word(0)), text: "lol", writer: "a", for: .training)
    set.append(
      try Trajectory(Ink.word(1, scale: 40, below: 9000)), text: "ool", writer: "a", for: .training)
    var composer = LineComposer()
    var generator = SeededGenerator(seed: 11)
    composer.compose([0, 1], of: set, using: &generator)
    #expect(composer.labels == [2, 3, 2, 1, 3, 3, 2])
    let ink = composer.line.trajectory
    #expect(ink.strokeEnds.count == 6)
    let bottoms = (0..<6).map { ink.stroke($0).map { ink.y[$0] }.max() ?? 0 }
    let tops = (0..<6).map { ink.stroke($0).map { ink.y[$0] }.min() ?? 0 }
    #expect((bottoms.max() ?? 0) - (bottoms.min() ?? 0) < 0.4, "seed 11: \(bottoms)")
    #expect(tops[5] < tops[4], "an l is taller than an o: \(tops)")
    let ends = (0..<6).map { ink.stroke($0).map { ink.x[$0] }.max() ?? 0 }
    #expect(ends == ends.sorted())
    #expect(composer.line.area != nil)
  }

  @Test func trainingGoesOnFromAnotherModel() throws {
    let first = try LineTrainer(
      configuration: LineTrainingConfiguration.tiny(epochs: 1),
      training: LineTrainingSet.arcs(count: 40, seed: 12),
      validation: LineTrainingSet.arcs(count: 10, seed: 13), workers: 1
    ).train()
    var wider = LineTrainingSet(labels: ["m", "n", "u"])
    let ink = try Trajectory(Ink.word(0))
    wider.append(ink, text: "nmu", for: .training)
    let second = try LineTrainer(
      configuration: LineTrainingConfiguration.tiny(), training: wider, validation: wider,
      workers: 1, from: first)
    let (old, new) = (first.network.parameters, second.network.parameters)
    for (own, other) in zip(old, new) where own.shape == other.shape {
      #expect(
        (0..<own.count).allSatisfy {
          first.parameters.pointer[own.offset + $0]
            == second.loop.optimizer.parameters.pointer[other.offset + $0]
        }, "\(own.name)")
    }
    let (bias, wide) = (try #require(old.last), try #require(new.last))
    #expect(wide.shape == [4])
    for (label, source) in [(0, 0), (2, 1), (3, 2)] {
      #expect(
        second.loop.optimizer.parameters.pointer[wide.offset + label]
          == first.parameters.pointer[bias.offset + source])
    }
    // How much dropout there is does not matter to the weights.
    for rate: Float in [0, 0.4] {
      var other = LineTrainingConfiguration.tiny()
      other.layers.dropout = rate
      let third = try LineTrainer(
        configuration: other, training: wider, validation: wider, workers: 1, from: first)
      let count = first.network.parameters[0].count
      #expect(
        (0..<count).allSatisfy {
          third.loop.optimizer.parameters.pointer[$0] == first.parameters.pointer[$0]
        })
      #expect(
        third.loop.optimizer.parameters.pointer[wide.offset + 2]
          == first.parameters.pointer[bias.offset + 1])
    }
    var other = LineTrainingConfiguration.tiny()
    other.layers.hidden = [8]
    #expect(throws: TrainingError.unusableStart) {
      try LineTrainer(
        configuration: other, training: wider, validation: wider, workers: 1, from: first)
    }
  }

  @Test("A wider network begins with what a narrower model computes, and learns with all its units")
  func trainingGoesOnInAWiderNetwork() throws {
    let set = try LineTrainingSet.arcs(count: 40, seed: 12)
    var configuration = LineTrainingConfiguration.tiny(epochs: 1)
    configuration.layers.hidden = [12, 10]
    let model = try LineTrainer.ofArcs(configuration, count: 40, workers: 1).train()
    configuration.layers.hidden = [17, 10]
    configuration.layers.stages[0].channels = 15
    let trainer = try LineTrainer(
      configuration: configuration, training: set, validation: set, workers: 1, from: model)
    func output() -> [Float] {
      LineModel(
        labels: trainer.labels, pipeline: configuration.pipeline, network: trainer.network,
        parameters: trainer.loop.optimizer.parameters
      ).probabilities(of: set.samples[0].line)
    }
    let (narrow, wide) = (model.probabilities(of: set.samples[0].line), output())
    #expect(narrow.count == wide.count)
    #expect(zip(narrow, wide).allSatisfy { abs($0 - $1) < 1e-5 })
    _ = try trainer.train()
    // What the known units hear of the new ones was 0.
    let tensor = try #require(
      trainer.network.parameters.first { $0.name.hasSuffix("forward.weight") })
    let row = trainer.loop.optimizer.parameters.pointer + tensor.offset + 16 * 4 * 17
    #expect(row[0] != 0)
    configuration.layers.stages[0].kernel = 7
    #expect(throws: TrainingError.unusableStart) {
      try LineTrainer(
        configuration: configuration, training: set, validation: set, workers: 1, from: model)
    }
  }

  @Test func theAverageOfModelsHasTheMeansOfTheirWeights() throws {
    var configuration = LineTrainingConfiguration.tiny(epochs: 1)
    let models = try [UInt64(1), 2].map { seed in
      configuration.seed = seed
      configuration.layers.dropout = seed == 1 ? 0 : 0.2
      return try LineTrainer.ofArcs(configuration, count: 40, workers: 1).train()
    }
    let mean = try #require(LineModel.average(of: models))
    #expect(mean.decoding.isEmpty)
    for index in 0..<mean.parameters.count {
      let expected = (models[0].parameters.pointer[index] + models[1].parameters.pointer[index]) / 2
      // Half precision has eleven bits.
      #expect(
        abs(mean.parameters.pointer[index] - expected) <= max(1e-7, abs(expected) / 2048))
    }
    configuration.layers.hidden = [13]
    let wider = try LineTrainer.ofArcs(configuration, count: 40, workers: 1).train()
    #expect(LineModel.average(of: models + [wider]) == nil)
    #expect(LineModel.average(of: []) == nil)
  }

  @Test func theLastLearningRateIsThePeakOverTheFinalDivisor() throws {
    for divisor in [Float(1), 10_000] {
      var configuration = LineTrainingConfiguration.tiny(epochs: 2)
      configuration.finalDivisor = divisor
      let trainer = try LineTrainer.ofArcs(configuration, count: 40, workers: 1)
      _ = try trainer.train()
      let last = try #require(trainer.loop.state.history.last?.rate)
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

  @Test func augmentationKeepsLinesFinite() throws {
    let set = try LineTrainingSet.arcs(count: 50, seed: 8)
    var augmentation = LineAugmentation()
    augmentation.smallStrokeDrop = 0.5
    var encoder = LineEncoder(LinePipeline())
    for (index, sample) in set.samples.enumerated() {
      var generator = SeededGenerator(seed: 9, UInt64(index))
      var line = sample.line
      line.area = LocalArea(top: -0.5, height: 1)
      let spacing = augmentation.apply(to: &line, using: &generator)
      encoder.encode(line, spacing: spacing)
      #expect(encoder.values.allSatisfy { $0.isFinite }, "seed 9, line \(index)")
      #expect(encoder.values.count == encoder.steps * LinePipeline().channels)
      #expect(encoder.sources.allSatisfy { $0 >= 0 && $0 < 13 * 5 })
    }
  }

  @Test func augmentationInterruptsStrokes() throws {
    let set = try LineTrainingSet.arcs(count: 50, seed: 8)
    func strokes(interruption: Float) -> Int {
      var augmentation = LineAugmentation()
      augmentation.smallStrokeDrop = 0
      augmentation.interruption = interruption
      return set.samples.enumerated().reduce(0) { sum, sample in
        var generator = SeededGenerator(seed: 9, UInt64(sample.offset))
        var line = sample.element.line
        _ = augmentation.apply(to: &line, using: &generator)
        return sum + line.trajectory.strokeEnds.count
      }
    }
    let whole = set.samples.reduce(0) { $0 + $1.line.trajectory.strokeEnds.count }
    let long = set.samples.reduce(0) { sum, sample in
      let line = sample.line.trajectory
      return sum + line.strokeEnds.indices.count { line.stroke($0).count >= 8 }
    }
    #expect(long > 0)
    #expect(strokes(interruption: 0) == whole)
    #expect(strokes(interruption: 1) == whole + long)
  }

  @Test func masksCoverTheirShareInRunsNoLongerThanAllowed() {
    var augmentation = LineAugmentation()
    augmentation.maskLength = 2
    var generator = SeededGenerator(seed: 4)
    func masks(share: Float, steps: Int) -> [Range<Int>] {
      augmentation.maskedShare = share
      var masks: [Range<Int>] = []
      augmentation.forEachMask(steps: steps, stepLength: 0.1, using: &generator) {
        masks.append($0)
      }
      return masks
    }
    #expect(masks(share: 0, steps: 500).isEmpty)
    #expect(masks(share: 0.1, steps: 0).isEmpty)
    var masked = 0
    for _ in 0..<400 {
      let masks = masks(share: 0.1, steps: 500)
      #expect(masks.allSatisfy { (1...20).contains($0.count) && (0...500).contains($0.upperBound) })
      masked += masks.reduce(0) { $0 + $1.count }
    }
    #expect(abs(Double(masked) / 200_000 - 0.1) < 0.005, "seed 4: \(masked) of 200,000")
  }

  @Test func trainingWithholdsMaskedSteps() throws {
    let losses = try [Float(0), 0.9].map { share in
      var configuration = LineTrainingConfiguration.tiny(epochs: 20)
      configuration.augmentation.maskedShare = share
      let trainer = try LineTrainer(
        configuration: configuration, training: LineTrainingSet.arcs(count: 300, seed: 1),
        validation: LineTrainingSet.arcs(count: 20, seed: 2), workers: 2)
      _ = try trainer.train()
      return try #require(trainer.state.history.last).trainingLoss
    }
    // What is withheld cannot be learned, however long one tries.
    #expect(losses[1] > 1.3 * losses[0], "seed 1: \(losses)")
  }

  @Test func maskedStepsSayNothing() throws {
    let set = try LineTrainingSet.arcs(count: 1, seed: 8)
    var encoder = LineEncoder(LinePipeline())
    encoder.encode(set.samples[0].line)
    let (whole, channels) = (encoder.values, LinePipeline().channels)
    encoder.mask(2..<4)
    #expect(encoder.values[2 * channels..<4 * channels].allSatisfy { $0 == 0 })
    #expect(encoder.values[..<(2 * channels)] == whole[..<(2 * channels)])
    #expect(encoder.values[(4 * channels)...] == whole[(4 * channels)...])
  }
}

extension LineTrainer {
  /// A trainer on some lines of the easy alphabet, with a sixth of that for validation.
  fileprivate static func ofArcs(
    _ configuration: LineTrainingConfiguration, count: Int, workers: Int
  ) throws -> LineTrainer {
    try LineTrainer(
      configuration: configuration, training: LineTrainingSet.arcs(count: count, seed: 1),
      validation: LineTrainingSet.arcs(count: count / 6, seed: 2), workers: workers)
  }
}

extension LineModel {
  /// The probabilities of all classes at each step of a line.
  fileprivate func probabilities(of line: NormalizedLine) -> [Float] {
    var batch = LineBatch(pipeline)
    batch.append(line, index: 0)
    let workspace = network.makeWorkspace()
    batch.load(into: workspace)
    let output = network.forward(workspace, context: LayerContext(parameters: parameters.pointer))
    return (0..<(workspace.outputSequences.rows * network.architecture.classes)).map {
      exp(output[$0])
    }
  }
}
