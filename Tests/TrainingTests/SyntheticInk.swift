import Features
import Foundation
import InkCore
import InkDatasets
import InkFormats
import Networks
import Training

/// Inks of a few simple characters, drawn with jitter.
struct SyntheticInk {
  static let shapes: [String: [[(x: Double, y: Double)]]] = [
    "-": [[(0, 50), (100, 50)]],
    "L": [[(0, 0), (0, 100), (60, 100)]],
    "V": [[(0, 0), (40, 100), (80, 0)]],
    "x": [[(0, 0), (80, 100)], [(80, 0), (0, 100)]],
    "□": [[(0, 0), (0, 80), (80, 80), (80, 0), (0, 0)]],
  ]
  static let labels = shapes.keys.sorted()

  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private mutating func jitter(_ size: Double) -> Double {
    size * Double(2 * generator.uniform() - 1)
  }

  /// Returns one ink; every other ink has a writing area.
  mutating func next(_ label: String, hasArea: Bool) throws -> LabeledInk {
    let (scaleX, scaleY) = (1 + jitter(0.3), 1 + jitter(0.3))
    var time = 0.0
    var strokes: [Stroke] = []
    for corners in Self.shapes[label] ?? [] {
      var points: [StrokePoint] = []
      for (from, to) in zip(corners, corners.dropFirst()) {
        for step in 0..<8 {
          let s = Double(step) / 8
          time += 10
          points.append(
            StrokePoint(
              x: scaleX * (from.x + s * (to.x - from.x)) + jitter(4),
              y: scaleY * (from.y + s * (to.y - from.y)) + jitter(4), t: time))
        }
      }
      strokes.append(Stroke(points: points))
    }
    let area = hasArea ? try WritingArea(x: -10, y: -20, width: 300, height: 150) : nil
    return LabeledInk(ink: Ink(strokes: strokes), label: label, writingArea: area)
  }

  /// Returns `count` inks with rotating labels.
  static func records(_ count: Int, seed: UInt64) throws -> [LabeledInk] {
    var source = SyntheticInk(seed: seed)
    return try (0..<count).map {
      try source.next(labels[$0 % labels.count], hasArea: $0 % 2 == 0)
    }
  }

  static func set(_ count: Int, seed: UInt64) throws -> GlyphTrainingSet {
    var set = GlyphTrainingSet(labels: labels)
    for record in try records(count, seed: seed) { try set.append(record) }
    return set
  }
}

extension GlyphTrainingConfiguration {
  /// A tiny network that learns the synthetic inks in a second.
  static var tiny: GlyphTrainingConfiguration {
    var result = GlyphTrainingConfiguration()
    result.epochs = 6
    result.batchSize = 32
    result.shards = 3
    result.peakRate = 2e-2
    result.averageDecay = 0.8
    result.pipeline = FeaturePipeline(
      steps: [.removeDuplicates(distance: 0.004), .normalizeByBox],
      encoding: .points(PointEncoding(count: 20)), maps: DirectionMaps(grid: 4))
    result.layers = GlyphLayers(
      stages: [
        GlyphLayers.Stage(channels: 8, kernel: 3, pools: true),
        GlyphLayers.Stage(channels: 12, kernel: 3, pools: true),
      ], mapUnits: 8, contextUnits: 4, headUnits: 16, dropout: 0.1)
    return result
  }
}

/// Counts steps and epochs, and asks to stop after a given step.
final class StepCounter: TrainingObserver, @unchecked Sendable {
  // Unchecked because a trainer calls its observer on one thread.
  private(set) var steps: [TrainingProgress] = []
  private(set) var epochs: [EpochRecord] = []
  private let last: Int

  init(stopAfter last: Int = .max) { self.last = last }

  func trainingDidStep(_ progress: TrainingProgress) { steps.append(progress) }
  func trainingDidFinishEpoch(_ record: EpochRecord) { epochs.append(record) }
  var shouldStop: Bool { (steps.last?.step ?? 0) >= last }
}
