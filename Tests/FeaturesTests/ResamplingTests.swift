import Features
import InkCore
import Testing

@Suite("Resampling")
struct ResamplingTests {
  private let seed: UInt64 = 63
  /// Positions below 1 after a few roundings of Float.
  private let tolerance: Float = 1e-6

  private func resampled(_ trajectory: Trajectory, total: Int) -> Trajectory {
    var result = Trajectory()
    var scratch = ResamplingScratch()
    trajectory.resample(total: total, into: &result, scratch: &scratch)
    return result
  }

  @Test("A line gets the requested number of points, at equal steps, including its ends")
  func line() {
    let line = Trajectory(local: [[(-0.5, 0), (-0.1, 0.2), (0.5, 0.5)]])
    for total in 2...50 {
      let points = resampled(line, total: total).points(0)
      #expect(points.count == total)
      let step = distance((-0.5, 0), (0.5, 0.5)) / Float(total - 1)
      for index in 1..<total {
        #expect(abs(distance(points[index - 1], points[index]) - step) < tolerance)
      }
      #expect(distance(points[0], (-0.5, 0)) < tolerance)
      #expect(distance(points[total - 1], (0.5, 0.5)) < tolerance)
    }
  }

  @Test("Steps are equal along the path, round its corners and through repeated points")
  func corner() {
    let path = Trajectory(local: [[(0, 0), (0, 0), (0.3, 0), (0.3, 0), (0.3, 0.5), (0.3, 0.5)]])
    let points = resampled(path, total: 5).points(0)
    let expected: [(x: Float, y: Float)] = [
      (0, 0), (0.2, 0), (0.3, 0.1), (0.3, 0.3), (0.3, 0.5),
    ]
    #expect(points.count == 5)
    #expect(zip(points, expected).allSatisfy { distance($0, $1) < tolerance })
  }

  @Test("Strokes share the points by length, and the shares sum to the total")
  func sharing() throws {
    var generator = SeededGenerator(seed: seed)
    for sample in 0..<50 {
      let ink = randomInk(strokes: 1 + sample % 7, points: 3 + sample, &generator)
      let trajectory = try Trajectory(ink)
      let lengths = trajectory.strokeEnds.indices.map { stroke in
        zip(trajectory.points(stroke), trajectory.points(stroke).dropFirst())
          .reduce(Float(0)) { $0 + distance($1.0, $1.1) }
      }
      let total = 20 + sample
      let result = resampled(trajectory, total: total)
      #expect(result.count == total, "seed \(seed), sample \(sample)")
      #expect(result.strokeEnds.count == lengths.count, "seed \(seed), sample \(sample)")
      let spare = Float(total - lengths.count)
      for (stroke, length) in lengths.enumerated() {
        let count = result.stroke(stroke).count
        let fair = 1 + spare * length / lengths.reduce(0, +)
        #expect(abs(Float(count) - fair) <= 1, "seed \(seed), sample \(sample), stroke \(stroke)")
        guard count > 1 else { continue }
        let (old, new) = (trajectory.points(stroke), result.points(stroke))
        #expect(distance(old[0], new[0]) < tolerance, "seed \(seed), sample \(sample)")
        #expect(
          distance(old[old.count - 1], new[new.count - 1]) < tolerance,
          "seed \(seed), sample \(sample)")
      }
    }
  }

  @Test("With more strokes than points the longest are kept, in written order, one point each")
  func moreStrokesThanPoints() {
    let strokes = [3, 9, 1, 8, 5].map { length -> [(x: Float, y: Float)] in
      [(Float(length) / 100, 0), (Float(length) / 50, 0)]
    }
    let result = resampled(Trajectory(local: strokes), total: 3)
    #expect(result.x == [0.09, 0.08, 0.05])
    #expect(result.strokeEnds == [1, 2, 3])
  }

  @Test("Dots are repeated to fill the total; empty ink stays empty")
  func dots() {
    #expect(resampled(Trajectory(local: [[(0.1, 0.2)]]), total: 4).x == [0.1, 0.1, 0.1, 0.1])
    #expect(resampled(Trajectory(local: [[(0, 0)], [(0.1, 0)]]), total: 4).count == 4)
    #expect(resampled(Trajectory(), total: 4).count == 0)
  }

  @Test("Resampling by distance keeps to the spacing, or widens it to keep to the limit")
  func byDistance() {
    let path = Trajectory(local: [[(0, 0), (0.3, 0)], [(0, 0.2), (0, 0.4), (0.3, 0.4)]])
    var result = Trajectory()
    path.resample(spacing: 0.1, limit: 100, into: &result)
    #expect(result.strokeEnds.count == 2)
    #expect(result.count == 4 + 6 || result.count == 5 + 6, "0.3 / 0.1 may round up")
    for stroke in 0..<2 {
      let points = result.points(stroke)
      #expect(zip(points, points.dropFirst()).allSatisfy { distance($0, $1) < 0.1 + tolerance })
    }
    for limit in [4, 5, 7, 9] {
      path.resample(spacing: 0.001, limit: limit, into: &result)
      #expect(result.count <= limit)
      #expect(result.count >= limit / 2)
    }
  }

  @Test("Resampling by time places points at equal times, at the pen's positions")
  func byTime() {
    // The pen is at t² / 10000 at t = 0, 10, ... 100 ms.
    var path = Trajectory()
    for index in 0...10 {
      let t = Float(index) * 10
      path.append(x: t * t / 10_000, y: 0, time: t)
    }
    path.endStroke()
    var result = Trajectory()
    path.resample(interval: 25, limit: 100, into: &result)
    #expect(largestDifference(result.time, [0, 25, 50, 75, 100]) < 1e-4)
    // Half way between 4 and 9 hundredths, and between 49 and 64.
    #expect(largestDifference(result.x, [0, 0.065, 0.25, 0.565, 1]) < tolerance)
    path.resample(interval: 1, limit: 7, into: &result)
    #expect(result.count == 7)
  }

  @Test("Strokes without increasing times are resampled by distance to the same number of points")
  func byMissingTime() {
    for bad in [Float.nan, -1] {
      var path = Trajectory(local: [[(0, 0), (0.1, 0), (0.4, 0), (0.9, 0)]])
      path.time[2] = bad
      var result = Trajectory()
      path.resample(interval: 1, limit: 100, into: &result)
      #expect(largestDifference(result.x, [0, 0.3, 0.6, 0.9]) < tolerance)
    }
  }
}
