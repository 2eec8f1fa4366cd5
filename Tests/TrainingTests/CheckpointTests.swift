import Foundation
import InkCore
import InkDatasets
import InkFormats
import Networks
import Recognition
import SafeTensors
import Testing
import Training

@Suite("Checkpoints")
final class CheckpointTests {
  private let root: URL
  private let data: GlyphTrainingData
  private let checkpoint: TrainingCheckpoint

  init() throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-checkpoint-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    data = try Self.data(in: root, seed: 81)
    checkpoint = TrainingCheckpoint(folder: root.appendingPathComponent("m.ductus.training"))
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  private static func data(in root: URL, seed: UInt64) throws -> GlyphTrainingData {
    func file(_ name: String, _ count: Int, _ seed: UInt64) throws -> DataSpecification {
      let path = root.appendingPathComponent("\(name)-\(seed).jsonl").path
      let writer = try InkJSONLinesWriter(path: path)
      for record in try SyntheticInk.records(count, seed: seed) { try writer.write(record) }
      try writer.finish()
      return try DataSpecification(parsing: "ink:\(path)")
    }
    return try GlyphTrainingData(
      training: [file("training", 71, seed)], validation: [file("validation", 20, seed + 1)])
  }

  private func trainer(_ change: (inout GlyphTrainingConfiguration) -> Void = { _ in }) throws
    -> GlyphTrainer
  {
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.epochs = 3
    change(&configuration)
    return try GlyphTrainer(
      configuration: configuration, training: data.training, validation: data.validation,
      workers: 2)
  }

  private func save(_ trainer: GlyphTrainer) throws {
    try checkpoint.save(trainer, data: data.identity)
  }

  @Test("A run interrupted after any step and resumed ends with the same bits")
  func resume() throws {
    let whole = try trainer()
    let expected = try whole.train()
    // Three epochs of three steps.
    for stop in 1...9 {
      try checkpoint.remove()
      let first = try trainer()
      #expect(throws: TrainingError.interrupted(epoch: (stop - 1) / 3, step: stop)) {
        try first.train(observer: StepCounter(stopAfter: stop), save: save)
      }
      #expect(checkpoint.exists)
      let second = try trainer()
      try checkpoint.restore(second, data: data.identity)
      let counter = StepCounter()
      let model = try second.train(observer: counter, save: save)
      #expect(counter.steps.count == 9 - stop)
      #expect(model.parameters.values == expected.parameters.values, "stopped after step \(stop)")
      #expect(model.temperature == expected.temperature, "stopped after step \(stop)")
      #expect(second.state.history == whole.state.history, "stopped after step \(stop)")
    }
  }

  @Test("A run killed between checkpoints goes on from the last one to the same bits")
  func resumeFromOlderCheckpoint() throws {
    let expected = try trainer().train()
    let first = try trainer()
    var saves = 0
    #expect(throws: TrainingError.self) {
      try first.train(observer: StepCounter(stopAfter: 8)) { trainer in
        saves += 1
        if saves == 1 { try self.save(trainer) }
      }
    }
    #expect(saves > 1)
    let second = try trainer()
    try checkpoint.restore(second, data: data.identity)
    #expect(second.state.history.count == 1)
    let model = try second.train()
    #expect(model.parameters.values == expected.parameters.values)
  }

  @Test("The seconds of a resumed run are the sum over its sessions")
  func seconds() throws {
    let first = try trainer()
    #expect(first.seconds == 0)
    #expect(throws: TrainingError.self) {
      try first.train(observer: StepCounter(stopAfter: 5), save: save)
    }
    #expect(first.seconds > 0)
    first.state.seconds = 1000
    try save(first)
    let second = try trainer()
    try checkpoint.restore(second, data: data.identity)
    #expect(second.seconds == 1000)
    _ = try second.train(save: save)
    #expect(second.seconds > 1000 && second.seconds < 1900)
    let stopped = second.seconds
    #expect(second.seconds == stopped)
  }

  @Test("Resuming a finished run returns its model without a step")
  func resumeFinished() throws {
    let first = try trainer()
    let expected = try first.train(save: save)
    let second = try trainer()
    try checkpoint.restore(second, data: data.identity)
    let counter = StepCounter()
    #expect(try second.train(observer: counter).parameters.values == expected.parameters.values)
    #expect(counter.steps.isEmpty)
  }

  @Test("Resuming with other options or other data is refused")
  func mismatches() throws {
    try save(try trainer())
    let changes: [(inout GlyphTrainingConfiguration) -> Void] = [
      { $0.seed = 9 }, { $0.epochs = 4 }, { $0.peakRate = 0.5 }, { $0.layers.headUnits = 17 },
      { $0.augmentation.rotation = 0 },
    ]
    for change in changes {
      let error = #expect(throws: TrainingError.self) {
        try checkpoint.restore(trainer(change), data: data.identity)
      }
      #expect(error?.description.contains("other options") == true)
    }
    let other = try Self.data(in: root, seed: 91)
    let error = #expect(throws: TrainingError.self) {
      try checkpoint.restore(trainer(), data: other.identity)
    }
    #expect(error?.description.contains("other data") == true)
  }

  @Test("A checkpoint that is missing, empty, truncated or of another kind is refused")
  func damage() throws {
    let file = checkpoint.folder.appendingPathComponent("checkpoint.safetensors")
    func expectRefusal(_ name: String) throws {
      let trainer = try trainer()
      let before = trainer.optimizer.parameters.values
      let error = #expect(throws: TrainingError.self, "\(name)") {
        try checkpoint.restore(trainer, data: data.identity)
      }
      guard case .unusableCheckpoint(let path, _) = error else {
        Issue.record("\(name): \(String(describing: error))")
        return
      }
      #expect(path == checkpoint.folder.path, "\(name)")
      #expect(trainer.optimizer.parameters.values == before, "\(name)")
      #expect(trainer.state.history.isEmpty, "\(name)")
    }
    try expectRefusal("missing")
    try save(try trainer())
    let bytes = try Data(contentsOf: file)
    for count in [0, 7, 8, 100, bytes.count / 2, bytes.count - 1] {
      try bytes.prefix(count).write(to: file)
      try expectRefusal("\(count) of \(bytes.count) bytes")
    }
    try (bytes + Data([0])).write(to: file)
    try expectRefusal("one byte too many")
    for place in [bytes.count / 3, bytes.count - 4] {
      var flipped = bytes
      // The lowest bit of a weight, or of a moment.
      flipped[place & ~3] ^= 1
      try flipped.write(to: file)
      try expectRefusal("a bit at \(place)")
    }
    try SafeTensors(tensors: []).write(to: file)
    try expectRefusal("no state")
    let whole = try SafeTensors(contentsOf: bytesRestored(bytes, to: file))
    // Files of older versions have no digest.
    let metadata = whole.metadata.filter { !$0.key.hasSuffix("sha256") }
    #expect(metadata.count == 1 && whole.metadata.count == 2)
    for dropped in whole.tensors.map(\.name) {
      try SafeTensors(
        tensors: whole.tensors.filter { $0.name != dropped }, metadata: metadata
      ).write(to: file)
      try expectRefusal("without \(dropped)")
    }
  }

  @Test("A state that contradicts itself is refused")
  func inconsistentState() throws {
    let trainer = try trainer()
    let states = [
      ("negative epoch", TrainingState(epoch: -1, step: -3)),
      ("step beyond the epoch", TrainingState(stepInEpoch: 4, step: 4)),
      ("negative step", TrainingState(stepInEpoch: -2, step: -2)),
      ("step of another place", TrainingState(step: 5)),
      ("epochs without figures", TrainingState(epoch: 1, step: 3)),
    ]
    for (name, state) in states {
      trainer.state = state
      try save(trainer)
      let error = #expect(throws: TrainingError.self, "\(name)") {
        try checkpoint.restore(self.trainer(), data: data.identity)
      }
      #expect(error?.description.contains("contradicts") == true, "\(name)")
    }
  }

  private func bytesRestored(_ bytes: Data, to file: URL) throws -> URL {
    try bytes.write(to: file)
    return file
  }
}
