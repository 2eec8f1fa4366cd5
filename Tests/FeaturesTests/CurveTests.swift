import Features
import InkCore
import Testing

@Suite("Curves")
struct CurveTests {
  private let seed: UInt64 = 65

  private func fit(_ trajectory: Trajectory, maximumError: Double) -> CurveFitter {
    var fitter = CurveFitter()
    fitter.reset(count: trajectory.count)
    for stroke in trajectory.strokeEnds.indices {
      fitter.fit(trajectory, trajectory.stroke(stroke), maximumError: maximumError)
    }
    return fitter
  }

  /// Every point between a curve's ends lies within the bound of the curve at its parameter, and
  /// the curves of each stroke are a chain over all its points.
  private func expectSound(
    _ fitter: CurveFitter, _ trajectory: Trajectory, _ bound: Double, _ comment: Comment
  ) {
    var next = 0
    for curve in fitter.curves {
      #expect(curve.first == next, comment)
      next = trajectory.strokeEnds.contains(curve.last + 1) ? curve.last + 1 : curve.last
      guard curve.last > curve.first + 1 else { continue }
      for point in (curve.first + 1)..<curve.last {
        let s = fitter.parameters[point]
        let r = 1 - s
        func at(_ p0: Float, _ p1: Double, _ p2: Double, _ p3: Float) -> Double {
          r * r * r * Double(p0) + 3 * r * r * s * p1 + 3 * r * s * s * p2
            + s * s * s * Double(p3)
        }
        let (a, b) = (curve.first, curve.last)
        let x = at(trajectory.x[a], curve.x1, curve.x2, trajectory.x[b])
        let y = at(trajectory.y[a], curve.y1, curve.y2, trajectory.y[b])
        let (dx, dy) = (x - Double(trajectory.x[point]), y - Double(trajectory.y[point]))
        // The test's own arithmetic, in Double.
        #expect((dx * dx + dy * dy).squareRoot() <= bound + 1e-9, comment)
        #expect(s >= 0 && s <= 1, comment)
      }
    }
    #expect(next == trajectory.count, comment)
  }

  @Test("No point is farther from its curve than the bound, for smooth strokes")
  func smoothStrokes() throws {
    var generator = SeededGenerator(seed: seed)
    for sample in 0..<40 {
      let ink = randomInk(strokes: 1 + sample % 3, points: 10 + 7 * sample, &generator)
      let trajectory = try Trajectory(ink)
      for bound in [0.1, 0.01, 0.001] {
        expectSound(
          fit(trajectory, maximumError: bound), trajectory, bound,
          "seed \(seed), sample \(sample), bound \(bound)")
      }
    }
  }

  @Test("No point is farther from its curve than the bound, for noise")
  func noise() {
    var generator = SeededGenerator(seed: seed)
    for count in [1, 2, 3, 4, 5, 6, 50, 1000] {
      let points = (0..<count).map { _ -> (x: Float, y: Float) in
        (generator.uniform() - 0.5, generator.uniform() - 0.5)
      }
      let trajectory = Trajectory(local: [points, Array(points.reversed())])
      for bound in [0.2, 0.01] {
        expectSound(
          fit(trajectory, maximumError: bound), trajectory, bound,
          "seed \(seed), \(count) points, bound \(bound)")
      }
    }
  }

  @Test("A smooth stroke needs few curves, and more of them for a tighter bound")
  func economy() throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      let trajectory = try Trajectory(randomInk(strokes: 1, points: 200, &generator))
      let coarse = fit(trajectory, maximumError: 0.02).curves.count
      let fine = fit(trajectory, maximumError: 0.0005).curves.count
      #expect(coarse <= 12, "seed \(seed)")
      #expect(fine >= coarse, "seed \(seed)")
      #expect(fine <= 60, "seed \(seed)")
    }
  }

  @Test("A straight line is one curve with its control points at the thirds")
  func straightLine() {
    let line = (0...30).map { index -> (x: Float, y: Float) in
      (Float(index) / 30 - 0.5, Float(index) / 60)
    }
    let curves = fit(Trajectory(local: [line]), maximumError: 1e-5).curves
    #expect(curves.count == 1)
    // Points are rounded to Float; the system is well conditioned.
    let tolerance = 1e-5
    for curve in curves {
      #expect(abs(curve.x1 + 0.5 - 1.0 / 3) < tolerance && abs(curve.y1 - 0.5 / 3) < tolerance)
      #expect(abs(curve.x2 + 0.5 - 2.0 / 3) < tolerance && abs(curve.y2 - 1.0 / 3) < tolerance)
    }
  }

  @Test("Points of one cubic curve are covered by one curve")
  func cubic() {
    let points = (0...40).map { index -> (x: Float, y: Float) in
      let s = Float(index) / 40
      let r = 1 - s
      return (
        3 * r * r * s * 0.1 + 3 * r * s * s * 0.6 + s * s * s * 0.8,
        3 * r * r * s * 0.5 + 3 * r * s * s * 0.4
      )
    }
    // Parameters start as shares of the length and are improved three times: not exactly, but the
    // curve is within a hundredth, where a straight line would miss by a fifth.
    let curves = fit(Trajectory(local: [points]), maximumError: 0.01).curves
    #expect(curves.count == 1)
  }

  @Test("The encoding of two strokes, number by number")
  func encoding() {
    // One straight curve of equal steps, and a dot.
    let line = (0...8).map { index -> (x: Float, y: Float) in (Float(index) / 20, 0.1) }
    let trajectory = Trajectory(local: [line, [(0.25, -0.25)]])
    let encoding = CurveEncoding(limit: 3, maximumError: 0.01)
    var rows = [Float](repeating: .nan, count: 3 * 15)
    var fitter = CurveFitter()
    encoding.encode(trajectory, into: &rows, fitter: &fitter)
    let expected: [Float] =
      [0, 0.2, 0.8, 0, 1 / 3, 1 / 3, 1, 0, 1, 0, 1, 0, 0, 1, 1]
      + [0.5, -0.5, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1] + [Float](repeating: 0, count: 15)
    // The shares of time at points 2 and 5 of 8 stand for a third and two thirds: not exactly.
    #expect(largestDifference(Array(rows[0..<10]), Array(expected[0..<10])) < 1e-4)
    #expect(abs(rows[10] + rows[11] + rows[12] - 1) < 1e-4)
    #expect(largestDifference(Array(rows[13...]), Array(expected[13...])) < 1e-4)
  }

  @Test("Ink that needs too many curves is fitted with a wider bound before it is cut")
  func limit() throws {
    var generator = SeededGenerator(seed: seed)
    let trajectory = try Trajectory(randomInk(strokes: 2, points: 200, &generator))
    let needed = fit(trajectory, maximumError: 0.001).curves.count
    let limit = fit(trajectory, maximumError: 0.004).curves.count
    #expect(limit < needed, "seed \(seed)")
    var rows = [Float](repeating: .nan, count: limit * 15)
    var fitter = CurveFitter()
    CurveEncoding(limit: limit, maximumError: 0.001)
      .encode(trajectory, into: &rows, fitter: &fitter)
    // The last curve of the second stroke is there: nothing was cut.
    #expect(fitter.curves.count <= limit, "seed \(seed)")
    let ends = stride(from: 14, to: rows.count, by: 15).count { rows[$0] == 1 }
    #expect(ends == 2, "seed \(seed)")
  }
}
