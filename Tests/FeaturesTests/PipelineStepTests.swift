import Features
import InkCore
import Testing

@Suite("Pipeline steps")
struct PipelineStepTests {
  /// Coordinates below 1 after a few roundings of Float.
  private let tolerance: Float = 1e-6

  @Test("Points too close to the last kept one are dropped; every stroke stays")
  func duplicates() {
    let path = Trajectory(
      local: [[(0, 0), (0.004, 0), (0.008, 0), (0.012, 0), (0.012, 0.1)], [(0, 0), (0, 0)]])
    var result = Trajectory()
    path.removeDuplicates(distance: 0.01, into: &result)
    #expect(result.x == [0, 0.012, 0.012, 0])
    #expect(result.y == [0, 0, 0.1, 0])
    #expect(result.strokeEnds == [3, 4])
    #expect(result.time == [0, 30, 40, 50])
  }

  @Test("A single point that jumps out and back is dropped; a corner and a stroke's end stay")
  func spikes() {
    var result = Trajectory()
    Trajectory(local: [[(0, 0), (0.1, 0), (0.15, 0.9), (0.2, 0), (0.3, 0)]])
      .removeSpikes(leg: 0.35, into: &result)
    #expect(result.x == [0, 0.1, 0.2, 0.3])
    let corner = Trajectory(local: [[(0, 0), (0.5, 0.5), (0.9, 0)]])
    corner.removeSpikes(leg: 0.35, into: &result)
    #expect(result.x == corner.x)
    let short = Trajectory(local: [[(0, 0), (0.01, 0.3), (0.02, 0)]])
    short.removeSpikes(leg: 0.35, into: &result)
    #expect(result.x == short.x)
    let end = Trajectory(local: [[(0, 0), (0.1, 0), (0.9, 0.9)]])
    end.removeSpikes(leg: 0.35, into: &result)
    #expect(result.x == end.x)
  }

  @Test("A point is a spike if it is far away for this pen, for any setting of the step")
  func farPoints() {
    var result = Trajectory()
    var points = (0..<40).map { (x: Float($0) * 0.01, y: Float(0)) }
    points[20].y = 0.3
    Trajectory(local: [points]).removeSpikes(leg: 0.7, into: &result)
    #expect(result.count == 39 && result.y.allSatisfy { $0 == 0 })
    // A pen of few points makes corners like that.
    let coarse = stride(from: 0, to: 40, by: 4).map { points[$0] }
    let corners = Trajectory(local: [coarse])
    corners.removeSpikes(leg: 0.7, into: &result)
    #expect(result.y == corners.y)
    points[20].y = 0.06
    let small = Trajectory(local: [points])
    small.removeSpikes(leg: 0.7, into: &result)
    #expect(result.y == small.y)
    #expect(Trajectory(local: [[(0, 0)], [(1, 1)]]).spikeLeg == .infinity)
  }

  @Test("Smoothing mixes each inner point with its original neighbours; ends stay")
  func smoothing() {
    var path = Trajectory(local: [[(0, 0), (0, 0.4), (0, 0), (0, 0.8)], [(0, 1), (0, 0)]])
    path.smooth(passes: 1)
    #expect(largestDifference(path.y, [0, 0.2, 0.3, 0.8, 1, 0]) < tolerance)
    path.smooth(passes: 1)
    #expect(largestDifference(path.y, [0, 0.175, 0.4, 0.8, 1, 0]) < tolerance)
  }

  @Test("Slanted uprights become upright, up to the limit; strokes across do not count")
  func slant() {
    var path = Trajectory(local: [
      [(0, 0), (0.15, 0.5)], [(0.3, 0.5), (0.15, 0)], [(0, 0), (1, 0)],
    ])
    path.removeSlant(limit: 0.5)
    #expect(largestDifference(path.x, [0, 0, 0.15, 0.15, 0, 1]) < tolerance)
    #expect(path.y == [0, 0.5, 0.5, 0, 0, 0])
    path = Trajectory(local: [[(0, 0), (0.4, 0.5)]])
    path.removeSlant(limit: 0.5)
    #expect(largestDifference(path.x, [0, 0.15]) < tolerance)
  }

  @Test("Normalised by its box, ink is centred on 0 and its larger side becomes 1")
  func box() {
    var path = Trajectory(local: [[(1, 1), (3, 2)], [(2, 5)]])
    path.normalizeByBox()
    #expect(largestDifference(path.x, [-0.25, 0.25, 0]) < tolerance)
    #expect(largestDifference(path.y, [-0.5, -0.25, 0.5]) < tolerance)
    path = Trajectory(local: [[(3, 4)]])
    path.normalizeByBox()
    #expect(path.x == [0] && path.y == [0])
  }

  @Test("Normalised by its area, ink keeps its height and place in it, and far ink is bounded")
  func area() {
    var path = Trajectory(local: [[(1, 1), (3, 2)], [(2, 40)]])
    path.normalize(by: LocalArea(top: 1, height: 2))
    #expect(largestDifference(path.x, [-0.5, 0.5, 0]) < tolerance)
    #expect(largestDifference(path.y, [-0.5, 0, 4]) < tolerance)
    path = Trajectory(local: [[(1, 1), (3, 2)], [(2, 5)]])
    path.normalize(by: nil)
    #expect(largestDifference(path.y, [-0.5, -0.25, 0.5]) < tolerance)
  }

  @Test("The encoding of points, number by number")
  func pointEncoding() {
    let path = Trajectory(local: [[(0, 0), (0.25, 0), (0.25, 0.25)], [(-0.5, 0.5)]])
    var rows = [Float](repeating: .nan, count: 5 * 8)
    PointEncoding(count: 5).encode(path, into: &rows)
    let expected: [[Float]] = [
      [0, 0, 1, 0, 1, 0, 1, 0],  // the pen goes right
      [0.5, 0, 0, 1, 0, 1, 0, 0],  // and turns by 90 degrees to go down
      [0.5, 0.5, 0, 1, 1, 0, 0, 1],
      [-1, 1, 0, 0, 0, 0, 1, 1],  // a dot has no direction
      [0, 0, 0, 0, 0, 0, 0, 0],
    ]
    #expect(largestDifference(rows, expected.flatMap { $0 }) < tolerance)
  }

  @Test("A pipeline applies each of its steps, in order")
  func order() throws {
    let ink = Ink(
      strokes: [Stroke(points: (0...100).map { StrokePoint(x: Double($0), y: 0, t: Double($0)) })])
    func xs(_ steps: [FeaturePipeline.Step]) throws -> [Float] {
      let pipeline = FeaturePipeline(
        steps: steps, encoding: .points(PointEncoding(count: 3)), maps: nil)
      let rows = try encode(
        ink, area: WritingArea(y: -100, width: 400, height: 200), pipeline
      ).sequence
      return [rows[0], rows[8], rows[16]]
    }
    // Thinning out to 0.6 leaves 0 and 61 of 100.
    let cases: [(steps: [FeaturePipeline.Step], expected: [Float])] = [
      ([], [-1, 0, 1]), ([.normalizeByArea], [-0.5, 0, 0.5]),
      ([.normalizeByArea, .normalizeByBox], [-1, 0, 1]),
      ([.removeDuplicates(distance: 0.6)], [-1, -0.39, 0.22]),
      ([.removeDuplicates(distance: 0.6), .normalizeByBox], [-1, 0, 1]),
      ([.normalizeByBox, .resampleByDistance(spacing: 0.4, limit: 2)], [-1, 0, 1]),
      ([.resampleByTime(interval: 100, limit: 9), .smooth(passes: 3)], [-1, 0, 1]),
    ]
    for (steps, expected) in cases {
      let found = try xs(steps)
      #expect(largestDifference(found, expected) < 1e-5, "\(steps)")
    }
  }
}
