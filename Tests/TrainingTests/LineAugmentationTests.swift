import Features
import InkCore
import Testing
import Training

@Suite struct LineAugmentationTests {
  @Test func everyNumberOfAnAugmentationIsChecked() {
    #expect(
      LineAugmentation().values.count == Mirror(reflecting: LineAugmentation()).children.count)
    #expect(Augmentation().values.count == Mirror(reflecting: Augmentation()).children.count)
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

  @Test func augmentationLeavesThePointsOfSlowAndCoarseDevices() throws {
    let set = try LineTrainingSet.arcs(count: 50, seed: 8)
    var augmentation = LineAugmentation()
    augmentation.sparse = 1
    augmentation.coarse = 1
    var changed = 0
    for (index, sample) in set.samples.enumerated() {
      var plain = SeededGenerator(seed: 9, UInt64(index))
      var generator = plain
      var (line, other) = (sample.line, sample.line)
      _ = augmentation.apply(to: &line, using: &generator)
      _ = LineAugmentation().apply(to: &other, using: &plain)
      #expect(line.trajectory.count == line.sources.count)
      #expect(line.trajectory.strokeEnds.count == other.trajectory.strokeEnds.count)
      #expect(
        line.trajectory.x.allSatisfy { $0.isFinite } && line.trajectory.y.allSatisfy { $0.isFinite }
      )
      // The writing stays where it is: at most a step of the grid and the bend of a curve away.
      let box = try #require(line.trajectory.bounds),
        expected = try #require(other.trajectory.bounds)
      #expect(
        abs(box.minX - expected.minX) < 0.12 && abs(box.maxY - expected.maxY) < 0.12,
        "seed 9, line \(index)")
      if line.trajectory.x != other.trajectory.x { changed += 1 }
    }
    #expect(changed == set.samples.count)
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
    // A single point that is a curve has steps of no length.
    for (maskLength, share) in [(Float(2), Float(0.1)), (2, 0), (0, 0.1)] {
      augmentation.maskLength = maskLength
      augmentation.maskedShare = share
      augmentation.forEachMask(steps: 1, stepLength: 0, using: &generator) { _ in
        Issue.record("nothing can be masked")
      }
    }
    augmentation.maskLength = 2
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
    // Withheld features cannot be learned, for any number of epochs.
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
