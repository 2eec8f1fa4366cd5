import InkCore
import Testing
import Training

/// Wants errors, and keeps those of every epoch.
private final class ErrorCollector: TrainingObserver, @unchecked Sendable {
  // Unchecked because one trainer calls it on one thread.
  private(set) var errors: [[MisreadSample]] = []
  private(set) var epochs: [Int] = []
  let wantedErrors: Int

  init(_ wanted: Int) { wantedErrors = wanted }

  func trainingDidStep(_ progress: TrainingProgress) {}
  func trainingDidFinishEpoch(_ record: EpochRecord) {
    #expect(epochs.last == record.epoch || wantedErrors == 0)
  }
  func trainingDidMisread(_ errors: [MisreadSample], inEpoch epoch: Int) {
    self.errors.append(errors)
    epochs.append(epoch)
  }
  var shouldStop: Bool { false }
}

@Suite("The worst errors of a validation")
struct WorstErrorsTests {
  private func glyphTrainer(
    validation: GlyphTrainingSet
  ) throws -> GlyphTrainer {
    try GlyphTrainer(
      configuration: .tiny, training: SyntheticInk.set(151, seed: 71), validation: validation,
      workers: 2)
  }

  @Test("A wrong label among the validation inks is the most confident error, with its ink")
  func planted() throws {
    var validation = try SyntheticInk.set(60, seed: 72)
    var source = SyntheticInk(seed: 5)
    let ink = try source.next("L", hasArea: false)
    try validation.append(LabeledInk(ink: ink.ink, label: "x"))
    let collector = ErrorCollector(24)
    _ = try glyphTrainer(validation: validation).train(observer: collector)
    #expect(collector.epochs == Array(0..<6))
    let last = try #require(collector.errors.last)
    let worst = try #require(last.first { $0.index == 60 })
    #expect(worst.label == "x" && worst.read == "L" && worst.edits == 1)
    #expect(last.first == worst, "seeds 71, 72 and 5")
    #expect((worst.confidence ?? 0) > 0.5 && (worst.confidence ?? 2) <= 1)
    #expect(worst.strokes.count == 1)
    #expect(worst.strokes.first?.x.count == ink.ink.strokes.first?.points.count)
    let confidences = last.map { $0.confidence ?? -1 }
    #expect(confidences == confidences.sorted(by: >))
  }

  @Test("A limit keeps the worst errors, and an observer that wants none gets no report")
  func limit() throws {
    let validation = try SyntheticInk.set(83, seed: 72)
    let (many, few, none) = (ErrorCollector(50), ErrorCollector(2), ErrorCollector(0))
    for collector in [many, few, none] {
      _ = try glyphTrainer(validation: validation).train(observer: collector)
    }
    // After the first epoch, many inks are misread.
    #expect((many.errors.first?.count ?? 0) > 2)
    #expect(few.errors.map { Array($0) } == many.errors.map { Array($0.prefix(2)) })
    #expect(none.errors.isEmpty)
  }

  @Test("Watching changes neither the weights of a glyph model nor its figures")
  func sameGlyphs() throws {
    let validation = try SyntheticInk.set(83, seed: 72)
    let plain = try glyphTrainer(validation: validation)
    let expected = try plain.train()
    let watched = try glyphTrainer(validation: validation)
    let model = try watched.train(observer: ErrorCollector(24))
    #expect(model.parameters.values == expected.parameters.values)
    #expect(model.temperature == expected.temperature)
    #expect(watched.state.history == plain.state.history)
  }

  @Test("Watching changes no weight of a line model, and its errors are the lines read worst")
  func lines() throws {
    let configuration = LineTrainingConfiguration.tiny(epochs: 2)
    let (training, validation) = (
      try LineTrainingSet.arcs(count: 60, seed: 1), try LineTrainingSet.arcs(count: 21, seed: 2)
    )
    func trainer() throws -> LineTrainer {
      try LineTrainer(
        configuration: configuration, training: training, validation: validation, workers: 2)
    }
    let expected = try trainer().train()
    let collector = ErrorCollector(4)
    let watched = try trainer()
    let model = try watched.train(observer: collector)
    #expect(model.parameters.values == expected.parameters.values)
    let errors = try #require(collector.errors.first)
    #expect(!errors.isEmpty && errors.count <= 4)
    for error in errors {
      #expect(error.label == validation.text(of: validation.samples[error.index]))
      #expect(error.label != error.read && error.edits > 0 && error.confidence == nil)
      #expect(!error.strokes.isEmpty)
    }
    let rates = errors.map { Double($0.edits) / Double($0.label.count) }
    #expect(rates == rates.sorted(by: >))
  }

  @Test("Long strokes are thinned, and keep their first and last point")
  func thinned() {
    let x = (0..<1000).map(Float.init)
    let strokes = MisreadSample.strokes(of: x, x, ends: [1, 990, 1000])
    #expect(strokes.count == 3)
    #expect(strokes[0].x == [0])
    #expect(strokes[1].x.first == 1 && strokes[1].x.last == 989)
    #expect(strokes[2].x.first == 990 && strokes[2].x.last == 999)
    #expect(strokes.reduce(0) { $0 + $1.x.count } <= MisreadSample.mostPoints + 2 * strokes.count)
  }
}
