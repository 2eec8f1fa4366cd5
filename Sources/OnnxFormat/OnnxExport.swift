import Files
import Foundation
import LinearAlgebra
import ModelFormat
import Networks
import Recognition

/// A model as an ONNX file, with a description of the features that it takes.
///
/// The network alone is in the file: ink becomes numbers outside, as ``description`` says. Language
/// models, character models and the search are not in it.
///
///     let export = try OnnxExport(of: OpenModel.open(url))
///     try Data(export.file).write(to: onnx)
package struct OnnxExport: Sendable {
  /// The bytes of the file.
  package let file: [UInt8]
  /// The description that a program needs to feed the network and to read its output, as JSON.
  package let description: OnnxDescription
  /// The parts of the bundle that the file lacks, by their roles.
  package let leftOut: [String]

  /// The key of the manifest in the metadata of the file.
  static let manifestKey = "ductus.manifest"
  /// The key of the description in the metadata of the file.
  static let descriptionKey = "ductus.description"
  /// The name of the output.
  static let output = "log_probabilities"
  /// The most bytes of a message of Protocol Buffers.
  private static let mostBytes = Int(Int32.max)

  /// Converts an open bundle.
  ///
  /// - Throws: ``OnnxError/notExpressible(model:reason:)``, or an encoder's error.
  package init(of model: OpenModel) throws {
    var graph = OnnxGraph()
    let manifest = model.bundle.manifest
    let tensors: [Parameter]
    let parameters: AlignedBuffer
    let architecture: OnnxDescription.Network
    switch model.content {
    case .glyph(let glyphs):
      (tensors, parameters) = (glyphs.tensors, glyphs.parameters)
      architecture = try graph.add(glyphs)
    case .line(let line):
      (tensors, parameters) = (line.tensors, line.parameters)
      architecture = graph.add(line)
    case .characterLine:
      throw OnnxError.notExpressible(
        model: manifest.identifier,
        reason: "its network is that of a glyph model; convert the glyph model")
    case .formula:
      throw OnnxError.notExpressible(
        model: manifest.identifier, reason: "only glyph and line models have an ONNX form")
    }
    let name = manifest.identifier
    guard 4 * tensors.reduce(0, { $0 + $1.count }) < Self.mostBytes / 2 else {
      throw OnnxError.notExpressible(
        model: name, reason: "it has more weights than one ONNX file of 2 GB holds")
    }
    for tensor in tensors {
      let values = Array(
        UnsafeBufferPointer(start: parameters.pointer + tensor.offset, count: tensor.count))
      guard values.allSatisfy(\.isFinite) else {
        throw OnnxError.notExpressible(
          model: name, reason: "\(tensor.name) has values that are not finite")
      }
      graph.add(.init(name: tensor.name, shape: tensor.shape, values: .floats(values)))
    }
    description = OnnxDescription(manifest, architecture)
    leftOut = manifest.parts.map(\.role).filter { $0 != ModelManifest.Part.networkRole }
    var bare = manifest
    bare.parts = []
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    file = graph.serialized(
      name: name, text: "The network of the Ductus model \(name). Its inputs are features of ink.",
      metadata: [
        (Self.manifestKey, String(decoding: try bare.serialized(), as: UTF8.self)),
        (Self.descriptionKey, String(decoding: try encoder.encode(description), as: UTF8.self)),
      ])
  }
}

extension OnnxGraph {
  /// Adds the network of a glyph model: [B, …] to ln p [B, K], calibrated.
  fileprivate mutating func add(_ model: GlyphModel) throws -> OnnxDescription.Network {
    let architecture = model.network.architecture
    let batch = Size.free("batch")
    var inputs: [OnnxDescription.Tensor] = []
    func declare(_ name: String, _ sizes: [Int], _ meaning: String, _ graph: inout OnnxGraph)
      -> String
    {
      inputs.append(
        .init(name: name, shape: ["batch"] + sizes.map(String.init), meaning: meaning))
      return graph.input(name, [batch] + sizes.map { .fixed($0) })
    }
    var parts: [String] = []
    var joined = 0
    func branch(
      _ input: String, _ layers: [LayerSpecification], _ name: String, _ shape: Shape,
      _ graph: inout OnnxGraph
    ) {
      let (output, shape) = graph.layers(layers, named: name, of: input, shape)
      parts.append(graph.node("Reshape", [output, graph.constant([-1, 1, shape.count])]))
      joined += shape.count
    }
    let sequence = architecture.sequence
    let path = declare(
      "sequence", [sequence.steps, sequence.channels], "the pen path, step by step", &self)
    branch(path, architecture.trunk, "trunk", sequence, &self)
    for (name, count, layers, part, meaning) in [
      ("maps", architecture.maps, architecture.side, "side", "direction maps of the whole ink"),
      (
        "globals", architecture.globals, architecture.context, "context",
        "values of the whole ink, such as its size in the writing area"
      ),
    ] where count > 0 {
      let flat = declare(name, [count], meaning, &self)
      let input = node("Reshape", [flat, constant([-1, 1, count])])
      branch(input, layers, part, Shape(steps: 1, channels: count), &self)
    }
    let all = parts.count == 1 ? parts[0] : node("Concat", parts, [("axis", .integer(2))])
    let (logits, shape) = layers(
      architecture.head, named: "head", of: all, Shape(steps: 1, channels: joined))
    let flat = node("Reshape", [logits, constant([-1, shape.count])])
    let factor = constant([Float(1 / model.temperature)], shape: [1])
    let scaled = node("Mul", [flat, factor])
    _ = node("LogSoftmax", [scaled], [("axis", .integer(-1))], output: OnnxExport.output)
    output(OnnxExport.output, [batch, .fixed(shape.count)])
    return .init(
      inputs: inputs,
      outputs: [
        .init(
          name: OnnxExport.output, shape: ["batch", "\(shape.count)"],
          meaning: "the natural logarithm of the calibrated probability of each label")
      ], inputStepsPerOutputStep: nil)
  }

  /// Adds the network of a line model: [1, T, C] to ln p [1, T', K].
  fileprivate mutating func add(_ model: LineModel) -> OnnxDescription.Network {
    let architecture = model.network.architecture
    let steps = input(
      "steps", [.fixed(1), .free("steps"), .fixed(architecture.channels)])
    let last = architecture.layers + [.dense(units: architecture.classes)]
    let (logits, classes) = layers(last, of: steps, channels: architecture.channels)
    _ = node("LogSoftmax", [logits], [("axis", .integer(-1))], output: OnnxExport.output)
    output(OnnxExport.output, [.fixed(1), .free("output_steps"), .fixed(classes)])
    return .init(
      inputs: [
        .init(
          name: "steps", shape: ["1", "steps", "\(architecture.channels)"],
          meaning: "the line of ink, step by step")
      ],
      outputs: [
        .init(
          name: OnnxExport.output, shape: ["1", "output_steps", "\(classes)"],
          meaning:
            "the natural logarithm of the probability of each class at each step: class 0 is "
            + "the blank, class k + 1 is label k")
      ], inputStepsPerOutputStep: model.network.stride)
  }
}
