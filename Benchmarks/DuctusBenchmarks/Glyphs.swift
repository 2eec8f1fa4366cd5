import Benchmark
import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition
import Training

/// Inks of two loops, 60 points each. Speed depends on nothing else.
private func inks(_ count: Int) -> [LabeledInk] {
  (0..<count).map { index in
    var generator = SeededGenerator(seed: 1, UInt64(index))
    let strokes = (0..<2).map { stroke in
      let phase = Double(generator.uniform(0...6))
      return Stroke(
        points: (0..<60).map { point in
          let angle = phase + Double(point) * 0.1
          return StrokePoint(
            x: 100 * cos(angle) + Double(60 * stroke), y: 80 * sin(1.7 * angle),
            t: Double(8 * point + 600 * stroke))
        })
    }
    return LabeledInk(ink: Ink(strokes: strokes), label: labels[index % labels.count])
  }
}

private let labels = (0..<62).map { "\($0)" }

/// A network of the default preset with fresh weights.
private struct Fresh {
  let configuration = GlyphTrainingConfiguration()
  let network: GlyphNetwork
  let parameters: AlignedBuffer

  init() throws {
    network = try GlyphNetwork(
      configuration.layers.architecture(configuration.pipeline, classes: labels.count))
    parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: 1)
    network.initialize(parameters, using: &generator)
  }

  var model: GlyphModel {
    let (folded, weights) = network.folded(parameters)
    return GlyphModel(
      labels: labels, pipeline: configuration.pipeline, network: folded, parameters: weights,
      temperature: 1)
  }
}

/// Features, the network's passes, training steps and recognition.
func glyphBenchmarks() {
  Benchmark("features, one ink", configuration: .repeated) { benchmark in
    let fresh = try Fresh()
    let input = GlyphInput(fresh.network.architecture, batch: 1)
    var extractor = FeatureExtractor(fresh.configuration.pipeline)
    let trajectories = try inks(64).map { try Trajectory($0.ink) }
    benchmark.startMeasurement()
    for index in benchmark.scaledIterations {
      extractor.extract(
        trajectories[index % 64], area: nil, sequence: input.sequence.pointer,
        maps: input.maps.pointer, globals: input.globals.pointer)
    }
  }
  for (name, isTraining) in [("forward", false), ("forward and backward", true)] {
    Benchmark("network, batch of 32, \(name)") { benchmark in
      let fresh = try Fresh()
      let input = GlyphInput(fresh.network.architecture, batch: 32)
      let workspace = fresh.network.makeWorkspace(batch: 32, training: isTraining)
      let gradients = AlignedBuffer(count: fresh.network.parameterCount)
      let context = LayerContext(
        parameters: fresh.parameters.pointer, gradients: isTraining ? gradients.pointer : nil,
        accumulates: false, isTraining: isTraining)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        blackHole(
          fresh.network.forward(input, batch: 32, workspace: workspace, context: context))
        if isTraining {
          fresh.network.backward(input, batch: 32, workspace: workspace, context: context)
        }
      }
    }
  }
  Benchmark("training step, batch of 128, one worker") { benchmark in
    var set = GlyphTrainingSet(labels: labels)
    for record in inks(1024) { try set.append(record) }
    let trainer = try GlyphTrainer(
      configuration: GlyphTrainingConfiguration(), training: set, validation: set, workers: 1)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { trainer.time(steps: 1) }
  }
  Benchmark("recognition, one ink, from raw points", configuration: .repeated) { benchmark in
    let classifier = GlyphClassifier(model: try Fresh().model)
    let inks = inks(64)
    benchmark.startMeasurement()
    for index in benchmark.scaledIterations {
      blackHole(try classifier.recognize(inks[index % 64].ink))
    }
  }
}
