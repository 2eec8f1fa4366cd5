import Foundation
import InkCore

/// The shaking of a hand: two oscillations of 6 to 12 Hz on each axis.
struct Tremor: Sendable {
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

  /// How far the pen is off at a time in seconds.
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
