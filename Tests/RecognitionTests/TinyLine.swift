import Features
import Foundation
import InkCore
import LanguageModels
import LinearAlgebra
import Networks
import Recognition
import Testing

/// A line model of three letters and the space, with outputs, ink and a language model for it.
enum TinyLine {
  /// Log-probabilities [T, K] that favour one class at each time step.
  static func output(_ path: [Int], classes: Int, strength: Float = 6) -> [Float] {
    path.flatMap { favoured in
      var row = [Float](repeating: 0, count: classes)
      row[favoured] = strength
      let sum = row.reduce(0) { $0 + exp($1) }
      return row.map { $0 - log(sum) }
    }
  }

  static let labels = [" ", "a", "b", "c"]

  /// Layers that join two time steps, for ``untrainedModel(labels:later:)``.
  static let joining: [PackedLayerSpecification] = [
    .meanPool(stride: 2), .bidirectionalLSTM(hidden: 8),
  ]

  /// An untrained model of four symbols, for tests that ignore the content of its readings.
  ///
  /// - Parameter later: The layers behind the first recurrent one.
  static func untrainedModel(
    labels: [String] = labels, later: [PackedLayerSpecification] = []
  ) -> LineModel {
    let pipeline = LinePipeline(spacing: 0.1)
    let network = SequenceNetwork(
      unchecked:
        SequenceArchitecture(
          channels: pipeline.channels,
          layers: [
            .convolution(channels: 8, kernel: 5, stride: 3), .bidirectionalLSTM(hidden: 8),
          ] + later, classes: labels.count + 1))
    let parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: 3)
    network.initialize(parameters, using: &generator)
    return LineModel(labels: labels, pipeline: pipeline, network: network, parameters: parameters)
  }

  static func ink(strokes: Int, points: Int) -> Ink {
    Ink(
      strokes: (0..<strokes).map { stroke in
        Stroke(
          points: (0..<points).map { point -> StrokePoint in
            let angle = Double(point) / 3 + Double(stroke)
            return StrokePoint(x: Double(stroke * 30 + point), y: 20 * sin(angle))
          })
      })
  }

  /// A model of texts in which "b" follows "a" and a space follows "b".
  static func languageModel() throws -> LanguageModel {
    try languageModel(of: "ab ab ab c ab ab\nab c ab ab ab", times: 40, order: 3)
  }

  /// A model of a text that is repeated.
  static func languageModel(of lines: String, times: Int, order: Int) throws -> LanguageModel {
    var text = NormalizedText(linesAreTexts: true)
    text.append(Array(repeating: lines, count: times).joined(separator: "\n"))
    var options = LanguageModelTrainer.Options()
    options.order = order
    options.minimumCount = 1
    return try LanguageModel(bytes: LanguageModelTrainer.train(text, options: options))
  }
}
