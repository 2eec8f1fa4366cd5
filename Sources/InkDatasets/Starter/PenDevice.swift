import InkCore

/// What records the pen: its rate, its grid and what it leaves out.
struct PenDevice: Hashable, Sendable {
  /// Seconds between samples.
  var interval: Double
  /// Distance of the positions that it can tell apart, units of ``Knot``; 0 is no grid.
  var grid: Double
  /// Whether time goes on while the pen is up.
  var keepsPauses: Bool
  /// Whether force is recorded.
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
