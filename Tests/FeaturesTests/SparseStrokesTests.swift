import Features
import Foundation
import InkCore
import Testing

@Suite("Strokes with few points") struct SparseStrokesTests {
  /// A row of rings with the same number of points each, and the line that is loaded from them.
  private func rings(_ points: Int) throws -> NormalizedLine {
    let strokes = (0..<4).map { ring in
      Stroke(
        points: (0...points).map { index in
          let angle = 2 * Double.pi * Double(index) / Double(points)
          return StrokePoint(
            x: Double(30 * ring) + 10 * cos(angle), y: 10 * sin(angle), t: Double(20 * index))
        })
    }
    var line = NormalizedLine()
    line.load(try Trajectory(Ink(strokes: strokes)), area: nil)
    return line
  }

  @Test("Rings of few points become round", arguments: [6, 8, 12])
  func rings(points: Int) throws {
    let (line, dense) = (try rings(points), try rings(200))
    #expect(line.trajectory.count > 4 * (points + 1))
    #expect(line.trajectory.count == line.sources.count)
    #expect(line.trajectory.strokeEnds.count == 4)
    for stroke in 0..<4 {
      let range = line.trajectory.stroke(stroke)
      // Points of the ink that lie opposite each other.
      let (first, other) = (stroke * (points + 1), stroke * (points + 1) + points / 2)
      let left = try #require(range.first { line.sources[$0] == Int32(first) })
      let right = try #require(range.first { line.sources[$0] == Int32(other) })
      let radius = line.trajectory.distance(left, right) / 2
      let x = (line.trajectory.x[left] + line.trajectory.x[right]) / 2
      let y = (line.trajectory.y[left] + line.trajectory.y[right]) / 2
      for point in range {
        let (dx, dy) = (line.trajectory.x[point] - x, line.trajectory.y[point] - y)
        // The chords of a hexagon come 13 % closer to the centre.
        #expect(
          abs((dx * dx + dy * dy).squareRoot() / radius - 1) < 0.04,
          "stroke \(stroke), point \(point)")
      }
    }
    // The height of the line is that of round rings, too.
    let height = try #require(line.trajectory.bounds.map { $0.maxY - $0.minY })
    let expected = try #require(dense.trajectory.bounds.map { $0.maxY - $0.minY })
    #expect(abs(height / expected - 1) < 0.05)
  }

  @Test("Every new point has the index of the point before it, and a time between its neighbours")
  func sources() throws {
    let line = try rings(8)
    for stroke in line.trajectory.strokeEnds.indices {
      let range = line.trajectory.stroke(stroke)
      #expect(range.map { line.sources[$0] } == range.map { line.sources[$0] }.sorted())
      let times = range.map { line.trajectory.time[$0] }
      #expect(times == times.sorted())
      #expect(times.first == 0 || stroke > 0)
    }
    #expect(Set(line.sources) == Set(0..<36))
  }

  @Test("Straight strokes and corners stay")
  func corners() throws {
    let ink = Ink(strokes: [
      Stroke(points: [StrokePoint(x: 0, y: 0), StrokePoint(x: 0, y: 40)]),
      Stroke(points: [(20, 0), (20, 40), (45, 40)].map { StrokePoint(x: $0.0, y: $0.1) }),
      Stroke(points: [(60, 40), (60, 0), (80, 40), (80, 0)].map { StrokePoint(x: $0.0, y: $0.1) }),
    ])
    var line = NormalizedLine()
    line.load(try Trajectory(ink), area: nil)
    #expect(line.trajectory.strokeEnds == [2, 5, 9])
    #expect(line.sources == Array(0..<9))
  }

  @Test("Dense strokes are not changed")
  func dense() throws {
    #expect(try rings(200).trajectory.count == 4 * 201)
  }
}
