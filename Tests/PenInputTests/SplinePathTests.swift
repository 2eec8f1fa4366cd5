import InkCore
import Testing

@testable import PenInput

@Suite("Spline path")
struct SplinePathTests {
  private let path = SplinePath(points: [
    StrokePoint(x: 0, y: 0, t: 0), StrokePoint(x: 6, y: 0, t: 10),
    StrokePoint(x: 6, y: 6, t: 20), StrokePoint(x: 12, y: 6, t: 30),
  ])
  private let tolerance = 1e-9

  @Test("the value at a knot is a sixth of its neighbours and four sixths of itself")
  func knots() throws {
    let knot = try #require(path.point(at: 1))
    #expect(abs(knot.x - (0 + 24 + 6) / 6) < tolerance)
    #expect(abs(knot.y - (0 + 0 + 6) / 6) < tolerance)
    #expect(abs(try #require(knot.t) - 10) < tolerance)
  }

  @Test("the path begins and ends at its end points")
  func ends() throws {
    for (parameter, index) in [(0.0, 0), (3.0, 3), (-5.0, 0), (99.0, 3)] {
      let point = try #require(path.point(at: parameter))
      #expect(abs(point.x - path.points[index].x) < tolerance)
      #expect(abs(point.y - path.points[index].y) < tolerance)
    }
  }

  @Test(
    "interpolated points include the last one, for any step",
    arguments: [
      SplinePath.Step.distance(0.7), .distance(100), .time(7), .time(1000), .parameter(0.3),
      .parameter(9),
    ])
  func lastPoint(_ step: SplinePath.Step) throws {
    let points = path.interpolated(by: step)
    let last = try #require(points.last)
    #expect(points.count >= 2)
    #expect(abs(last.x - 12) < tolerance && abs(last.y - 6) < tolerance)
  }

  @Test("points have the distance of the step")
  func distances() throws {
    let points = path.interpolated(by: .distance(0.5))
    for (a, b) in zip(points, points.dropFirst()).dropLast() {
      let gap = ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
      // Along a curve the chord is a little shorter than the path.
      #expect(gap > 0.45 && gap < 0.51)
    }
    let times = path.interpolated(by: .time(7)).compactMap(\.t)
    for (time, expected) in zip(times, [0.0, 7, 14, 21, 28, 30]) {
      #expect(abs(time - expected) < tolerance)
    }
  }

  @Test("paths of no and one point, and steps of zero")
  func small() {
    #expect(SplinePath(points: []).point(at: 0) == nil)
    #expect(SplinePath(points: [StrokePoint(x: 1, y: 2)]).point(at: 5)?.x == 1)
    #expect(SplinePath(points: []).interpolated(by: .distance(1)).isEmpty)
    #expect(path.interpolated(by: .distance(0)).isEmpty)
    #expect(path.interpolated(by: .parameter(-1)).isEmpty)
  }
}
