import Features
import Foundation
import InkCore
import ModelFormat
import Networks
import Recognition
import SafeTensors
import Testing

/// Intact bundles that are not a model: each is refused with its own error, and none traps.
@Suite("Refused models")
struct ModelRefusalTests {
  /// Writes a bundle of these and returns the error of opening it.
  private func refusal(
    kind: ModelManifest.Kind = .glyph, labels: [String] = Samples.labels,
    architecture: JSONValue? = nil, features: JSONValue? = nil, temperature: Double = 1,
    tensors: [SafeTensors.Tensor]? = nil, part: String = "network.safetensors",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ModelError? {
    let folder = try TemporaryFolder()
    var manifest = Samples.manifest(kind: kind)
    manifest.labels = labels
    manifest.calibration.temperature = temperature
    manifest.architecture = try architecture ?? JSONValue(encoding: Samples.architecture())
    manifest.features = try features ?? JSONValue(encoding: Samples.pipeline)
    var writer = ModelBundleWriter(manifest: manifest)
    let network = try SafeTensors(tensors: tensors ?? Self.tensors())
    try writer.add(part: part, role: "network", data: network.serialized())
    try writer.write(to: folder.bundle)
    let error = #expect(throws: ModelError.self, sourceLocation: sourceLocation) {
      try GlyphModel(contentsOf: folder.bundle)
    }
    #expect("\(try #require(error))".hasPrefix(folder.bundle.path))
    return error
  }

  private static func tensors() -> [SafeTensors.Tensor] {
    GlyphNetwork(unchecked: Samples.architecture()).parameters.map {
      SafeTensors.Tensor(
        name: $0.name, shape: $0.shape, values: [Float](repeating: 0.5, count: $0.count))
    }
  }

  private func expectMalformed(
    _ what: String, _ change: (inout GlyphArchitecture) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var architecture = Samples.architecture()
    change(&architecture)
    let error = try refusal(
      architecture: JSONValue(encoding: architecture), sourceLocation: sourceLocation)
    guard case .malformed(_, let found, _, _) = error else {
      Issue.record("found \(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(found == what, sourceLocation: sourceLocation)
  }

  @Test("Unchanged, the bundle of these tests is a model")
  func control() throws {
    let folder = try TemporaryFolder()
    try Samples.model().bundle(Samples.manifest()).write(to: folder.bundle)
    #expect(throws: Never.self) { try GlyphModel(contentsOf: folder.bundle) }
  }

  @Test("A dropout rate out of range is reported with its range")
  func dropoutRate() {
    var architecture = Samples.architecture()
    architecture.trunk[1] = .dropout(rate: 7)
    #expect(
      throws: NetworkError(
        what: "trunk layer 1", expected: "a rate from 0, below 1", found: "7.0")
    ) { try GlyphNetwork(architecture) }
  }

  @Test("Another kind of model")
  func kind() throws {
    guard case .unsupportedKind(_, "glyph", "line") = try refusal(kind: .line) else {
      Issue.record("another error")
      return
    }
  }

  @Test("No part with the weights")
  func missingPart() throws {
    guard case .missingPart(_, "network.safetensors") = try refusal(part: "other.safetensors")
    else {
      Issue.record("another error")
      return
    }
  }

  @Test(
    "An architecture that is not one",
    arguments: [
      JSONValue.null, .object([:]), .string("glyph"), .array([]),
      .object(["sequence": .object(["steps": .number(1e300), "channels": .integer(1)])]),
    ])
  func otherArchitecture(architecture: JSONValue) throws {
    guard case .malformed(_, "architecture", _, _) = try refusal(architecture: architecture) else {
      Issue.record("another error")
      return
    }
  }

  @Test("Malformed features", arguments: [JSONValue.null, .object([:]), .integer(3)])
  func otherFeatures(features: JSONValue) throws {
    guard case .malformed(_, "features", _, _) = try refusal(features: features) else {
      Issue.record("another error")
      return
    }
  }

  @Test("An architecture whose input does not match the features")
  func input() throws {
    try expectMalformed("network input") { $0.sequence.steps += 1 }
    try expectMalformed("network input") { $0.sequence.channels += 1 }
    try expectMalformed("network input") { $0.maps += 1 }
    try expectMalformed("network input") { $0.globals += 1 }
  }

  @Test("More or fewer labels than classes")
  func labels() throws {
    for labels in [["a", "b"], Samples.labels + ["z"]] {
      guard case .malformed(_, "network output", _, _) = try refusal(labels: labels) else {
        Issue.record("another error for \(labels.count) labels")
        continue
      }
    }
  }

  @Test("A head that does not end in a dense layer")
  func head() throws {
    try expectMalformed("head") { $0.head.append(.dropout(rate: 0.5)) }
    try expectMalformed("head") { $0.head = [] }
  }

  @Test("A missing tensor, an extra one, and one of another shape")
  func tensors() throws {
    let all = Self.tensors()
    let first = try #require(all.first)
    let expected = ModelError.tensorMismatch(
      path: "", tensor: first.name, expected: first.shape, found: nil)
    #expect(try Self.withoutPath(refusal(tensors: Array(all.dropFirst()))) == expected)

    let extra = SafeTensors.Tensor(name: "extra", shape: [2], values: [1, 2])
    #expect(
      try Self.withoutPath(refusal(tensors: all + [extra]))
        == .tensorMismatch(path: "", tensor: "extra", expected: [], found: [2]))

    var misshaped = all
    misshaped[0] = SafeTensors.Tensor(
      name: first.name, shape: [first.values.count], values: first.values)
    #expect(
      try Self.withoutPath(refusal(tensors: misshaped))
        == .tensorMismatch(
          path: "", tensor: first.name, expected: first.shape, found: [first.values.count]))
  }

  private static func withoutPath(_ error: ModelError?) -> ModelError? {
    guard case .tensorMismatch(_, let tensor, let expected, let found) = error else { return error }
    return .tensorMismatch(path: "", tensor: tensor, expected: expected, found: found)
  }

  @Test("A temperature that single precision cannot divide by", arguments: [1e-300, 1e300])
  func temperature(value: Double) throws {
    guard case .malformed(_, "temperature", _, _) = try refusal(temperature: value) else {
      Issue.record("another error")
      return
    }
  }

  @Test("Absurd sizes in the architecture are refused and never trap")
  func absurdSizes() throws {
    let huge = [Int.max, Int.min, -1, 0, 1 << 40, 1 << 24 + 1]
    for size in huge {
      try expectMalformed("sequence") { $0.sequence.steps = size }
      try expectMalformed("sequence") { $0.sequence.channels = size }
      try expectMalformed("trunk layer 0") {
        $0.trunk[0] = .convolution(channels: size, kernel: 3, bias: true, relu: true)
      }
      try expectMalformed("side layer 0") {
        $0.side[0] = .dense(units: size, bias: true, relu: true)
      }
      try expectMalformed("context layer 0") {
        $0.context[0] = .dense(units: size, bias: true, relu: true)
      }
      try expectMalformed("head layer 0") {
        $0.head[0] = .dense(units: size, bias: true, relu: true)
      }
    }
    for size in huge where size != 0 {
      try expectMalformed("maps and globals") { $0.maps = size }
      try expectMalformed("maps and globals") { $0.globals = size }
    }
    for kernel in [Int.max, -1, 0, 2, Int.min, 1 << 40 + 1] {
      try expectMalformed("trunk layer 0") {
        $0.trunk[0] = .convolution(channels: 8, kernel: kernel, bias: true, relu: true)
      }
    }
    for rate: Float in [-0.1, 1, 5] {
      try expectMalformed("trunk layer 1") { $0.trunk[1] = .dropout(rate: rate) }
    }
  }

  @Test("Too many valid layers are refused before memory is allocated for them")
  func manyLayers() throws {
    try expectMalformed("network") {
      $0.trunk = [LayerSpecification](
        repeating: .convolution(channels: 1 << 12, kernel: 1, bias: true, relu: true), count: 400)
    }
    try expectMalformed("network") {
      $0.trunk = [.convolution(channels: 1 << 16, kernel: 1, bias: true, relu: true)]
      $0.trunk += [LayerSpecification](repeating: .dropout(rate: 0.5), count: 1000)
    }
  }

  @Test("Absurd sizes in the features are refused and never trap")
  func absurdFeatures() throws {
    let steps: [FeaturePipeline.Step] = [
      .removeDuplicates(distance: -1), .removeSpikes(leg: -1),
      .resampleByDistance(spacing: 0, limit: 10), .resampleByDistance(spacing: 1, limit: .max),
      .resampleByDistance(spacing: 1, limit: -1), .resampleByTime(interval: 0, limit: 10),
      .resampleByTime(interval: 1, limit: .max), .smooth(passes: .max), .smooth(passes: -1),
      .removeSlant(limit: -1),
    ]
    for step in steps {
      var pipeline = Samples.pipeline
      pipeline.steps = [step]
      guard
        case .malformed(_, "step 0", _, _) = try refusal(
          features: JSONValue(encoding: pipeline))
      else {
        Issue.record("another error for \(step)")
        continue
      }
    }
    let encodings: [FeaturePipeline.Encoding] = [
      .points(PointEncoding(count: 0)), .points(PointEncoding(count: .max)),
      .points(PointEncoding(count: -5)), .curves(CurveEncoding(limit: .max, maximumError: 0.1)),
      .curves(CurveEncoding(limit: 10, maximumError: 0)),
      .curves(CurveEncoding(limit: 10, maximumError: -1)),
    ]
    for encoding in encodings {
      var pipeline = Samples.pipeline
      pipeline.encoding = encoding
      guard
        case .malformed(_, "encoding", _, _) = try refusal(
          features: JSONValue(encoding: pipeline))
      else {
        Issue.record("another error for \(encoding)")
        continue
      }
    }
    for grid in [Int.max, Int.min, -1, 0, 1, 65] {
      var pipeline = Samples.pipeline
      pipeline.maps = DirectionMaps(grid: grid)
      guard
        case .malformed(_, "direction maps", _, _) = try refusal(
          features: JSONValue(encoding: pipeline))
      else {
        Issue.record("another error for a grid of \(grid)")
        continue
      }
    }
  }

  @Test(
    "Line networks whose sizes would overflow or fill the memory are refused before any is made")
  func lineArchitectures() throws {
    let pipeline = LinePipeline()
    let shrinking = PackedLayerSpecification.convolution(channels: 1, kernel: 1, stride: 64)
    let cases: [(layers: [PackedLayerSpecification], labels: Int, what: String)] = [
      (Array(repeating: shrinking, count: 11), 3, "layer 1"),
      ([.convolution(channels: 8, kernel: 3, stride: 65)], 3, "layer 0"),
      ([.convolution(channels: 8, kernel: 4, stride: 1)], 3, "layer 0"),
      ([.bidirectionalLSTM(hidden: 1 << 40)], 3, "layer 0"),
      ([.meanPool(stride: 1)], 3, "layer 0"), ([.meanPool(stride: .max)], 3, "layer 0"),
      ([.dense(units: 8192)], 20_000, "layer 1"),
      // Each is allowed, but not for a line of 8,192 steps.
      ([.bidirectionalLSTM(hidden: 1025)], 3, "layers"),
    ]
    for (layers, count, what) in cases {
      let folder = try TemporaryFolder()
      var manifest = Samples.manifest(kind: .line)
      manifest.labels = (0..<count).compactMap { Unicode.Scalar(0x4E00 + $0).map { "\($0)" } }
      manifest.architecture = try JSONValue(
        encoding: SequenceArchitecture(
          channels: pipeline.channels, layers: layers, classes: count + 1))
      manifest.features = try JSONValue(encoding: pipeline)
      var writer = ModelBundleWriter(manifest: manifest)
      try writer.add(
        part: "network.safetensors", role: "network",
        data: SafeTensors(tensors: Self.tensors()).serialized())
      try writer.write(to: folder.bundle)
      let error = #expect(throws: ModelError.self) { try LineModel(contentsOf: folder.bundle) }
      guard case .malformed(_, let found, _, _)? = error else {
        Issue.record("\(what): found \(String(describing: error))")
        continue
      }
      #expect(found == what)
    }
  }
}
