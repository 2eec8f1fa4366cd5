import InkCore
import Testing

@Suite("Trajectory")
struct TrajectoryTests {
  private func ink(_ strokes: [[(Double, Double)]]) -> Ink {
    Ink(strokes: strokes.map { Stroke(points: $0.map { StrokePoint(x: $0.0, y: $0.1) }) })
  }

  @Test("The larger side of the ink spans -0.5 ... 0.5, centred, and the frame leads back")
  func frame() throws {
    let source: [[(Double, Double)]] = [[(10, 200), (110, 210)], [], [(30, 240)]]
    let trajectory = try Trajectory(ink(source))
    #expect(trajectory.x == [-0.5, 0.5, -0.3])
    #expect(trajectory.y == [-0.2, -0.1, 0.2])
    #expect(trajectory.strokeEnds == [2, 3])
    #expect(trajectory.frame == Trajectory.Frame(centerX: 60, centerY: 220, unit: 100))
    for (index, point) in source.flatMap({ $0 }).enumerated() {
      let frame = trajectory.frame
      // Local coordinates are Floats of about 0.5, times a unit of 100.
      #expect(abs(frame.centerX + frame.unit * Double(trajectory.x[index]) - point.0) < 1e-5)
      #expect(abs(frame.centerY + frame.unit * Double(trajectory.y[index]) - point.1) < 1e-5)
    }
  }

  @Test("The widest ink that Double holds has the same frame as any other")
  func widest() throws {
    let largest = Double.greatestFiniteMagnitude
    let trajectory = try Trajectory(ink([[(-largest, 0), (largest, 0)]]))
    #expect(trajectory.x == [-0.5, 0.5])
    #expect(trajectory.frame.unit.isFinite)
  }

  @Test("A single point is at 0 in a frame of unit 1")
  func dot() throws {
    let trajectory = try Trajectory(ink([[(7, -3)]]))
    #expect(trajectory.x == [0] && trajectory.y == [0])
    #expect(trajectory.frame == Trajectory.Frame(centerX: 7, centerY: -3, unit: 1))
  }

  @Test("Times count from the first point that has one; loading again forgets the ink before")
  func times() throws {
    var trajectory = try Trajectory(ink([[(0, 0), (1, 1), (2, 2)]]))
    #expect(trajectory.time.allSatisfy { $0.isNaN })
    try trajectory.load(
      Ink(strokes: [
        Stroke(points: [
          StrokePoint(x: 0, y: 0), StrokePoint(x: 1, y: 0, t: 500),
          StrokePoint(x: 2, y: 0, t: 480), StrokePoint(x: 3, y: 0, t: 750),
        ])
      ]))
    #expect(trajectory.time.first?.isNaN == true)
    #expect(Array(trajectory.time.dropFirst()) == [0, -20, 250])
    #expect(trajectory.count == 4)
  }

  @Test("Long strokes part between their first and last quarter, as often as asked for")
  func interruptions() throws {
    let long = (0..<16).map { (Double($0), 0.0) }
    let whole = try Trajectory(ink([long, [(0, 0), (1, 1)], long]))
    var generator = SeededGenerator(seed: 5)
    var parted = 0
    for _ in 0..<200 {
      var trajectory = whole
      trajectory.interruptStrokes(probability: 0.25, using: &generator)
      #expect(trajectory.x == whole.x && Set(trajectory.strokeEnds).isSuperset(of: [16, 18, 34]))
      #expect(trajectory.strokeEnds == trajectory.strokeEnds.sorted())
      for place in trajectory.strokeEnds where ![16, 18, 34].contains(place) {
        #expect((4..<12).contains(place) || (22..<30).contains(place))
        parted += 1
      }
    }
    #expect((70...130).contains(parted), "seed 5: \(parted) of 400")
    var same = whole
    let before = generator
    same.interruptStrokes(probability: 0, using: &generator)
    var (one, other) = (before, generator)
    #expect(same.strokeEnds == whole.strokeEnds && one.next() == other.next())
  }
}
