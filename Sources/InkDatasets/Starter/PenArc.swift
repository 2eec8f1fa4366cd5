import Foundation

/// One movement of the pen: an arc of a circle, travelled with a lognormal speed.
struct PenArc: Sendable {
  /// Seconds from the start of the stroke to the onset.
  var onset: Double
  /// The speed over time.
  var pulse: LognormalPulse
  /// From start to end, horizontally.
  let chordX: Double
  /// From start to end, vertically.
  let chordY: Double
  /// Direction at the start, radians.
  private let startAngle: Double
  /// From the direction at the start to that at the end, radians.
  private let turn: Double
  /// With the sign of the turn; 0 stands for a straight line.
  private let radius: Double

  /// Makes an arc.
  ///
  /// - Parameter turn: From the direction at the start to that at the end, in ±2π, radians.
  init(onset: Double, pulse: LognormalPulse, chordX: Double, chordY: Double, turn: Double) {
    self.onset = onset
    self.pulse = pulse
    self.chordX = chordX
    self.chordY = chordY
    self.turn = turn
    startAngle = atan2(chordY, chordX) - turn / 2
    let half = sin(turn / 2)
    let chord = (chordX * chordX + chordY * chordY).squareRoot()
    radius = abs(half) < 1e-4 ? 0 : chord / (2 * half)
  }

  /// Seconds from the start of the stroke to the end of the movement.
  var end: Double { onset + pulse.duration }

  /// How far the pen has moved at a time since the start of the stroke.
  func displacement(at time: Double) -> (x: Double, y: Double) {
    let progress = pulse.progress(at: time - onset)
    guard radius != 0 else { return (chordX * progress, chordY * progress) }
    let angle = startAngle + turn * progress
    return (
      radius * (sin(angle) - sin(startAngle)), radius * (cos(startAngle) - cos(angle))
    )
  }
}
