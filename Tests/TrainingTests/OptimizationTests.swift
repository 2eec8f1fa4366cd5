import Features
import InkCore
import LinearAlgebra
import Networks
import Testing
import Training

@Suite("Schedule, optimiser, order and augmentation")
struct OptimizationTests {
  private let seed: UInt64 = 75

  @Test("The one-cycle rate rises by a cosine to its peak and falls to a ten-thousandth of it")
  func schedule() {
    let schedule = OneCycleSchedule(peak: 1, warmup: 0.5, steps: 9)
    // Four steps up from 1/25, the peak, four steps down; the middles are the means of their ends.
    let expected: [Int: Float] = [
      0: 0.04, 1: 0.04 + 0.96 * 0.146_446_6, 2: 0.52, 3: 0.04 + 0.96 * 0.853_553_4, 4: 1,
      6: 0.500_05, 8: 0.0001,
    ]
    let tolerance: Float = 1e-6
    for (step, rate) in expected {
      #expect(abs(schedule.rate(at: step) - rate) < tolerance, "step \(step)")
    }
    #expect(OneCycleSchedule(peak: 1, steps: 1).rate(at: 0) > 0)
    #expect(OneCycleSchedule(peak: 1, steps: 100, finalDivisor: 1).rate(at: 99) == 1)
    #expect((0..<100).allSatisfy { OneCycleSchedule(peak: 1, steps: 100).rate(at: $0) > 0 })
  }

  private let network = GlyphNetwork(
    unchecked:
      GlyphLayers(
        stages: [GlyphLayers.Stage(channels: 5, kernel: 3, pools: true)], mapUnits: 3,
        contextUnits: 2, headUnits: 7, dropout: 0
      ).architecture(GlyphTrainingConfiguration.tiny.pipeline, classes: 4))

  private func optimizer(_ generator: inout SeededGenerator) -> AdamW {
    let optimizer = AdamW(network.parameters, count: network.parameterCount)
    network.initialize(optimizer.parameters, using: &generator)
    optimizer.average.copy(from: optimizer.parameters)
    return optimizer
  }

  @Test("Ranges updated one by one give the bits of one update of all")
  func ranges() {
    let gradients = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: seed)
    for index in 0..<gradients.count { gradients.pointer[index] = generator.normal() }
    let step = AdamW.Step(
      rate: 0.1, weightDecay: 0.1, gradientScale: 0.5, averageDecay: 0.9, number: 1)
    var (first, second) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
    let (whole, parts) = (optimizer(&first), optimizer(&second))
    whole.update(0..<network.parameterCount, gradients: gradients.pointer, step)
    let cuts = [0, 16, 160, network.parameterCount]
    for (from, to) in zip(cuts, cuts.dropFirst()).reversed() {
      parts.update(from..<to, gradients: gradients.pointer, step)
    }
    #expect(parts.parameters.values == whole.parameters.values)
    #expect(parts.average.values == whole.average.values)
    #expect(parts.second.values == whole.second.values)
  }

  @Test("Weights decay, biases and scales do not; statistics follow the batch's")
  func roles() {
    var generator = SeededGenerator(seed: seed)
    let optimizer = optimizer(&generator)
    let before = optimizer.parameters.values
    let batch = AlignedBuffer(count: network.parameterCount)
    for tensor in network.parameters where tensor.role == .statistic {
      for index in 0..<tensor.count { batch.pointer[tensor.offset + index] = 3 }
    }
    var step = AdamW.Step(
      rate: 0.5, weightDecay: 0.1, gradientScale: 1, averageDecay: 0.5, number: 1)
    optimizer.update(0..<network.parameterCount, gradients: batch.pointer, step)
    let tolerance: Float = 1e-6
    for tensor in network.parameters {
      for index in tensor.offset..<(tensor.offset + tensor.count) {
        let now = optimizer.parameters.pointer[index]
        switch tensor.role {
        case .weight: #expect(abs(now - 0.95 * before[index]) < tolerance, "\(tensor.name)")
        case .bias: #expect(now == before[index], "\(tensor.name)")
        case .statistic: #expect(now == 3, "\(tensor.name): the first batch determines it")
        }
      }
    }
    batch.clear()
    step.number = 20
    optimizer.update(0..<network.parameterCount, gradients: batch.pointer, step)
    for tensor in network.parameters where tensor.role == .statistic {
      #expect(abs(optimizer.parameters.pointer[tensor.offset] - 2.7) < tolerance, "\(tensor.name)")
    }
  }

  @Test("A gradient longer than the limit is scaled down to it before the moments see it")
  func clipping() throws {
    let set = try SyntheticInk.set(20, seed: 76)
    func firstMoment(_ maximumNorm: Double) throws -> (norm: Double, moment: Double) {
      var configuration = GlyphTrainingConfiguration.tiny
      configuration.seed = seed
      configuration.labelSmoothing = 0
      configuration.precision = .single
      configuration.augmentation = .none
      configuration.maximumGradientNorm = maximumNorm
      let trainer = try GlyphTrainer(
        configuration: configuration, training: set, validation: set, workers: 1)
      let outcome = try trainer.run(
        Array(0..<20)[...], epoch: 0,
        AdamW.Step(
          rate: 0.01, weightDecay: 0, gradientScale: 1, averageDecay: 0.9, number: 1)
      ).outcome
      let squares = trainer.optimizer.first.values.reduce(0.0) { $0 + Double($1) * Double($1) }
      return (outcome.gradientNorm, squares.squareRoot())
    }
    let free = try firstMoment(1e9)
    // The first moment is a tenth of the gradient; sums in Float of a few hundred elements.
    #expect(abs(free.moment - 0.1 * free.norm) < 1e-5 * free.norm)
    let clipped = try firstMoment(free.norm / 3)
    #expect(abs(clipped.norm - free.norm) < 1e-9 * free.norm)
    #expect(abs(clipped.moment - free.moment / 3) < 1e-5 * free.norm)
  }

  private func unevenSet() throws -> GlyphTrainingSet {
    var set = GlyphTrainingSet(labels: SyntheticInk.labels)
    var source = SyntheticInk(seed: 77)
    for index in 0..<100 {
      try set.append(source.next(SyntheticInk.labels[index < 90 ? 0 : 1], hasArea: false))
    }
    return set
  }

  @Test("Without balance an epoch is a permutation, another one for each epoch and seed")
  func permutation() throws {
    var configuration = GlyphTrainingConfiguration.tiny
    let set = try unevenSet()
    let order = EpochOrder(set, configuration)
    let first = order.samples(epoch: 0)
    #expect(first.sorted() == Array(0..<100))
    #expect(first != Array(0..<100))
    #expect(order.samples(epoch: 0) == first)
    #expect(order.samples(epoch: 1) != first)
    configuration.seed = 2
    #expect(EpochOrder(set, configuration).samples(epoch: 0) != first)
  }

  @Test("With full balance classes of 90 and 10 inks are visited equally often")
  func balance() throws {
    var configuration = GlyphTrainingConfiguration.tiny
    var shares: [Float: Double] = [:]
    for balance in [Float(0.5), 1] {
      configuration.balance = balance
      let order = EpochOrder(try unevenSet(), configuration)
      var rare = 0
      for epoch in 0..<200 {
        let samples = order.samples(epoch: epoch)
        #expect(samples.count == 100)
        rare += samples.count { $0 >= 90 }
      }
      shares[balance] = Double(rare) / 20_000
    }
    // Repeats of 5 and 5/9; √5 and √(5/9) at half the balance. Random filling or cutting at the end
    // of an epoch changes a few of a hundred samples.
    let half = 10 * 5.0.squareRoot() / (10 * 5.0.squareRoot() + 90 * (5.0 / 9).squareRoot())
    #expect(abs((shares[1] ?? 0) - 0.5) < 0.02)
    #expect(abs((shares[0.5] ?? 0) - half) < 0.02)
  }

  @Test("No augmentation changes nothing")
  func noAugmentation() throws {
    for sample in try SyntheticInk.set(10, seed: 78).samples {
      var generator = SeededGenerator(seed: seed)
      var trajectory = sample.trajectory
      var area = sample.area
      Augmentation.none.apply(to: &trajectory, area: &area, using: &generator)
      #expect(trajectory.x == sample.trajectory.x)
      #expect(trajectory.y == sample.trajectory.y)
      #expect(trajectory.time == sample.trajectory.time)
      #expect(trajectory.strokeEnds == sample.trajectory.strokeEnds)
      #expect(area == sample.area)
    }
  }

  @Test("Strokes are interrupted if the augmentation asks for it")
  func interruption() throws {
    var augmentation = Augmentation.none
    augmentation.interruption = 1
    var (whole, long, parted) = (0, 0, 0)
    for (index, sample) in try SyntheticInk.set(10, seed: 81).samples.enumerated() {
      var generator = SeededGenerator(seed: seed, UInt64(index))
      var trajectory = sample.trajectory
      var area = sample.area
      whole += trajectory.strokeEnds.count
      long += trajectory.strokeEnds.indices.count { trajectory.stroke($0).count >= 8 }
      augmentation.apply(to: &trajectory, area: &area, using: &generator)
      parted += trajectory.strokeEnds.count
    }
    #expect(long > 0 && parted == whole + long)
  }

  @Test("Sparse and coarse ink keeps its strokes and their ends, on a grid if it is coarse")
  func coarseInk() throws {
    for (sparse, coarse) in [(Float(1), Float(0)), (0, 1), (1, 1)] {
      var augmentation = Augmentation.none
      augmentation.sparse = sparse
      augmentation.coarse = coarse
      var (points, left, changed) = (0, 0, 0)
      let samples = try SyntheticInk.set(10, seed: 82).samples
      for (index, sample) in samples.enumerated() {
        var generator = SeededGenerator(seed: seed, UInt64(index))
        var trajectory = sample.trajectory
        var area = sample.area
        augmentation.apply(to: &trajectory, area: &area, using: &generator)
        points += sample.trajectory.count
        left += trajectory.count
        if trajectory.x != sample.trajectory.x { changed += 1 }
        #expect(
          trajectory.x.count == trajectory.time.count && trajectory.y.count == trajectory.count)
        #expect(trajectory.strokeEnds.last == trajectory.count)
        #expect(trajectory.strokeEnds.count == sample.trajectory.strokeEnds.count)
        let step = coarse > 0 ? Float(1.0 / 12) : 0
        for stroke in trajectory.strokeEnds.indices {
          let (changed, whole) = (trajectory.stroke(stroke), sample.trajectory.stroke(stroke))
          for (new, old) in [
            (changed.lowerBound, whole.lowerBound), (changed.upperBound - 1, whole.upperBound - 1),
          ] {
            #expect(abs(trajectory.x[new] - sample.trajectory.x[old]) <= step / 2)
            #expect(abs(trajectory.y[new] - sample.trajectory.y[old]) <= step / 2)
          }
        }
      }
      #expect(sparse > 0 ? left < points : left == points)
      #expect(changed > samples.count / 2, "\(changed) of \(samples.count) changed")
    }
  }

  @Test("Augmentation depends on all of the address and on nothing else")
  func augmentationByAddress() throws {
    let set = try SyntheticInk.set(10, seed: 79)
    func augmented(_ seed: UInt64, _ epoch: UInt64, _ index: Int) -> Trajectory {
      var generator = SeededGenerator(seed: seed, 2, epoch, UInt64(index))
      var trajectory = set.samples[3].trajectory
      var area = set.samples[3].area
      Augmentation().apply(to: &trajectory, area: &area, using: &generator)
      return trajectory
    }
    let first = augmented(1, 0, 3)
    #expect(augmented(1, 0, 3).x == first.x)
    #expect(augmented(1, 0, 3).y == first.y)
    for other in [augmented(2, 0, 3), augmented(1, 1, 3), augmented(1, 0, 4)] {
      #expect(other.x != first.x)
    }
    #expect(first.x != set.samples[3].trajectory.x)
  }

  @Test("Areas and times are withheld at their rates, and the ink keeps about its size")
  func augmentationRates() throws {
    let set = try SyntheticInk.set(10, seed: 80)
    let sample = set.samples[0]
    let augmentation = Augmentation()
    var (areas, times, largest) = (0, 0, Float(0))
    let trials = 2000
    for trial in 0..<trials {
      var generator = SeededGenerator(seed: seed, UInt64(trial))
      var trajectory = sample.trajectory
      var area = sample.area
      augmentation.apply(to: &trajectory, area: &area, using: &generator)
      areas += area == nil ? 0 : 1
      // Reversing or exchanging strokes removes times as well, but rarely.
      times += trajectory.time.allSatisfy { $0.isNaN } ? 0 : 1
      largest = max(largest, (trajectory.x + trajectory.y).map { abs($0) }.max() ?? .infinity)
    }
    // Five standard deviations of a binomial count of 2000 are below 0.056.
    #expect(sample.area != nil)
    #expect(abs(Float(areas) / Float(trials) - (1 - augmentation.areaDrop)) < 0.056)
    #expect(
      abs(
        Float(times) / Float(trials) - (1 - augmentation.timeDrop) * (1 - augmentation.reversal))
        < 0.056)
    #expect(largest < 1.5)
  }
}
