import Features
import Foundation
import InkCore
import Testing

@Suite("LineEncoder")
struct LineEncoderTests {
  private let seed: UInt64 = 71

  private static let points = LinePipeline()
  private static let curves: LinePipeline = {
    var result = points
    result.curveError = 0.03
    return result
  }()

  private func encoded(_ ink: Trajectory, _ pipeline: LinePipeline) -> LineEncoder {
    var line = NormalizedLine()
    line.load(ink, area: nil)
    var encoder = LineEncoder(pipeline)
    encoder.encode(line)
    return encoder
  }

  @Test("A point that is due where two samples are in one place is a number")
  func repeatedSample() {
    let spacing = Self.points.spacing
    for tenth in 900..<1000 {
      // The first two parts are as long as the spacing, but for rounding.
      let first = Float(tenth) * 1e-4
      let second = (spacing - first).nextDown
      var line = NormalizedLine()
      for x in [-first, 0, second, second, second + 1] {
        line.trajectory.append(x: x, y: 0, time: .nan)
        line.sources.append(Int32(line.sources.count))
      }
      line.trajectory.endStroke()
      var encoder = LineEncoder(Self.points)
      encoder.encode(line)
      #expect(encoder.values.allSatisfy { $0.isFinite }, "first part \(first)")
    }
  }

  /// Loops in a row, each a stroke, and a dot.
  private func loops(_ count: Int, scale: Float = 1) -> Trajectory {
    var ink = Trajectory()
    for loop in 0..<count {
      for step in 0...40 {
        let angle = 2 * Float.pi * Float(step) / 40
        ink.append(
          x: scale * (60 * Float(loop) + 20 * cos(angle)), y: scale * 20 * sin(angle),
          time: Float(step) * 0.01)
      }
      ink.endStroke()
    }
    ink.append(x: scale * 60 * Float(count), y: 0, time: 0)
    ink.endStroke()
    return ink
  }

  /// The loops, and after them a dot so high over one of them.
  private func dotted(_ count: Int, over loop: Int, size: Float = 2) -> Trajectory {
    var ink = loops(count)
    ink.append(x: 60 * Float(loop), y: -30, time: 9)
    ink.append(x: 60 * Float(loop), y: -30 - size, time: 9)
    ink.endStroke()
    return ink
  }

  @Test("Ink of few points has the height and slant of the same path with many points")
  func fewPoints() {
    func line(pieces: Int) -> NormalizedLine {
      var ink = Trajectory()
      for letter in 0..<6 {
        let x = 50 * Float(letter)
        for (from, to) in [((x, x / 10), (x, x / 10 + 100)), ((x, x / 10), (x + 40, x / 10 + 50))] {
          for piece in 0...pieces {
            let part = Float(piece) / Float(pieces)
            ink.append(
              x: from.0 + part * (to.0 - from.0), y: from.1 + part * (to.1 - from.1), time: 0)
          }
          ink.endStroke()
        }
      }
      var line = NormalizedLine()
      line.load(ink, area: nil)
      return line
    }
    let (few, many) = (line(pieces: 1), line(pieces: 50))
    #expect(abs(few.unit / many.unit - 1) < 0.001)
    #expect(abs(few.trajectory.y[22] - many.trajectory.y[11 * 51]) < 0.01)
  }

  @Test(
    "In ink that is too long the last strokes count as unread, and the first stay the same")
  func noRoom() {
    // Each a stroke of ten turns.
    func coils(_ count: Int) -> Trajectory {
      var ink = Trajectory()
      for coil in 0..<count {
        for step in 0...400 {
          let angle = 2 * Float.pi * Float(step) / 40
          ink.append(
            x: 60 * Float(coil) + 20 * cos(angle), y: 20 * sin(angle), time: Float(step) * 0.01)
        }
        ink.endStroke()
      }
      return ink
    }
    let (some, many) = (encoded(coils(10), Self.points), encoded(coils(500), Self.points))
    #expect(some.unreadStrokes == 0)
    #expect(many.unreadStrokes > 100 && many.steps <= Self.points.maximumSteps)
    let (stepsOfSome, stepsOfMany) = (some.steps / 10, many.steps / (500 - many.unreadStrokes))
    #expect(2 * stepsOfMany > stepsOfSome * 9 / 10, "\(stepsOfMany) for \(stepsOfSome)")
  }

  @Test("A long row of writing has the height of a short one; dashes have a height too")
  func longRows() {
    func unit(_ ink: Trajectory) -> Float {
      var line = NormalizedLine()
      line.load(ink, area: nil, isOneRow: true)
      return line.unit
    }
    let short = unit(loops(20))
    for count in [100, 400] { #expect(abs(unit(loops(count)) / short - 1) < 0.02, "\(count)") }
    var dashes = Trajectory()
    for dash in 0..<10 {
      for end in [0, 6] { dashes.append(x: Float(10 * dash + end), y: 0, time: Float(dash)) }
      dashes.endStroke()
    }
    #expect(unit(dashes) == 1.5)
  }

  @Test("A dot that is drawn after its word is read with the word")
  func lateDots() {
    var line = NormalizedLine()
    let ink = dotted(20, over: 3)
    line.load(ink, area: nil)
    // Behind the fourth loop, with the points of the ink that it was made of.
    let dot = line.trajectory.stroke(4)
    #expect(line.sources[dot] == [Int32(ink.count - 2), Int32(ink.count - 1)])
    #expect(line.trajectory.strokeEnds.count == 22 && line.trajectory.count == ink.count)
    #expect(Set(line.sources).count == ink.count)
    #expect(line.trajectory.time[dot.lowerBound] == 9)
    #expect(line.strokeOrder?[2...5] == [2, 3, 21, 4] && line.strokeOrder?.count == 22)
    // Loading again leaves nothing behind.
    line.load(loops(20), area: nil)
    #expect(line.sources == (0..<Int32(loops(20).count)).map { $0 } && line.strokeOrder == nil)
  }

  @Test("A dot near the pen, and a late stroke that is not a dot, keep their order")
  func strokesInTheirTurn() {
    for ink in [dotted(20, over: 18), dotted(20, over: 3, size: 40)] {
      var line = NormalizedLine()
      line.load(ink, area: nil)
      #expect(line.sources == (0..<Int32(ink.count)).map { $0 })
    }
  }

  @Test("A point far from a line is not read and does not make the line taller")
  func spikes() {
    var (line, spiked) = (NormalizedLine(), NormalizedLine())
    let ink = loops(5)
    var other = ink
    other.y[60] = -200
    line.load(ink, area: nil)
    spiked.load(other, area: nil)
    #expect(Set(spiked.sources) == Set(line.sources).subtracting([60]))
    #expect(line.sources.contains(60))
    #expect(abs(spiked.unit / line.unit - 1) < 0.01)
  }

  @Test("An area of several lines is ignored for a row of letters, and used for one letter")
  func areasOfSeveralLines() {
    var letter = Trajectory()
    for step in 0...40 {
      let angle = 2 * Float.pi * Float(step) / 40
      letter.append(x: 20 * cos(angle), y: 20 * sin(angle), time: Float(step) * 0.01)
    }
    letter.endStroke()
    func area(of ink: Trajectory, height: Float) -> LocalArea? {
      var line = NormalizedLine()
      line.load(ink, area: LocalArea(top: -height / 2, height: height))
      return line.area
    }
    // A row of loops is 56 tall as line heights go.
    #expect(area(of: loops(3), height: 75) != nil)
    #expect(area(of: loops(3), height: 150) == nil && area(of: loops(3), height: 225) == nil)
    #expect(area(of: letter, height: 75) != nil && area(of: letter, height: 225) != nil)
  }

  @Test("Curves describe the same ink in fewer steps than points, a few for each loop")
  func fewerSteps() {
    let (points, curves) = (encoded(loops(5), Self.points), encoded(loops(5), Self.curves))
    #expect(points.steps > 100)
    #expect((10...40).contains(curves.steps), "\(curves.steps) curves for five loops and a dot")
    #expect(curves.values.count == curves.steps * Self.curves.channels)
    #expect(Self.curves.channels == Self.points.channels + 7)
  }

  @Test("A straight stroke is one curve, its arms a third of its length and along it")
  func straightStroke() {
    var ink = Trajectory()
    for step in 0...30 { ink.append(x: 3 * Float(step), y: 4 * Float(step), time: .nan) }
    ink.endStroke()
    let encoder = encoded(ink, Self.curves)
    #expect(encoder.steps == 1)
    let row = encoder.values
    // The vector has the stroke's direction; the curve is the first and the last of its stroke.
    #expect(abs(row[0] / row[1] - 0.75) < 1e-3)
    #expect(row[3] == 1 && row[4] == 1)
    for (channel, expected) in [
      (14, Float(1) / 3), (15, 1 / 3), (16, 1), (17, 0), (18, 1), (19, 0),
    ] {
      #expect(abs(row[channel] - expected) < 0.01, "channel \(channel)")
    }
  }

  @Test("The sources of steps increase, and begin with each stroke's first point")
  func sources() {
    let encoder = encoded(loops(3), Self.curves)
    #expect(encoder.sources == encoder.sources.sorted())
    let starts = (0..<encoder.steps).filter { encoder.values[$0 * Self.curves.channels + 3] == 1 }
    #expect(starts.map { encoder.sources[$0] } == [0, 41, 82, 123])
    // Between two strokes lies a lift, which has no arms and is neither first nor last.
    for start in starts.dropFirst() {
      let lift = encoder.values[((start - 1) * Self.curves.channels)...]
      #expect(lift.dropFirst(14).prefix(6).allSatisfy { $0 == 0 })
      #expect(lift[lift.startIndex + 3] == 0 && lift[lift.startIndex + 4] == 0)
    }
  }

  @Test("The size of the ink does not change its steps", arguments: [points, curves])
  func scale(pipeline: LinePipeline) {
    let (one, other) = (encoded(loops(4), pipeline), encoded(loops(4, scale: 250), pipeline))
    #expect(one.steps == other.steps)
    for (a, b) in zip(one.values, other.values) { #expect(abs(a - b) < 2e-2) }
  }

  @Test("Wild ink gives finite numbers of bounded size", arguments: [points, curves])
  func wildInk(pipeline: LinePipeline) {
    var generator = SeededGenerator(seed: seed)
    for size in [Float(1e-3), 1, 1e6] {
      for strokes in [1, 3, 400] {
        var ink = Trajectory()
        for _ in 0..<strokes {
          for _ in 0...generator.index(below: 30) {
            ink.append(x: size * generator.normal(), y: size * generator.normal(), time: .nan)
          }
          ink.endStroke()
        }
        let encoder = encoded(ink, pipeline)
        #expect(encoder.steps > 0 && encoder.steps <= 2 * pipeline.maximumSteps)
        #expect(encoder.values.allSatisfy { $0.isFinite && abs($0) <= 4 }, "seed \(seed)")
      }
    }
  }
}
