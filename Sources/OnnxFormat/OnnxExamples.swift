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
  private var features: NetworkFeatures
  private var tensors: [SafeTensors.Tensor] = []
  /// The number of inks so far.
  package private(set) var count = 0

  /// Begins without inks.
  package init(of model: OpenModel) {
    content = model.content
    features = NetworkFeatures(of: model)
  }

  /// Adds an ink; one without points is left out. O(points), and the network.
  ///
  /// - Throws: `InkError` for a coordinate that is not finite.
  package mutating func add(_ ink: Ink, area: WritingArea?) throws(InkError) {
    let inputs = try features.tensors(of: ink, area: area)
    guard !inputs.isEmpty else { return }
    for input in inputs { append(input.name, input.shape, input.values) }
    switch content {
    case .glyph(let model): addOutput(model)
    case .characterLine(let model): addOutput(model.glyphs)
    case .line(let model): addOutput(model, inputs[0])
    case .formula: return
    }
    count += 1
  }

  private mutating func addOutput(_ model: GlyphModel) {
    guard let input = features.glyphInput else { return }
    let workspace = model.network.makeWorkspace(batch: 1)
    // Pointers into both are used to the end.
    defer { withExtendedLifetime((input, workspace)) {} }
    let logits = model.network.forward(
      input, batch: 1, workspace: workspace,
      context: LayerContext(parameters: model.parameters.pointer))
    let scores = UnsafeBufferPointer(start: logits, count: model.labels.count)
      .map { Double($0) / model.temperature }
    let largest = scores.max() ?? 0
    let normalizer = largest + log(scores.reduce(0) { $0 + exp($1 - largest) })
    append(OnnxExport.output, [1, scores.count], scores.map { Float($0 - normalizer) })
  }

  private mutating func addOutput(_ model: LineModel, _ steps: NetworkFeatures.Tensor) {
    let workspace = model.network.makeWorkspace()
    // The output is in its memory.
    defer { withExtendedLifetime(workspace) {} }
    workspace.sequences.set(lengths: CollectionOfOne(steps.shape[1]))
    steps.values.withUnsafeBufferPointer { values in
      if let base = values.baseAddress {
        workspace.input.update(from: base, count: values.count)
      }
    }
    let output = model.network.forward(
      workspace, context: LayerContext(parameters: model.parameters.pointer))
    copy(
      OnnxExport.output,
      [1, model.network.outputSteps(steps.shape[1]), model.network.architecture.classes],
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
