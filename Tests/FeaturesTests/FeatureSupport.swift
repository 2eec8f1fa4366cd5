import Features
import InkCore
import LinearAlgebra

/// The features of one ink.
struct Encoded: Equatable {
  var sequence: [Float]
  var maps: [Float]
  var globals: [Float]

  var all: [Float] { sequence + maps + globals }
}

func encode(
  _ trajectory: Trajectory, area: LocalArea? = nil, _ extractor: inout FeatureExtractor
) -> Encoded {
  let pipeline = extractor.pipeline
  let length = pipeline.sequenceSteps * pipeline.sequenceChannels
  var result = Encoded(
    sequence: [Float](repeating: .nan, count: length),
    maps: [Float](repeating: .nan, count: pipeline.mapCount),
    globals: [Float](repeating: .nan, count: pipeline.globalCount))
  extractor.extract(
    trajectory, area: area, sequence: &result.sequence, maps: &result.maps,
    globals: &result.globals)
  return result
}

func encode(_ ink: Ink, area: WritingArea? = nil, _ pipeline: FeaturePipeline) throws -> Encoded {
  var extractor = FeatureExtractor(pipeline)
  let trajectory = try Trajectory(ink)
  return encode(trajectory, area: area.map { LocalArea($0, in: trajectory.frame) }, &extractor)
}

/// One pipeline of each kind; between them they have every step.
let pipelines: [FeaturePipeline] = [
  FeaturePipeline(
    steps: [
      .removeDuplicates(distance: 0.004), .removeSpikes(leg: 0.35), .normalizeByBox,
      .smooth(passes: 1), .normalizeByBox,
    ],
    encoding: .points(PointEncoding(count: 48)), maps: DirectionMaps(grid: 8)),
  FeaturePipeline(
    steps: [.removeDuplicates(distance: 0.002), .normalizeByBox],
    encoding: .curves(CurveEncoding(limit: 24, maximumError: 0.01)),
    maps: DirectionMaps(grid: 4)),
  FeaturePipeline(
    steps: [
      .resampleByTime(interval: 20, limit: 400), .removeSlant(limit: 0.5),
      .resampleByDistance(spacing: 0.02, limit: 2000), .smooth(passes: 2), .normalizeByArea,
    ],
    encoding: .points(PointEncoding(count: 40)), maps: DirectionMaps(grid: 5)),
  FeaturePipeline(
    steps: [], encoding: .curves(CurveEncoding(limit: 8, maximumError: 0.05)), maps: nil),
]

/// Handwriting of a kind: each stroke a sum of two waves, a point every ten milliseconds.
func randomInk(strokes: Int, points: Int, _ generator: inout SeededGenerator) -> Ink {
  var t = 0.0
  return Ink(
    strokes: (0..<strokes).map { _ in
      let waves = (0..<4).map { _ in
        (
          size: Double(generator.uniform(10...40)), speed: Double(generator.uniform(0.5...3)),
          phase: Double(generator.uniform(0...6))
        )
      }
      let (left, top) = (Double(generator.uniform(0...60)), Double(generator.uniform(0...60)))
      return Stroke(
        points: (0..<points).map { index in
          t += 10
          let s = Double(index) / Double(max(points - 1, 1))
          func wave(_ number: Int) -> Double {
            let angle = waves[number].speed * 3 * s + waves[number].phase
            return waves[number].size * Double(sine(Float(angle)))
          }
          return StrokePoint(x: left + wave(0) + wave(1), y: top + wave(2) + wave(3), t: t)
        })
    })
}

/// A parabola for each half wave: smooth enough for ink, and the same on every platform.
func sine(_ angle: Float) -> Float {
  let turn = angle / (2 * .pi)
  let part = turn - turn.rounded(.down)
  return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
}

extension Ink {
  /// The ink with every point moved; times stay.
  func mapped(_ body: (StrokePoint) -> (x: Double, y: Double)) -> Ink {
    Ink(
      strokes: strokes.map { stroke in
        Stroke(
          points: stroke.points.map { point in
            var result = point
            (result.x, result.y) = body(point)
            return result
          })
      })
  }
}

extension Trajectory {
  /// A trajectory of strokes given as points in local units, one every ten milliseconds.
  init(local strokes: [[(x: Float, y: Float)]], interval: Float = 10) {
    self.init()
    var time: Float = 0
    for stroke in strokes {
      for point in stroke {
        append(x: point.x, y: point.y, time: time)
        time += interval
      }
      endStroke()
    }
  }

  /// The positions of a stroke.
  func points(_ index: Int) -> [(x: Float, y: Float)] { stroke(index).map { (x[$0], y[$0]) } }
}

func distance(_ a: (x: Float, y: Float), _ b: (x: Float, y: Float)) -> Float {
  ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
}

/// The largest difference of two lists; infinity if their counts differ or one has a NaN.
func largestDifference(_ left: [Float], _ right: [Float]) -> Float {
  guard left.count == right.count else { return .infinity }
  return zip(left, right).reduce(0) { largest, pair in
    let difference = abs(pair.0 - pair.1)
    return difference <= largest ? largest : difference.isNaN ? .infinity : difference
  }
}
