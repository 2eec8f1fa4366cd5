import Features
import InkCore
import InkDatasets
import LinearAlgebra
import Networks
import Recognition
import Training

/// Models that are trained in seconds.
package enum SmallModels {
  /// A briefly trained model of some labels of the starter set.
  package static func glyphs(_ data: String, epochs: Int) throws -> GlyphClassifier {
    let set = try GlyphTrainingData(
      training: [DataSpecification(parsing: data + "&split=train")],
      validation: [DataSpecification(parsing: data + "&split=val")])
    var configuration = GlyphTrainingConfiguration()
    configuration.epochs = epochs
    configuration.batchSize = 32
    configuration.averageDecay = 0.9
    configuration.layers = .small
    return GlyphClassifier(
      model: try GlyphTrainer(
        configuration: configuration, training: set.training, validation: set.validation,
        workers: 2
      ).train())
  }

  /// A line model with random weights, for tests that ignore the content of its readings.
  package static func untrainedLines() throws -> LineRecognizer {
    let labels = [" "] + "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let pipeline = LinePipeline(spacing: 0.2)
    let network = SequenceNetwork(
      unchecked:
        SequenceArchitecture(
          channels: pipeline.channels,
          layers: [.convolution(channels: 8, kernel: 5, stride: 4), .bidirectionalLSTM(hidden: 8)],
          classes: labels.count + 1))
    let parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: 3)
    network.initialize(parameters, using: &generator)
    return try LineRecognizer(
      model: LineModel(
        labels: labels, pipeline: pipeline, network: network, parameters: parameters))
  }
}
