import Features
import Foundation
import InkCore
import LinearAlgebra
import ModelFormat
import Networks
import OnnxFormat
import PretrainedModels
import Recognition
import SafeTensors
import Testing

@Suite("Models as ONNX files")
struct OnnxFormatTests {
  /// Runs a test with a folder that is removed afterwards.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("onnx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func shipped(_ name: String) throws -> OpenModel {
    try OpenModel.open(#require(try PretrainedModels().bundleURL(of: name)))
  }

  @Test(
    "A shipped model that is exported and imported has the same bits",
    arguments: [
      "shapes", "latin-lines",
    ])
  func sameBits(name: String) throws {
    try withFolder { folder in
      let model = try shipped(name)
      let export = try OnnxExport(of: model)
      let writer = try OnnxImport.bundle(export.file, path: "a.onnx")
      let copy = try OpenModel(writer.write(to: folder.appendingPathComponent("copy.ductus")))
      let (one, other) = (model.bundle.manifest, copy.bundle.manifest)
      let (network, same) = (one.part(role: "network"), other.part(role: "network"))
      #expect(network?.sha256 == same?.sha256 && same != nil)
      #expect(one.labels == other.labels && one.features == other.features)
      #expect(one.data == other.data && one.training == other.training)
      #expect(other.parts.count == 1)
      #expect(export.leftOut == one.parts.map(\.role).filter { $0 != "network" })
      // A second export has the same bytes.
      #expect(try OnnxExport(of: model).file == export.file)
    }
  }

  @Test(
    "The features of a model are the inputs of its network, ink after ink",
    arguments: ["shapes", "latin-lines"])
  func features(name: String) throws {
    let model = try shipped(name)
    var features = NetworkFeatures(of: model)
    let inks = [
      Ink(strokes: [Stroke(points: (0..<9).map { StrokePoint(x: Double($0), y: Double($0 % 3)) })]),
      Ink(strokes: [Stroke(points: [StrokePoint(x: 3, y: 3)])]),
    ]
    var first: [[NetworkFeatures.Tensor]] = []
    for ink in inks { first.append(try features.tensors(of: ink, area: nil)) }
    for (ink, expected) in zip(inks, first) {
      // Earlier inks have no influence.
      #expect(try features.tensors(of: ink, area: nil) == expected)
      var fresh = NetworkFeatures(of: model)
      #expect(try fresh.tensors(of: ink, area: nil) == expected)
      for tensor in expected {
        #expect(tensor.shape.reduce(1, *) == tensor.values.count && tensor.shape.first == 1)
        #expect(tensor.values.allSatisfy { $0.isFinite })
      }
    }
    let names = first[0].map(\.name)
    #expect(names == (try OnnxExport(of: model).description.inputs.map(\.name)))
    #expect(try features.tensors(of: Ink(strokes: []), area: nil).isEmpty)
    #expect(throws: InkError.self) {
      let broken = Ink(strokes: [Stroke(points: [StrokePoint(x: .nan, y: 0)])])
      _ = try features.tensors(of: broken, area: nil)
    }
  }

  /// A bundle of a glyph network with every kind of layer, with random weights.
  private func glyphs(in folder: URL) throws -> OpenModel {
    let pipeline = FeaturePipeline(
      steps: [.normalizeByBox], encoding: .points(PointEncoding(count: 16)), maps: nil)
    let architecture = GlyphArchitecture(
      sequence: Shape(steps: pipeline.sequenceSteps, channels: pipeline.sequenceChannels),
      trunk: [
        .convolution(channels: 6, kernel: 3, bias: false, relu: false),
        .batchNormalization(relu: true), .maxPool, .dropout(rate: 0.5),
      ], maps: pipeline.mapCount, side: [], globals: pipeline.globalCount, context: [],
      head: [.dense(units: 5, bias: true, relu: true), .dense(units: 2, bias: false, relu: false)])
    let network = try GlyphNetwork(architecture)
    let parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: 1)
    network.initialize(parameters, using: &generator)
    let model = GlyphModel(
      labels: ["a", "b"], pipeline: pipeline, network: network, parameters: parameters,
      temperature: 2
    ).roundedToHalfPrecision()
    let manifest = ModelManifest(
      kind: .glyph, identifier: "small", name: "Small", labels: ["a", "b"], data: [],
      architecture: .null, features: .null)
    return try OpenModel(
      model.bundle(manifest).write(to: folder.appendingPathComponent("small.ductus")))
  }

  @Test("Every kind of layer of glyphs is exported, and missing inputs are left out")
  func layers() throws {
    try withFolder { folder in
      let model = try glyphs(in: folder)
      let export = try OnnxExport(of: model)
      let names = export.description.inputs.map(\.name)
      #expect(names.first == "sequence" && !names.contains("maps"))
      #expect(export.description.outputs.map(\.shape) == [["batch", "2"]])
      for operation in ["Conv", "BatchNormalization", "MaxPool", "MatMul", "LogSoftmax"] {
        #expect(Data(export.file).range(of: Data(operation.utf8)) != nil, "\(operation)")
      }
      let copy = try OpenModel(
        OnnxImport.bundle(export.file, path: "a").write(
          to: folder.appendingPathComponent("copy.ductus")))
      #expect(copy.bundle.manifest.calibration == model.bundle.manifest.calibration)
    }
  }

  @Test("A line network that joins time steps is exported with its stride, and read back")
  func joinedSteps() throws {
    try withFolder { folder in
      let pipeline = LinePipeline()
      let network = try SequenceNetwork(
        SequenceArchitecture(
          channels: pipeline.channels,
          layers: [
            .convolution(channels: 6, kernel: 5, stride: 3), .bidirectionalLSTM(hidden: 4),
            .meanPool(stride: 2), .bidirectionalLSTM(hidden: 4),
          ], classes: 3))
      let parameters = AlignedBuffer(count: network.parameterCount)
      var generator = SeededGenerator(seed: 2)
      network.initialize(parameters, using: &generator)
      let line = LineModel(
        labels: ["a", "b"], pipeline: pipeline, network: network, parameters: parameters
      ).roundedToHalfPrecision()
      let manifest = ModelManifest(
        kind: .line, identifier: "small", name: "Small", labels: ["a", "b"], data: [],
        architecture: .null, features: .null)
      let model = try OpenModel(
        line.bundle(manifest).write(to: folder.appendingPathComponent("small.ductus")))
      let export = try OnnxExport(of: model)
      #expect(export.description.inputStepsPerOutputStep == 6)
      #expect(Data(export.file).range(of: Data("AveragePool".utf8)) != nil)
      let copy = try OpenModel(
        OnnxImport.bundle(export.file, path: "a").write(
          to: folder.appendingPathComponent("copy.ductus")))
      #expect(copy.bundle.manifest.formatVersion == 4)
      #expect(try copy.line().network.architecture == network.architecture)
      var examples = OnnxExamples(of: model)
      let ink = Ink(strokes: [
        Stroke(points: (0..<30).map { StrokePoint(x: Double($0), y: Double($0 % 7)) })
      ])
      try examples.add(ink, area: nil)
      let tensors = try SafeTensors(bytes: examples.serialized())
      let steps = try #require(tensors["0.steps"]).shape[1]
      #expect(try #require(tensors["0.log_probabilities"]).shape == [1, (steps + 5) / 6, 3])
    }
  }

  @Test("Examples hold the inputs and outputs of each ink with points")
  func examples() throws {
    let ink = Ink(strokes: [
      Stroke(points: (0..<30).map { StrokePoint(x: Double($0), y: Double($0 % 7)) })
    ])
    for (name, input) in [("shapes", "sequence"), ("latin-lines", "steps")] {
      let model = try shipped(name)
      var examples = OnnxExamples(of: model)
      try examples.add(Ink(strokes: []), area: nil)
      try examples.add(ink, area: nil)
      let tensors = try SafeTensors(bytes: examples.serialized())
      #expect(tensors.metadata["inks"] == "1")
      #expect(tensors["0.\(input)"]?.shape.first == 1)
      let output = try #require(tensors["0.log_probabilities"])
      let classes = try #require(output.shape.last)
      for row in stride(from: 0, to: output.values.count, by: classes) {
        let sum = output.values[row..<row + classes].reduce(0) { $0 + exp($1) }
        #expect(abs(sum - 1) < 1e-4)
      }
    }
  }

  @Test("A damaged file is a typed error, wherever it is cut or changed")
  func damaged() throws {
    try withFolder { folder in
      let file = try OnnxExport(of: glyphs(in: folder)).file
      for count in stride(from: 0, to: file.count, by: max(1, file.count / 200)) {
        #expect(throws: (any Error).self) {
          try OnnxImport.bundle(Array(file.prefix(count)), path: "a")
        }
      }
      var generator = SeededGenerator(seed: 7)
      for _ in 0..<300 {
        var changed = file
        changed[Int.random(in: 0..<changed.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
        // A changed weight is a valid file; nothing else may happen than an error.
        _ = try? OnnxImport.bundle(changed, path: "a")
      }
    }
  }

  @Test("A file of another program is refused with the reason")
  func foreign() throws {
    // A model with an empty graph.
    let error = #expect(throws: OnnxError.self) {
      try OnnxImport.bundle([0x08, 8, 0x3A, 0], path: "other.onnx")
    }
    #expect(error == .foreign(path: "other.onnx", found: "no manifest in its metadata"))
    for bytes: [UInt8] in [[], [0xFF], Array("not ONNX".utf8)] {
      let error = #expect(throws: OnnxError.self) { try OnnxImport.bundle(bytes, path: "b.onnx") }
      guard case .malformed(path: "b.onnx", _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
