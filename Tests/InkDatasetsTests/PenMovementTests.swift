import Foundation
import InkCore
import InkDatasets
import InkSynthesis
import Testing

@Suite("Sigma-lognormal movements")
struct PenMovementTests {
  private let manner = PenStroke.Manner(
    tempo: 0.15, asymmetry: 0.05, smoothOverlap: 0.4, cornerOverlap: 0.2, timeNoise: 0,
    turnNoise: 0)

  @Test("Asymmetry 0.05 and duration 0.3 s give the published sigma and mu")
  func golden() {
    let pulse = LognormalPulse(asymmetry: 0.05, duration: 0.3)
    // Printed with eight decimals.
    #expect(abs(pulse.sigma - 0.226_480_23) < 5e-9)
    #expect(abs(pulse.mu - -1.586_424_18) < 5e-9)
  }

  @Test(
    "The progress is the integral of the speed, from exactly 0 to exactly 1",
    arguments: [0.02, 0.05, 0.15])
  func progress(asymmetry: Double) {
    let pulse = LognormalPulse(asymmetry: asymmetry, duration: 0.2)
    #expect(pulse.progress(at: 0) == 0 && pulse.progress(at: -1) == 0)
    #expect(pulse.progress(at: 0.2) == 1 && pulse.progress(at: 9) == 1)
    let steps = 2000
    var sum = 0.0
    for step in 0..<steps {
      let middle = (Double(step) + 0.5) / Double(steps) * 0.2
      sum += pulse.speed(at: middle + pulse.delay) * 0.2 / Double(steps)
      let progress = pulse.progress(at: Double(step + 1) / Double(steps) * 0.2)
      // The tails that are cut off hold 0.27 %.
      #expect(abs(progress - sum) < 0.003)
    }
  }

  @Test("An arc ends at its chord, and half a turn passes through the top of the half circle")
  func arc() {
    let pulse = LognormalPulse(asymmetry: 0.05, duration: 0.2)
    let arc = PenArc(onset: 0.1, pulse: pulse, chordX: 20, chordY: 0, turn: -.pi)
    let end = arc.displacement(at: 0.3)
    #expect(abs(end.x - 20) < 1e-9 && abs(end.y) < 1e-9)
    let highest = (0...300).map { arc.displacement(at: Double($0) / 1000).y }.max() ?? 0
    #expect(abs(highest - 10) < 0.05)
    #expect(arc.displacement(at: 0.05).x == 0 && arc.displacement(at: 0.05).y == 0)
  }

  @Test("Smooth knots on a circle give the turns of that circle, corners give lines")
  func turns() {
    let circle = (0..<7).map { index in
      Knot(10 * cos(Double(index) * .pi / 3), 10 * sin(Double(index) * .pi / 3))
    }
    for turn in PenStroke.turns(through: circle) { #expect(abs(turn - .pi / 3) < 1e-9) }
    let corners = [Knot(0, 0), Knot(10, 0, isCorner: true), Knot(10, 10)]
    #expect(PenStroke.turns(through: corners) == [0, 0])
  }

  @Test("A stroke begins at its first knot and ends at its last")
  func ends() throws {
    var generator = SeededGenerator(seed: 3)
    let knots = [Knot(5, 7), Knot(30, 90), Knot(60, 20, isCorner: true), Knot(70, 40)]
    let stroke = PenStroke(knots: knots, manner: manner, using: &generator)
    let points = stroke.positions(every: 0.01)
    let (first, last) = (try #require(points.first), try #require(points.last))
    #expect(first.time == 0 && first.x == 5 && first.y == 7)
    #expect(abs(last.time - stroke.duration) < 1e-12)
    #expect(abs(last.x - 70) < 1e-9 && abs(last.y - 40) < 1e-9)
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  @Test("Points go through the movements of the plan, handed over in the middle of their overlap")
  func movements() throws {
    var generator = SeededGenerator(seed: 3)
    let knots = [Knot(5, 7), Knot(30, 90), Knot(60, 20), Knot(70, 40)]
    let stroke = PenStroke(knots: knots, manner: manner, using: &generator)
    let points = stroke.positions(every: 0.001)
    #expect(points.first?.movement == 0 && points.last?.movement == 2)
    #expect(
      zip(points, points.dropFirst()).allSatisfy { (0...1).contains($1.movement - $0.movement) })
    let second = try #require(points.first { $0.movement == 1 })
    #expect(stroke.arcs[1].onset < second.time && second.time < stroke.arcs[0].end)
    let middle = (stroke.arcs[0].end + stroke.arcs[1].onset) / 2
    #expect((0...0.001).contains(second.time - middle))
  }

  @Test("Movements that overlap more pass a corner farther away")
  func rounding() {
    func distance(overlap: Double) -> Double {
      var manner = manner
      manner.cornerOverlap = overlap
      var generator = SeededGenerator(seed: 1)
      let knots = [Knot(0, 50), Knot(0, 0, isCorner: true), Knot(50, 0)]
      let stroke = PenStroke(knots: knots, manner: manner, using: &generator)
      return stroke.positions(every: 0.001).map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }.min()
        ?? 0
    }
    // The samples are up to 0.1 units from the corner, where the pen is slow.
    #expect(distance(overlap: 0) < 0.1)
    #expect(distance(overlap: 0.5) > 1 + distance(overlap: 0.2))
  }
}
