import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition
import SafeTensors

/// Inputs and outputs of the network of a model, to compare another runtime with: a safetensors
/// file with the inputs and the output of each ink, computed in single precision.
///
/// The tensors of ink number I, from 0, are `I.NAME`, with the names of the ONNX file.
package struct OnnxExamples {
  private let content: OpenModel.Content
  private var tensors: [SafeTensors.Tensor] = []
  /// The number of inks so far.
  package private(set) var count = 0

  /// Begins without inks.
  package init(of model: OpenModel) { content = model.content }

  /// Adds an ink; one without points is left out. O(points), and the network.
  ///
  /// - Throws: `InkError` for a coordinate that is not finite.
  package mutating func add(_ ink: Ink, area: WritingArea?) throws(InkError) {
    guard !ink.isEmpty else { return }
    var trajectory = Trajectory()
    try trajectory.load(ink)
    switch content {
    case .glyph(let model): add(trajectory, area, model)
    case .line(let model): add(&trajectory, area, model)
    case .formula: return
    }
    count += 1
  }

  private mutating func add(_ ink: Trajectory, _ area: WritingArea?, _ model: GlyphModel) {
    let architecture = model.network.architecture
    let input = GlyphInput(architecture, batch: 1)
    let workspace = model.network.makeWorkspace(batch: 1)
    // Pointers into both are used to the end.
    defer { withExtendedLifetime((input, workspace)) {} }
    var extractor = FeatureExtractor(model.pipeline)
    extractor.extract(
      ink, area: (model.usesWritingArea ? area : nil).map { LocalArea($0, in: ink.frame) },
      sequence: input.sequence.pointer, maps: input.maps.pointer, globals: input.globals.pointer)
    let logits = model.network.forward(
      input, batch: 1, workspace: workspace,
      context: LayerContext(parameters: model.parameters.pointer))
    let scores = UnsafeBufferPointer(start: logits, count: model.labels.count)
      .map { Double($0) / model.temperature }
    let largest = scores.max() ?? 0
    let normalizer = largest + log(scores.reduce(0) { $0 + exp($1 - largest) })
    let sequence = architecture.sequence
    copy("sequence", [1, sequence.steps, sequence.channels], from: input.sequence.pointer)
    if architecture.maps > 0 { copy("maps", [1, architecture.maps], from: input.maps.pointer) }
    if architecture.globals > 0 {
      copy("globals", [1, architecture.globals], from: input.globals.pointer)
    }
    append(
      OnnxExport.output, [1, scores.count], scores.map { Float($0 - normalizer) })
  }

  private mutating func add(_ ink: inout Trajectory, _ area: WritingArea?, _ model: LineModel) {
    ink.turn(model.pipeline.direction)
    let area = area.flatMap { $0.turned(model.pipeline.direction) }
    var line = NormalizedLine()
    line.load(ink, area: area.map { LocalArea($0, in: ink.frame) })
    var encoder = LineEncoder(model.pipeline)
    encoder.encode(line)
    let workspace = model.network.makeWorkspace()
    // The output is in its memory.
    defer { withExtendedLifetime(workspace) {} }
    workspace.sequences.set(lengths: CollectionOfOne(encoder.steps))
    encoder.values.withUnsafeBufferPointer { values in
      if let base = values.baseAddress {
        workspace.input.update(from: base, count: values.count)
      }
    }
    let output = model.network.forward(
      workspace, context: LayerContext(parameters: model.parameters.pointer))
    append("steps", [1, encoder.steps, model.pipeline.channels], encoder.values)
    copy(
      OnnxExport.output,
      [1, model.network.outputSteps(encoder.steps), model.network.architecture.classes],
      from: output)
  }

  private mutating func copy(_ name: String, _ shape: [Int], from values: UnsafePointer<Float>) {
    append(
      name, shape, Array(UnsafeBufferPointer(start: values, count: shape.reduce(1, *))))
  }

  private mutating func append(_ name: String, _ shape: [Int], _ values: [Float]) {
    tensors.append(
      SafeTensors.Tensor(name: "\(count).\(name)", shape: shape, values: values))
  }

  /// The bytes of the file.
  ///
  /// - Throws: `SafeTensorsError`.
  package func serialized() throws -> Data {
    try SafeTensors(tensors: tensors, metadata: ["inks": "\(count)"]).serialized()
  }
}
