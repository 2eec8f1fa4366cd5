import Features
import Foundation
import InkCore
import Networks
import Recognition
import Testing
import Training

/// Tests of copying and averaging the weights of line models.
@Suite struct LineTransferTests {
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
    let (old, new) = (first.network.parameters, second.task.network.parameters)
    for (own, other) in zip(old, new) where own.shape == other.shape {
      #expect(
        (0..<own.count).allSatisfy {
          first.parameters.pointer[own.offset + $0]
            == second.optimizer.parameters.pointer[other.offset + $0]
        }, "\(own.name)")
    }
    let (bias, wide) = (try #require(old.last), try #require(new.last))
    #expect(wide.shape == [4])
    for (label, source) in [(0, 0), (2, 1), (3, 2)] {
      #expect(
        second.optimizer.parameters.pointer[wide.offset + label]
          == first.parameters.pointer[bias.offset + source])
    }
    // Weights do not depend on dropout.
    for rate: Float in [0, 0.4] {
      var other = LineTrainingConfiguration.tiny()
      other.layers.dropout = rate
      let third = try LineTrainer(
        configuration: other, training: wider, validation: wider, workers: 1, from: first)
      let count = first.network.parameters[0].count
      #expect(
        (0..<count).allSatisfy {
          third.optimizer.parameters.pointer[$0] == first.parameters.pointer[$0]
        })
      #expect(
        third.optimizer.parameters.pointer[wide.offset + 2]
          == first.parameters.pointer[bias.offset + 1])
    }
    var other = LineTrainingConfiguration.tiny()
    other.layers.hidden = [8]
    #expect(throws: TrainingError.unusableStart) {
      try LineTrainer(
        configuration: other, training: wider, validation: wider, workers: 1, from: first)
    }
  }

  @Test("A wider network starts as the narrower model and trains all its units")
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
        labels: trainer.labels, pipeline: configuration.pipeline, network: trainer.task.network,
        parameters: trainer.optimizer.parameters
      ).probabilities(of: set.samples[0].line)
    }
    let (narrow, wide) = (model.probabilities(of: set.samples[0].line), output())
    #expect(narrow.count == wide.count)
    #expect(zip(narrow, wide).allSatisfy { abs($0 - $1) < 1e-5 })
    _ = try trainer.train()
    // The weights from the new units to the known ones were 0.
    let tensor = try #require(
      trainer.task.network.parameters.first { $0.name.hasSuffix("forward.weight") })
    let row = trainer.optimizer.parameters.pointer + tensor.offset + 16 * 4 * 17
    #expect(row[0] != 0)
    configuration.layers.stages[0].kernel = 7
    #expect(throws: TrainingError.unusableStart) {
      try LineTrainer(
        configuration: configuration, training: set, validation: set, workers: 1, from: model)
    }
  }

  @Test("A network of joined time steps starts with the weights of one that keeps every step")
  func trainingGoesOnWithJoinedSteps() throws {
    let set = try LineTrainingSet.arcs(count: 40, seed: 12)
    var configuration = LineTrainingConfiguration.tiny(epochs: 1)
    configuration.layers.hidden = [12, 10]
    let model = try LineTrainer.ofArcs(configuration, count: 40, workers: 1).train()
    func trainer(hidden: Int, stride: Int, from start: LineModel) throws -> LineTrainer {
      configuration.layers.hidden[0] = hidden
      configuration.layers.stride = stride
      return try LineTrainer(
        configuration: configuration, training: set, validation: set, workers: 1, from: start)
    }
    let joined = try trainer(hidden: 12, stride: 2, from: model)
    #expect(joined.task.network.stride == 2 * model.network.stride)
    for (own, other) in zip(model.network.parameters, joined.task.network.parameters) {
      #expect(own.shape == other.shape)
      #expect(
        (0..<own.count).allSatisfy {
          model.parameters.pointer[own.offset + $0]
            == joined.optimizer.parameters.pointer[other.offset + $0]
        }, "\(own.name)")
    }
    // Wider and with joined steps at once: the new units change nothing.
    let wider = try trainer(hidden: 17, stride: 2, from: model)
    let line = set.samples[0].line
    let (narrow, wide) = (joined.start.probabilities(of: line), wider.start.probabilities(of: line))
    #expect(narrow.count == wide.count && narrow.count < model.probabilities(of: line).count)
    #expect(zip(narrow, wide).allSatisfy { abs($0 - $1) < 1e-5 })
    let trained = try wider.train()
    // Steps can be joined further, but not separated, nor averaged with separate ones.
    #expect(try trainer(hidden: 17, stride: 4, from: trained).task.network.stride == 8)
    for stride in [1, 3] {
      #expect(throws: TrainingError.unusableStart) {
        try trainer(hidden: 17, stride: stride, from: trained)
      }
    }
    #expect(LineModel.average(of: [trained, wider.start, joined.start]) != nil)
    #expect(LineModel.average(of: [trained, model]) == nil)
  }

  @Test("Training from a model keeps its layers, and a wider preset widens them")
  func layersOfTheStart() throws {
    var configuration = LineTrainingConfiguration.tiny(epochs: 1)
    configuration.layers.hidden = [12, 20]
    configuration.layers.stride = 2
    configuration.pipeline.placesMarks = true
    let model = try LineTrainer.ofArcs(configuration, count: 40, workers: 1).train()
    // Other numbers of layers, and other steps: those of the model.
    var other = LinePreset.small.configuration
    other.start(from: model)
    #expect(other.pipeline.placesMarks)
    #expect(other.layers.dropout == LinePreset.small.configuration.layers.dropout)
    other.layers.dropout = configuration.layers.dropout
    #expect(other.layers == configuration.layers)
    // The same number of layers: the wider ones of both.
    var wider = LineTrainingConfiguration.tiny(epochs: 1)
    wider.layers.hidden = [16, 16]
    wider.layers.stages[0].channels = 13
    wider.start(from: model)
    #expect(wider.layers.hidden == [16, 20] && wider.layers.stride == 2)
    #expect(wider.layers.stages[0].channels == 13)
    let set = try LineTrainingSet.arcs(count: 40, seed: 12)
    let trainer = try LineTrainer(
      configuration: wider, training: set, validation: set, workers: 1, from: model)
    #expect(trainer.task.network.stride == model.network.stride)
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
    // The mean of a model and a wider one lies between them; here both are the same model.
    let first = try #require(LineModel.average(of: models, shares: [3, 0]))
    for index in 0..<first.parameters.count {
      let expected = models[0].parameters.pointer[index]
      #expect(
        abs(first.parameters.pointer[index] - expected) <= max(1e-7, abs(expected) / 2048))
    }
    #expect(LineModel.average(of: models, shares: [0, 0]) == nil)
    #expect(LineModel.average(of: models, shares: [1]) == nil)
    #expect(LineModel.average(of: models, shares: [2, -1]) == nil)
    configuration.layers.hidden = [13]
    let set = try LineTrainingSet.arcs(count: 10, seed: 12)
    let trainer = try LineTrainer(
      configuration: configuration, training: set, validation: set, workers: 1, from: models[0])
    let wider = LineModel(
      labels: trainer.labels, pipeline: configuration.pipeline, network: trainer.task.network,
      parameters: trainer.optimizer.parameters)
    let same = try #require(LineModel.average(of: [models[0], wider]))
    #expect(same.network.architecture == wider.network.architecture)
    let (own, other) = (
      models[0].probabilities(of: set.samples[0].line), same.probabilities(of: set.samples[0].line)
    )
    #expect(zip(own, other).allSatisfy { abs($0 - $1) < 2e-3 } && own.count == other.count)
    configuration.pipeline.spacing *= 2
    let unlike = try LineTrainer.ofArcs(configuration, count: 40, workers: 1).train()
    #expect(LineModel.average(of: models + [unlike]) == nil)
    #expect(LineModel.average(of: []) == nil)
  }
}

extension LineTrainer {
  /// The model of the current weights.
  fileprivate var start: LineModel {
    LineModel(
      labels: labels, pipeline: configuration.pipeline, network: task.network,
      parameters: optimizer.parameters)
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
