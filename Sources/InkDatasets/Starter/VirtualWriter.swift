import Foundation
import InkCore

/// The habits of a person who does not exist: size, slant, speed, pen and favourite letter forms.
struct VirtualWriter: Hashable, Sendable {
  /// The seed and the number that the habits follow from.
  let seed: UInt64
  /// Which writer of the seed.
  let index: Int
  /// Tenths of a millimetre per unit of ``Knot``.
  var scale: Double
  /// Width relative to the prototypes'.
  var aspect: Double
  /// Horizontal shift per height: positive leans right.
  var slant: Double
  /// Rotation of the writing line, radians.
  var rotation: Double
  /// Heights of the x-height, ascender and descender zones relative to the prototypes'.
  var zones: (x: Double, ascender: Double, descender: Double)
  /// How the pen moves.
  var manner: PenStroke.Manner
  /// How far knots lie from the prototype's in this writer's own forms, units.
  var formNoise: Double
  /// How far knots lie from this writer's form in each ink, units.
  var inkNoise: Double
  /// Bending of whole forms, as a share of their size.
  var bend: Double
  /// Amplitude of the tremor, units.
  var tremor: Double
  /// Probability of a form other than the favourite.
  var variety: Double
  /// Probability that a lift of the pen is drawn instead.
  var joinsStrokes: Double
  /// Probability that strokes are drawn backwards or in another order.
  var reorders: Double
  /// Probability of a small hook where the pen lands or leaves.
  var hooks: Double
  /// How this writer's device records.
  var device: PenDevice

  /// The writer of a seed and a number.
  init(seed: UInt64, index: Int) {
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
  func formStream(_ address: UInt64) -> SeededGenerator {
    SeededGenerator(seed: seed, UInt64(index), address, 0xF0F0)
  }

  /// Equal writers have the same seed and number: all else follows from them.
  static func == (left: VirtualWriter, right: VirtualWriter) -> Bool {
    left.seed == right.seed && left.index == right.index
  }

  /// Hashes what `==` compares.
  func hash(into hasher: inout Hasher) {
    hasher.combine(seed)
    hasher.combine(index)
  }
}
