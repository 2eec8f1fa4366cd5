import Features
import Foundation
import InkCore
import Testing

@Suite("Invariance and robustness of features")
struct InvarianceTests {
  private let seed: UInt64 = 61
  /// Local coordinates differ by a unit in the last place of Float, 6e-8; directions divide that by
  /// steps of 0.01 and more, and curves are solved from it.
  private let sequenceTolerance: Float = 2e-4
  /// Maps are square roots of shares: of a share below 1e-6 the root moves by up to 1e-3.
  private let mapTolerance: Float = 2e-3

  @Test("Scaling ink and area together does not change the features", arguments: 0..<4)
  func scaling(pipeline: Int) throws {
    var generator = SeededGenerator(seed: seed)
    for sample in 0..<20 {
      let ink = randomInk(strokes: 1 + sample % 4, points: 40, &generator)
      for scale in [1e-3, 0.37, 7, 1e3] {
        let scaled = ink.mapped { ($0.x * scale, $0.y * scale) }
        let area = try WritingArea(x: 3, y: 10, width: 300, height: 90)
        let scaledArea = try WritingArea(
          x: 3 * scale, y: 10 * scale, width: 300 * scale, height: 90 * scale)
        try expectSame(
          encode(ink, area: area, pipelines[pipeline]),
          encode(scaled, area: scaledArea, pipelines[pipeline]), "sample \(sample) x \(scale)")
        try expectSame(
          encode(ink, pipelines[pipeline]), encode(scaled, pipelines[pipeline]),
          "sample \(sample) x \(scale), no area")
      }
    }
  }

  @Test("Moving ink and area together does not change the features", arguments: 0..<4)
  func moving(pipeline: Int) throws {
    var generator = SeededGenerator(seed: seed)
    for sample in 0..<20 {
      let ink = randomInk(strokes: 1 + sample % 4, points: 40, &generator)
      for (dx, dy) in [(-1000.0, 5.0), (1e6, -1e6)] {
        let moved = ink.mapped { ($0.x + dx, $0.y + dy) }
        try expectSame(
          encode(
            ink, area: WritingArea(x: 3, y: 10, width: 300, height: 90), pipelines[pipeline]),
          encode(
            moved, area: WritingArea(x: 3 + dx, y: 10 + dy, width: 300, height: 90),
            pipelines[pipeline]), "sample \(sample) by \(dx), \(dy)")
      }
    }
  }

  @Test("Size and place in the writing area are features only if there is an area")
  func areaMatters() throws {
    var generator = SeededGenerator(seed: seed)
    let ink = randomInk(strokes: 2, points: 30, &generator)
    let low = try encode(ink, area: WritingArea(y: 0, width: 300, height: 90), pipelines[0])
    let high = try encode(ink, area: WritingArea(y: 50, width: 300, height: 90), pipelines[0])
    let large = try encode(ink, area: WritingArea(y: 0, width: 300, height: 180), pipelines[0])
    let none = try encode(ink, pipelines[0])
    #expect(largestDifference(low.globals, high.globals) > 0.5)
    #expect(largestDifference(low.globals, large.globals) > 0.5)
    #expect(low.sequence == high.sequence)
    #expect(none.globals.prefix(6).allSatisfy { $0 == 0 })
    #expect(low.globals[0] == 1)
  }

  @Test("The placement features of a square in its area follow the documentation")
  func placement() throws {
    let square = Ink(
      strokes: [
        Stroke(
          points: [(0, 0), (40, 0), (40, 40), (0, 40), (0, 0)].map { StrokePoint(x: $0.0, y: $0.1) }
        )
      ])
    let area = try WritingArea(x: 0, y: -40, width: 400, height: 80)
    let globals = try encode(square, area: area, pipelines[0]).globals
    // Half the area's height: log2 is -1; from its middle to its foot; path of four sides: log2 2.
    let expected: [Float] = [
      1, 0, 0, 2 * 0.5 - 1, 2 * 1 - 1, 2 * 0.75 - 1, 0, 2 / 2 - 0.5, 0, 0, 0, 0,
    ]
    // The logarithm's fit is within 2e-3, and scaled by less than 1.
    #expect(largestDifference(globals, expected) < 2e-3)
  }

  @Test("Seconds of writing and of pauses are features; without times they are 0")
  func durations() throws {
    let strokes = [[0.0, 500], [2500.0, 3000]].enumerated().map { index, times in
      Stroke(points: times.map { StrokePoint(x: $0, y: Double(index), t: $0) })
    }
    // One second down, two up: log2 of 1 and of 2.
    let globals = try encode(Ink(strokes: strokes), pipelines[0]).globals
    #expect(largestDifference(Array(globals[9...]), [1, 1.5 / 2, 2.5 / 2]) < 2e-3)
    let backwards = Ink(strokes: strokes.reversed())
    #expect(try encode(backwards, pipelines[0]).globals[9...].allSatisfy { $0 == 0 })
  }

  @Test("For any ink, every feature is a finite number of sensible size", arguments: 0..<4)
  func robustness(pipeline: Int) throws {
    var areas: [WritingArea?] = [nil]
    for height in [1e-300, 80, 1e300] {
      areas.append(try WritingArea(x: -5, y: 20, width: 2 * height, height: height))
    }
    var extractor = FeatureExtractor(pipelines[pipeline])
    for (name, ink) in Self.awkwardInks() {
      let trajectory = try Trajectory(ink)
      // Long inks cost seconds in each area, and the areas do not see their length.
      for area in ink.pointCount > 20_000 ? [areas[2]] : areas {
        let encoded = encode(
          trajectory, area: area.map { LocalArea($0, in: trajectory.frame) }, &extractor)
        // Coordinates reach ±8 in an area, coefficients of time ±27.
        #expect(encoded.all.allSatisfy { abs($0) <= 50 }, "\(name)")
      }
    }
  }

  @Test("A coordinate that is not finite is refused with its stroke and point")
  func notFinite() {
    for bad in [Double.nan, .infinity, -.infinity] {
      for isX in [true, false] {
        var strokes = (0..<3).map { stroke in
          Stroke(points: (0..<4).map { StrokePoint(x: Double($0), y: Double(stroke)) })
        }
        if isX { strokes[1].points[2].x = bad } else { strokes[1].points[2].y = bad }
        #expect(throws: InkError.nonFiniteCoordinate(stroke: 1, point: 2)) {
          try Trajectory(Ink(strokes: strokes))
        }
        var trajectory = Trajectory(local: [[(0, 0)]])
        #expect(throws: InkError.self) { try trajectory.load(Ink(strokes: strokes)) }
        #expect(trajectory.count == 0)
      }
    }
  }

  @Test("A pipeline survives JSON unchanged", arguments: 0..<4)
  func codable(pipeline: Int) throws {
    let data = try JSONEncoder().encode(pipelines[pipeline])
    #expect(try JSONDecoder().decode(FeaturePipeline.self, from: data) == pipelines[pipeline])
  }

  private func expectSame(_ left: Encoded, _ right: Encoded, _ name: String) {
    let comment: Comment = "seed \(seed), \(name)"
    #expect(largestDifference(left.sequence, right.sequence) < sequenceTolerance, comment)
    #expect(largestDifference(left.maps, right.maps) < mapTolerance, comment)
    #expect(largestDifference(left.globals, right.globals) < sequenceTolerance, comment)
  }

  private static func awkwardInks() -> [(name: String, ink: Ink)] {
    func ink(_ strokes: [[(Double, Double)]], time: (Int) -> Double? = { Double($0) * 10 }) -> Ink {
      var index = -1
      return Ink(
        strokes: strokes.map { stroke in
          Stroke(
            points: stroke.map { point in
              index += 1
              return StrokePoint(x: point.0, y: point.1, t: time(index))
            })
        })
    }
    let path = (0..<30).map { (Double($0), Double($0 * $0 % 17)) }
    var generator = SeededGenerator(seed: 62)
    func noise(_ count: Int, _ size: Double) -> [(Double, Double)] {
      (0..<count).map { _ in
        (size * Double(generator.uniform() - 0.5), size * Double(generator.uniform() - 0.5))
      }
    }
    let long = randomInk(strokes: 1, points: 100_000, &generator)
    // Inner points at distances that vanish when squared, and curves with arms that are huge.
    let vanishing = [-1.0, 3e-20, 1e-21, 1e-24, 1e-30, 1e-40].map { size in
      ink([[(-1, 0), (-1, 1)], [(0, 0.5), (size, 0.5 + size), (2 * size, 0.5 - size), (1, 0.5)]])
    }
    let flat = [3e-20, 1e-21, 1e-24, 1e-30, 1e-40].map { size in
      ink([[(-1, 0), (1, 0)], [(0, 0), (size, size), (2 * size, -size), (1, 0)]])
    }
    return [
      ("nothing", Ink()), ("an empty stroke", ink([[]])), ("a dot", ink([[(5, 7)]])),
      ("a dot at 1e300", ink([[(1e300, -1e300)]])), ("one point twice", ink([[(5, 7), (5, 7)]])),
      ("zero-length strokes", ink([[(5, 7), (5, 7), (5, 7)], [(5, 7)], [], [(5, 7), (5, 7)]])),
      ("a dot beside a line", ink([[(0, 0), (9, 0)], [(4, 4)]])),
      ("a vertical line", ink([[(3, 0), (3, 100)]])), ("no times", ink([path]) { _ in nil }),
      ("one time", ink([path]) { _ in 5 }), ("backward times", ink([path]) { -10 * Double($0) }),
      ("mixed times", ink([path, path]) { $0 % 3 == 0 ? nil : 10 * Double($0) }),
      ("zigzag times", ink([path]) { Double($0 % 4) }),
      ("huge times", ink([path]) { 1e300 * Double($0) }),
      ("infinite times", ink([path]) { $0 < 20 ? Double($0) : .infinity }),
      ("times from minus infinity", ink([path]) { $0 == 0 ? -.infinity : Double($0) }),
      ("1e9", ink([path.map { ($0.0 * 1e9, $0.1 * -1e9) }])),
      ("at 1e9", ink([path.map { ($0.0 + 1e9, $0.1 + 1e9) }])),
      ("1e300", ink([path.map { ($0.0 * 1e300, $0.1 * -1e300) }])),
      ("the largest", ink([[(-1.7e308, 0), (1.7e308, 1.7e308)], [(0, -1.7e308)]])),
      ("the smallest", ink([path.map { ($0.0 * 0x1p-1074, $0.1 * 0x1p-1074) }])),
      ("one far point", ink([path + [(1e12, 0)]])), ("noise", ink([noise(500, 100)])),
      ("100,000 points", long), ("100,000 points of noise", ink([noise(100_000, 100)])),
      ("10,000 strokes", ink((0..<10_000).map { _ in noise(3, 100) })),
      ("10,000 dots", ink((0..<10_000).map { _ in noise(1, 100) })),
    ] + (vanishing + flat).enumerated().map { ("vanishing \($0)", $1) }
  }
}
