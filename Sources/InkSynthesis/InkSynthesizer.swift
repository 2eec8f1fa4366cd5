import Foundation
import InkCore

/// Writes a prototype in the manner of a virtual writer.
package struct InkSynthesizer {
  /// The writer.
  package let writer: VirtualWriter

  /// Makes the synthesiser of a writer.
  package init(writer: VirtualWriter) { self.writer = writer }

  /// Writes one character, shape or gesture.
  ///
  /// - Parameters:
  ///   - prototypes: All forms of the label, at least one.
  ///   - address: The same number for the same label, so that a writer keeps to a form.
  ///   - placement: The map from the prototypes' units to the ink's, or nil for the writer's own.
  ///   - generator: The source of the differences between inks.
  /// - Returns: Strokes in tenths of a millimetre; the baseline is y = 0.
  package func ink(
    of prototypes: [Prototype], address: UInt64, placement: Placement? = nil,
    using generator: inout SeededGenerator
  ) -> Ink {
    let form = self.form(
      of: prototypes, address: address, isZoned: placement == nil, using: &generator)
    var strokes = form.strokes
    applyHabits(to: &strokes, using: &generator)
    return record(
      strokes, placement: placement ?? linePlacement(using: &generator), using: &generator
    ).ink
  }

  /// Returns the writer's form of a label for one ink, without habits of the pen.
  func form(
    of prototypes: [Prototype], address: UInt64, isZoned: Bool = true,
    using generator: inout SeededGenerator
  ) -> Prototype {
    let choice = self.choice(of: prototypes, address: address, using: &generator)
    var form = prototypes[choice]
    form.strokes = deformed(
      form, address: address &* 64 &+ UInt64(choice), isZoned: isZoned, using: &generator)
    return form
  }

  /// Returns the map from the prototypes' units to the ink's for writing on a line.
  package func linePlacement(using generator: inout SeededGenerator) -> Placement {
    Placement(
      scaleX: writer.scale * writer.aspect, scaleY: writer.scale,
      slant: writer.slant + generator.normal(0.04),
      rotation: writer.rotation + generator.normal(0.03))
  }

  /// Chooses a prototype, mostly the writer's favourite.
  private func choice(
    of prototypes: [Prototype], address: UInt64, using generator: inout SeededGenerator
  ) -> Int {
    var form = writer.formStream(address ^ 0xA110)
    let favourite = Self.draw(prototypes, using: &form)
    return generator.chance(writer.variety)
      ? Self.draw(prototypes, using: &generator) : favourite
  }

  private static func draw(
    _ prototypes: [Prototype], using generator: inout SeededGenerator
  ) -> Int {
    var rest = generator.number(0...1) * prototypes.reduce(0) { $0 + $1.weight }
    for (index, prototype) in prototypes.enumerated() {
      rest -= prototype.weight
      if rest <= 0 { return index }
    }
    return prototypes.count - 1
  }

  /// Returns the knots of this ink: the prototype, bent and shifted to the writer's own form, then
  /// to this ink.
  private func deformed(
    _ prototype: Prototype, address: UInt64, isZoned: Bool,
    using generator: inout SeededGenerator
  ) -> [[Knot]] {
    var own = writer.formStream(address)
    let box = prototype.box
    let size = max(box.width, box.height, 8)
    // Small forms are written with smaller errors.
    let care = min(1, max(0.25, size / 70))
    let steady = Bend(amount: writer.bend, using: &own)
    let fresh = Bend(amount: writer.bend * 0.5, using: &generator)
    let strokeShift = prototype.strokes.count > 1 ? care * 3 : 0
    return prototype.strokes.map { stroke in
      let dx = own.normal(strokeShift) + generator.normal(strokeShift)
      let dy = own.normal(strokeShift) + generator.normal(strokeShift)
      return stroke.map { knot in
        var knot = knot
        knot.x += dx + care * (own.normal(writer.formNoise) + generator.normal(writer.inkNoise))
        knot.y += dy + care * (own.normal(writer.formNoise) + generator.normal(writer.inkNoise))
        knot = steady.applied(to: knot, box: box, size: size)
        knot = fresh.applied(to: knot, box: box, size: size)
        if isZoned { knot.y = zoned(knot.y) }
        return knot
      }
    }
  }

  /// Applies the writer's proportions of the three zones to a height.
  private func zoned(_ y: Double) -> Double {
    let zones = writer.zones
    if y < 0 { return y * zones.descender }
    if y <= 50 { return y * zones.x }
    return 50 * zones.x + (y - 50) * (2 * zones.ascender - zones.x)
  }

  /// Applies drawn lifts, reversed or exchanged strokes, and hooks.
  func applyHabits(to strokes: inout [[Knot]], using generator: inout SeededGenerator) {
    if strokes.count > 1, generator.chance(writer.reorders) {
      let index = generator.index(below: strokes.count - 1)
      if generator.chance(0.5) {
        strokes.swapAt(index, index + 1)
      } else if strokes[index].count == 2 {
        strokes[index].reverse()
      }
    }
    if strokes.count > 1, generator.chance(writer.joinsStrokes) {
      join(&strokes, at: generator.index(below: strokes.count - 1))
    }
    for index in strokes.indices where strokes[index].count > 1 {
      if generator.chance(writer.hooks) { addHook(to: &strokes[index], using: &generator) }
    }
  }

  /// Draws the pen's path between two strokes, unless one of them is a dot.
  private func join(_ strokes: inout [[Knot]], at index: Int) {
    guard Self.size(strokes[index]) > 15, Self.size(strokes[index + 1]) > 15 else { return }
    var first = strokes[index]
    var second = strokes.remove(at: index + 1)
    first[first.count - 1].isCorner = true
    second[0].isCorner = true
    strokes[index] = first + second
  }

  private static func size(_ stroke: [Knot]) -> Double {
    guard let first = stroke.first else { return 0 }
    return stroke.reduce(0) { max($0, abs($1.x - first.x), abs($1.y - first.y)) }
  }

  private func addHook(to stroke: inout [Knot], using generator: inout SeededGenerator) {
    guard Self.size(stroke) > 20 else { return }
    let atStart = generator.chance(0.6)
    var knot = atStart ? stroke[0] : stroke[stroke.count - 1]
    knot.isCorner = generator.chance(0.6)
    let tip = Knot(
      knot.x + (atStart ? -1 : 1) * generator.number(0...10), knot.y + generator.normal(7))
    if atStart {
      stroke[0] = knot
      stroke.insert(tip, at: 0)
    } else {
      stroke[stroke.count - 1] = knot
      stroke.append(tip)
    }
  }

  /// Moves the pen along the knots and samples it. O(points).
  package func record(
    _ strokes: [[Knot]], placement: Placement, using generator: inout SeededGenerator
  ) -> RecordedInk {
    var manner = writer.manner
    manner.tempo *= exp(generator.normal(0.12))
    var recorded = RecordedInk()
    recorded.ink.strokes.reserveCapacity(strokes.count)
    var clock = 0.0
    var previousEnd: Knot?
    for knots in strokes {
      let pen = PenStroke(knots: knots, manner: manner, using: &generator)
      if let previousEnd {
        clock += pause(from: previousEnd, to: pen.start, tempo: manner.tempo, using: &generator)
      }
      let (stroke, movements) = sampled(
        pen, from: clock, placement: placement, using: &generator)
      recorded.ink.strokes.append(stroke)
      recorded.movements.append(movements)
      clock += pen.duration
      previousEnd = knots.last
    }
    return recorded
  }

  /// Returns the recorded points of a stroke and the movement of each point.
  private func sampled(
    _ pen: PenStroke, from clock: Double, placement: Placement,
    using generator: inout SeededGenerator
  ) -> (stroke: Stroke, movements: [Int]) {
    let device = writer.device
    let tremor = Tremor(amplitude: writer.tremor, using: &generator)
    let duration = pen.duration
    let positions = pen.positions(every: device.interval)
    let points = positions.map { position in
      let shaken = tremor.offset(at: position.time)
      let place = placement.applied(
        x: snapped(position.x + shaken.x, device.grid),
        y: snapped(position.y + shaken.y, device.grid))
      return StrokePoint(
        x: place.x, y: place.y, t: ((clock + position.time) * 1000).rounded(),
        force: device.hasForce ? force(at: position.time / duration) : nil)
    }
    return (Stroke(points: points), positions.map(\.movement))
  }

  /// Returns the seconds with the pen up.
  private func pause(
    from: Knot, to: Knot, tempo: Double, using generator: inout SeededGenerator
  ) -> Double {
    guard writer.device.keepsPauses else { return writer.device.interval }
    let distance = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y))
      .squareRoot()
    return tempo * (0.6 + 0.5 * pow(distance / 40, 0.5)) * exp(generator.normal(0.3))
  }

  /// Computes the force, which rises as the pen lands and falls as it leaves.
  private func force(at share: Double) -> Double {
    let edge = min(1, 0.35 + 6 * min(share, 1 - share))
    return (writer.device.force * edge * 1000).rounded() / 1000
  }

  private func snapped(_ value: Double, _ grid: Double) -> Double {
    grid > 0.2 ? (value / grid).rounded() * grid : value
  }
}

/// A linear map from units of ``Knot``, y upward, to tenths of a millimetre, y downward.
package struct Placement: Hashable, Sendable {
  private let a, b, c, d: Double

  /// Scales, shears along x, then rotates.
  ///
  /// - Parameters:
  ///   - scaleX: Tenths of a millimetre per unit, horizontally.
  ///   - scaleY: Tenths of a millimetre per unit, vertically.
  ///   - slant: Horizontal shift to the right divided by height.
  ///   - rotation: Anticlockwise, radians.
  package init(scaleX: Double, scaleY: Double, slant: Double, rotation: Double) {
    let (sine, cosine) = (sin(rotation), cos(rotation))
    a = cosine * scaleX
    b = (cosine * slant - sine) * scaleY
    c = -sine * scaleX
    d = -(sine * slant + cosine) * scaleY
  }

  /// Maps a point, rounded to 1/1000 of a tenth of a millimetre, which is finer than any digitiser.
  func applied(x: Double, y: Double) -> (x: Double, y: Double) {
    (((a * x + b * y) * 1000).rounded() / 1000, ((c * x + d * y) * 1000).rounded() / 1000)
  }
}

/// Recorded ink, and the pen's movements.
package struct RecordedInk: Sendable {
  /// The strokes.
  package var ink = Ink()
  /// For each point of each stroke, the movement of the stroke's plan, from 0.
  package var movements: [[Int]] = []
}
