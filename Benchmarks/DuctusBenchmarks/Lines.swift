import Benchmark
import Features
import InkCore
import InkDatasets
import LinearAlgebra
import Networks
import Recognition
import Training

/// A line of about thirty characters by a virtual writer.
struct Line {
  let ink: Ink
  let text: String

  init() throws {
    let lines = try DataSpecification(parsing: "starter:words?length=5&split=all&limit=64")
      .records().map { try $0.get().labeled }
    let line = lines.min { abs($0.label.count - 30) < abs($1.label.count - 30) }
    guard let line else { throw NothingToMeasure(what: "lines of starter:words") }
    (ink, text) = (line.ink, line.label)
  }

  /// The ink in the form before encoding, as in training and recognition.
  func normalized() throws -> NormalizedLine {
    var line = NormalizedLine()
    line.load(try Trajectory(ink), area: nil)
    return line
  }
}

/// An error for missing data.
struct NothingToMeasure: Error, CustomStringConvertible {
  let what: String
  var description: String { "\(what): expected at least one, found none" }
}

/// A line network of a preset with fresh weights, and one line as its input.
private struct FreshLine {
  /// K: the blank and printable ASCII.
  static let classes = 1 + 0x7F - 0x20

  /// The classes of the line's characters.
  let text: [Int32]
  let network: SequenceNetwork
  let workspace: SequenceNetwork.Workspace
  let context: LayerContext
  private let parameters: AlignedBuffer

  init(_ preset: LinePreset, _ line: Line) throws {
    let configuration = preset.configuration
    text = line.text.unicodeScalars.map { Int32($0.value) - 0x20 + 1 }
    network = try SequenceNetwork(
      configuration.layers.architecture(configuration.pipeline, classes: Self.classes))
    parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: 1)
    network.initialize(parameters, using: &generator)
    context = LayerContext(parameters: parameters.pointer)
    workspace = network.makeWorkspace()
    var encoder = LineEncoder(configuration.pipeline)
    encoder.encode(try line.normalized())
    workspace.sequences.set(lengths: [encoder.steps])
    for (index, value) in encoder.values.enumerated() { workspace.input[index] = value }
  }

  /// Computes ln p [T, K].
  func forward() -> UnsafeMutablePointer<Float> { network.forward(workspace, context: context) }

  /// Floats of the output.
  var outputCount: Int { workspace.outputSequences.rows * network.architecture.classes }
}

/// Features, the network, the loss, and reading the network's output.
func lineBenchmarks() {
  for (name, usesCurves) in [("points", false), ("curves", true)] {
    Benchmark("line features, one line, \(name)") {
      (benchmark: Benchmark, trajectory: Trajectory) in
      var configuration = LinePreset.base.configuration
      if usesCurves { configuration.useCurves() }
      var line = NormalizedLine()
      var encoder = LineEncoder(configuration.pipeline)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        line.load(trajectory, area: nil)
        encoder.encode(line)
      }
      benchmark.stopMeasurement()
      blackHole(encoder.values)
    } setup: {
      try Trajectory(Line().ink)
    }
  }
  for preset in LinePreset.allCases {
    Benchmark("line network, one line, \(preset.rawValue), forward") {
      (benchmark: Benchmark, fresh: FreshLine) in
      for _ in benchmark.scaledIterations { blackHole(fresh.forward()) }
    } setup: {
      try FreshLine(preset, Line())
    }
  }
  Benchmark("CTC loss and gradient, one line") {
    (benchmark: Benchmark, fresh: FreshLine) in
    let output = fresh.forward()
    // The loss overwrites the output with its gradient, so the output is copied back each time.
    let kept = AlignedBuffer(count: fresh.outputCount)
    kept.pointer.update(from: output, count: kept.count)
    let layout = fresh.workspace.outputSequences
    let scratch = AlignedBuffer(
      count: ConnectionistTemporalClassification.scratchCount(
        steps: layout.steps, labels: fresh.text.count))
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      output.update(from: kept.pointer, count: kept.count)
      blackHole(
        ConnectionistTemporalClassification.loss(
          output, classes: FreshLine.classes, sequence: 0, of: layout, labels: fresh.text,
          scratch: scratch.pointer, scale: 1))
    }
  } setup: {
    try FreshLine(.base, Line())
  }
  Benchmark("greedy decoding, one line", configuration: .repeated) {
    (benchmark: Benchmark, fresh: FreshLine) in
    let output = fresh.forward()
    var labels: [Int32] = []
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      GreedyDecoding.labels(
        output, classes: FreshLine.classes, sequence: 0, of: fresh.workspace.outputSequences,
        into: &labels)
      blackHole(labels)
    }
  } setup: {
    try FreshLine(.base, Line())
  }
}
