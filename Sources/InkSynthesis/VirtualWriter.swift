import Foundation
import InkCore

/// The habits of a virtual person: size, slant, speed, pen and favourite letter forms.
package struct VirtualWriter: Hashable, Sendable {
  /// The seed that the habits derive from.
  let seed: UInt64
  /// The writer's number among those of the seed.
  let index: Int
  /// Tenths of a millimetre per unit of ``Knot``.
  var scale: Double
  /// Width relative to the prototypes'.
  var aspect: Double
  /// Horizontal shift divided by height; positive leans right.
  var slant: Double
  /// Rotation of the writing line, radians.
  var rotation: Double
  /// Heights of the x-height, ascender and descender zones, relative to the prototypes.
  var zones: (x: Double, ascender: Double, descender: Double)
  /// The movement of the pen.
  var manner: PenStroke.Manner
  /// Distance of the knots of this writer's own forms from the prototypes, in units.
  var formNoise: Double
  /// Distance of the knots of each ink from this writer's form, in units.
  package var inkNoise: Double
  /// Bending of whole forms, as a share of their size.
  var bend: Double
  /// Amplitude of the tremor, units.
  var tremor: Double
  /// Probability of a form other than the favourite.
  var variety: Double
  /// Probability that the pen is not lifted between strokes.
  var joinsStrokes: Double
  /// Probability that strokes are drawn backwards or in another order.
  var reorders: Double
  /// Probability of a small hook at the start or end of a stroke.
  var hooks: Double
  /// The writer's recording device.
  var device: PenDevice

  /// Makes the writer with a seed and a number.
  package init(seed: UInt64, index: Int) {
    self.seed = seed
    self.index = index
    var random = SeededGenerator(seed: seed, UInt64(index), 0x5717)
    scale = 0.6 * exp(random.normal(0.3))
    aspect = exp(random.normal(0.22))
    slant = random.normal(0.22) + 0.1
    rotation = random.normal(0.05)
    zones = (
      exp(random.normal(0.14)), exp(random.normal(0.1)), exp(random.normal(0.2))
    )
    manner = PenStroke.Manner(
      tempo: 0.14 * exp(random.normal(0.35)), asymmetry: random.number(0.02...0.15),
      smoothOverlap: random.number(0.3...0.6), cornerOverlap: random.number(0...0.45),
      timeNoise: random.number(0.03...0.2), turnNoise: random.number(0.02...0.2))
    formNoise = random.number(2...6)
    inkNoise = random.number(0.8...3.5)
    bend = random.number(0.02...0.12)
    tremor = random.chance(0.3) ? random.number(0.2...1.5) : random.number(0...0.3)
    variety = random.number(0.02...0.4)
    joinsStrokes = random.chance(0.3) ? random.number(0.05...0.5) : 0.02
    reorders = random.chance(0.3) ? random.number(0.05...0.3) : 0.02
    hooks = random.chance(0.5) ? random.number(0.05...0.4) : 0.02
    device = PenDevice(using: &random)
  }

  /// The random stream of this writer's own form of a prototype.
  package func formStream(_ address: UInt64) -> SeededGenerator {
    SeededGenerator(seed: seed, UInt64(index), address, 0xF0F0)
  }

  /// Writers are equal if their seed and number are; everything else follows from these.
  package static func == (left: VirtualWriter, right: VirtualWriter) -> Bool {
    left.seed == right.seed && left.index == right.index
  }

  /// Hashes the values that `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(seed)
    hasher.combine(index)
  }
}

/// The recording device: its rate, its grid and the data it leaves out.
package struct PenDevice: Hashable, Sendable {
  /// Seconds between samples.
  var interval: Double
  /// Distance of neighbouring grid positions, in units of ``Knot``; 0 for no grid.
  var grid: Double
  /// True if time continues while the pen is up.
  var keepsPauses: Bool
  /// True if force is recorded.
  var hasForce: Bool
  /// Mean force, 1 for an average touch.
  var force: Double

  /// Draws a device.
  init(using random: inout SeededGenerator) {
    let rates: [Double] = [60, 60, 75, 100, 100, 120, 133, 200]
    interval = 1 / rates[random.index(below: rates.count)]
    grid = random.chance(0.25) ? random.number(2...6) : random.number(0...1)
    keepsPauses = random.chance(0.5)
    hasForce = random.chance(0.6)
    force = random.number(0.5...1.5)
  }
}

/// A tremor: two oscillations of 6 to 12 Hz on each axis.
package struct Tremor: Sendable {
  private let amplitude: Double
  private let waves: [(frequency: Double, phaseX: Double, phaseY: Double)]

  /// Draws the phases; `amplitude` is in units of ``Knot``.
  init(amplitude: Double, using generator: inout SeededGenerator) {
    self.amplitude = amplitude
    waves = (0..<2).map { _ in
      (
        2 * .pi * generator.number(6...12), generator.number(0...(2 * .pi)),
        generator.number(0...(2 * .pi))
      )
    }
  }

  /// The displacement of the pen at a time in seconds.
  func offset(at time: Double) -> (x: Double, y: Double) {
    guard amplitude > 0.05 else { return (0, 0) }
    var (x, y) = (0.0, 0.0)
    for wave in waves {
      x += amplitude * sin(wave.frequency * time + wave.phaseX)
      y += amplitude * sin(wave.frequency * time + wave.phaseY)
    }
    return (x, y)
  }
}

extension SeededGenerator {
  /// A number of the normal distribution around 0, at most six standard deviations away.
  package mutating func normal(_ deviation: Double) -> Double {
    Double(normal()) * deviation
  }

  /// A number in the range, uniform.
  package mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(uniform())
  }

  /// True with this probability.
  package mutating func chance(_ probability: Double) -> Bool {
    Double(uniform()) < probability
  }
}
