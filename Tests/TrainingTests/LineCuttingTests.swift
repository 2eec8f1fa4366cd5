import Features
import InkCore
import Testing
import Training

@Suite("Lines that are cut into words during training")
struct LineCuttingTests {
  /// Counts the cuts.
  private final class CutCounter: TrainingObserver, @unchecked Sendable {
    // Unchecked because the trainer calls it on one thread.
    private(set) var cuts: [(lines: Int, words: Int)] = []
    var shouldStop: Bool { false }
    func trainingDidStep(_ progress: TrainingProgress) {}
    func trainingDidFinishEpoch(_ record: EpochRecord) {}
    func trainingDidCut(lines: Int, intoWords words: Int) { cuts.append((lines, words)) }
  }

  private static func trainer(workers: Int = 1, stride: Int = 1) throws -> LineTrainer {
    var configuration = LineTrainingConfiguration.tiny(epochs: 60)
    configuration.layers.stride = stride
    return try LineTrainer(
      configuration: configuration, training: .lines(count: 96, seed: 5),
      validation: .lines(count: 16, seed: 6), workers: workers)
  }

  @Test("Lines are cut once the network reads them, into their own words", arguments: [1, 2])
  func cuts(stride: Int) throws {
    let trainer = try Self.trainer(stride: stride)
    let counter = CutCounter()
    _ = try trainer.train(observer: counter)
    let last = try #require(counter.cuts.last)
    #expect(last.lines > 80 && last.words > 200, "seed 5: \(counter.cuts)")
    let (training, all) = (trainer.task.training, trainer.task.cutting.set)
    #expect(all.samples.count == training.samples.count + last.words)
    for word in all.samples[training.samples.count...] {
      #expect(["lol", "ool"].contains(all.text(of: word)))
      #expect(word.line.trajectory.strokeEnds.count == 3 && word.writer != nil)
      #expect(all.kind(of: word) == .word)
      // On the line that it was cut from: an "l" fills the height of capitals.
      let area = try #require(word.line.area)
      let top = try #require(word.line.trajectory.y.min())
      #expect(abs(area.top - top) < 0.35 * area.height, "\(area) \(top)")
    }
  }

  @Test("Whole lines replace their words until there are enough; an epoch is as long")
  func order() throws {
    let lines = try LineTrainingSet.lines(count: 40, seed: 9)
    let order = LineEpochOrder(lines, .tiny())
    func composed(_ set: LineTrainingSet) -> [[Int]] {
      let batches = order.batches(epoch: 1, of: set)
      #expect(batches.count == order.batchCount)
      return batches.flatMap { $0 }
    }
    let before = composed(lines)
    #expect(before.allSatisfy { $0.count == 1 && $0[0] < 40 })
    #expect(before.count > 50 && Set(before.map { $0[0] }) == Set(0..<40))
    var few = lines
    var many = lines
    for line in lines.samples.indices {
      let word = CutWord(
        trajectory: try Trajectory(.word(0)), area: LocalArea(top: -0.6, height: 1.2), text: "lol")
      few.append(word, of: line)
      for _ in 0..<3 { many.append(word, of: line) }
    }
    few.keepFirst(44)
    #expect(composed(few) == before)
    let after = composed(many)
    #expect(after.count == before.count)
    #expect(Set(after.filter { $0[0] < 40 }.map { $0[0] }) == Set(0..<40))
    let words = after.filter { $0[0] >= 40 }
    #expect(words.contains { $0.count > 2 })
    for line in words {
      #expect(Set(line.map { many.samples[$0].writer }).count == 1)
    }
    let strangers = words.filter { many.samples[$0[0]].writer?.hasPrefix("the writer") == true }
    #expect(strangers.count > 3)
    var apart = LineTrainingConfiguration.tiny()
    apart.cutsLines = false
    #expect(LineEpochOrder(lines, apart).batches(epoch: 0, of: lines).flatMap { $0 }.count == 40)
  }

  @Test("A run that was stopped after a cut ends with the same bits, with any number of workers")
  func resumes() throws {
    let whole = try Self.trainer(workers: 2).train()
    let steps = try Self.trainer().stepsPerEpoch
    let second = try resumed(after: 33 * steps + 3) { try Self.trainer(workers: 3) }
    #expect(second.state.epochs == 33)
    #expect(try second.train().parameters.values == whole.parameters.values)
  }

  @Test("Words keep their written size next to words of other lines")
  func sizes() throws {
    var set = LineTrainingSet(labels: [" ", "l", "o"])
    for scale in [1.0, 10] {
      set.append(
        try Trajectory(Ink.word(0, scale: scale)), area: LocalArea(top: -0.6, height: 1.2),
        text: "lol lol", writer: "w", for: .training)
    }
    let word = CutWord(
      trajectory: try Trajectory(.word(0)), area: LocalArea(top: -0.6, height: 1.2), text: "lol")
    for line in 0..<2 { set.append(word, of: line) }
    let heights = try set.samples[2...].map {
      Double(try #require($0.line.area).height) * $0.unit
    }
    #expect(abs(heights[1] / heights[0] - 10) < 1e-3, "\(heights)")
  }

  @Test("A timed pass takes each line once, unchanged")
  func timing() throws {
    var configuration = LineTrainingConfiguration.tiny()
    configuration.cutsLines = false
    let lines = try LineTrainingSet.lines(count: 24, seed: 3)
    let trainer = try LineTrainer(
      configuration: configuration, training: lines, validation: lines, workers: 1)
    #expect(trainer.time(steps: trainer.stepsPerEpoch).samples == 24)
  }
}
