import Features
import Foundation
import InkCore
import ModelFormat
import Networks
import Recognition
import Testing

@Suite("Glyph models as bundles")
struct GlyphModelBundleTests {
  @Test("A written model is read unchanged, weight for weight")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let model = Samples.model()
    try model.bundle(Samples.manifest()).write(to: folder.bundle)
    let read = try GlyphModel(contentsOf: folder.bundle)
    #expect(read.labels == model.labels)
    #expect(read.pipeline == model.pipeline)
    #expect(read.network.architecture == model.network.architecture)
    #expect(read.temperature == model.temperature)
    #expect(read.parameters.values == model.parameters.values)
  }

  @Test(
    "Every encoding and step survives the bundle",
    arguments: [
      FeaturePipeline(
        steps: [
          .removeSpikes(leg: 0.3), .resampleByDistance(spacing: 0.02, limit: 400),
          .removeSlant(limit: 0.6), .normalizeByArea,
        ],
        encoding: .points(PointEncoding(count: 20)), maps: nil),
      FeaturePipeline(
        steps: [.resampleByTime(interval: 10, limit: 300), .smooth(passes: 3)],
        encoding: .curves(CurveEncoding(limit: 12, maximumError: 0.02)),
        maps: DirectionMaps(grid: 8)),
    ])
  func pipelines(pipeline: FeaturePipeline) throws {
    let folder = try TemporaryFolder()
    var architecture = Samples.architecture(pipeline)
    if pipeline.maps == nil { architecture.side = [] }
    let network = GlyphNetwork(unchecked: architecture)
    var model = Samples.model()
    model = GlyphModel(
      labels: model.labels, pipeline: pipeline, network: network,
      parameters: .init(count: network.parameterCount), temperature: 1)
    try model.bundle(Samples.manifest()).write(to: folder.bundle)
    #expect(try GlyphModel(contentsOf: folder.bundle).pipeline == pipeline)
  }

  @Test("A bundle gives the same candidates as the model in memory, bit for bit")
  func sameAnswers() throws {
    let folder = try TemporaryFolder()
    let model = Samples.model()
    try model.bundle(Samples.manifest()).write(to: folder.bundle)
    let saved = try GlyphClassifier(contentsOf: folder.bundle)
    let inMemory = GlyphClassifier(model: model)
    for seed in 0..<20 {
      let ink = Samples.ink(seed: UInt64(seed))
      #expect(try saved.recognize(ink) == inMemory.recognize(ink), "seed \(seed)")
    }
  }

  @Test("The bundle has the model's labels and calibration, for any previous manifest")
  func manifest() throws {
    let folder = try TemporaryFolder()
    var manifest = Samples.manifest()
    manifest.labels = ["x", "y"]
    let bundle = try Samples.model(temperature: 2.5).bundle(manifest).write(to: folder.bundle)
    #expect(bundle.manifest.labels == Samples.labels)
    #expect(bundle.manifest.calibration.temperature == 2.5)
  }
}
