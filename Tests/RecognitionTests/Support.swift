import Features
import Foundation
import InkCore
import LinearAlgebra
import ModelFormat
import Networks
import Recognition

/// A temporary folder of one test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-recognition-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var bundle: URL { url.appendingPathComponent("m.ductus") }
}

/// Small models with random weights, and random inks.
enum Samples {
  static let labels = ["a", "b", "é", "0", "O"]

  static let pipeline = FeaturePipeline(
    steps: [.removeDuplicates(distance: 0.004), .normalizeByBox, .smooth(passes: 1)],
    encoding: .points(PointEncoding(count: 16)), maps: DirectionMaps(grid: 4))

  static func architecture(
    _ pipeline: FeaturePipeline = pipeline, classes: Int = labels.count
  ) -> GlyphArchitecture {
    GlyphArchitecture(
      sequence: Shape(steps: pipeline.sequenceSteps, channels: pipeline.sequenceChannels),
      trunk: [.convolution(channels: 8, kernel: 3, bias: true, relu: true), .maxPool],
      maps: pipeline.mapCount, side: [.dense(units: 6, bias: true, relu: true)],
      globals: pipeline.globalCount, context: [.dense(units: 4, bias: true, relu: true)],
      head: [
        .dense(units: 12, bias: true, relu: true), .dense(units: classes, bias: true, relu: false),
      ])
  }

  /// Weights rounded to half precision, as a bundle holds them.
  static func model(
    _ pipeline: FeaturePipeline = pipeline, seed: UInt64 = 1, temperature: Double = 1.25
  ) -> GlyphModel {
    let network = GlyphNetwork(unchecked: architecture(pipeline))
    let parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: seed)
    network.initialize(parameters, using: &generator)
    return GlyphModel(
      labels: labels, pipeline: pipeline, network: network, parameters: parameters,
      temperature: temperature
    ).roundedToHalfPrecision()
  }

  static func manifest(kind: ModelManifest.Kind = .glyph) -> ModelManifest {
    ModelManifest(
      kind: kind, identifier: "m", name: "m", labels: labels,
      data: [.init(name: "none", licence: "none", attribution: "none")], architecture: .null,
      features: .null)
  }

  /// An ink of one to four random strokes about 100 wide, with times if `seed` is odd.
  static func ink(seed: UInt64) -> Ink {
    var generator = SeededGenerator(seed: seed, 7)
    var time = 0.0
    return Ink(
      strokes: (0...generator.index(below: 4)).map { _ in
        var x = Double(generator.uniform(0...100))
        var y = Double(generator.uniform(0...100))
        return Stroke(
          points: (0...generator.index(below: 40)).map { _ in
            x += Double(generator.uniform(-5...9))
            y += Double(generator.uniform(-9...9))
            time += 10
            return StrokePoint(x: x, y: y, t: seed.isMultiple(of: 2) ? nil : time)
          })
      })
  }

  static func context(height: Double = 120) throws -> RecognitionContext {
    RecognitionContext(writingArea: try WritingArea(x: -10, y: -20, width: 400, height: height))
  }
}

extension Ink {
  /// Every point mapped by p * scale + (dx, dy).
  func mapped(scale: Double, dx: Double = 0, dy: Double = 0) -> Ink {
    Ink(
      strokes: strokes.map { stroke in
        Stroke(
          points: stroke.points.map { point in
            var point = point
            point.x = point.x * scale + dx
            point.y = point.y * scale + dy
            return point
          })
      })
  }
}
