/// A pen near the surface that does not touch it.
public struct HoverEvent: Hashable, Sendable {
  /// The action of the pen.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case entered
    case moved
    case left
  }

  /// The action of the pen.
  public var phase: Phase
  /// The id of the pointer.
  public var pointer: Int
  /// The position below the tip, in pixels.
  public var x: Double
  /// The position below the tip, in pixels.
  public var y: Double
  /// The height of the tip: 0 at the surface, 1 where the device stops reporting it.
  public var height: Double
  /// The azimuth in radians, or nil.
  public var azimuth: Double?
  /// The altitude in radians, or nil.
  public var altitude: Double?
  /// The rotation about the pen's own axis in radians, or nil.
  public var roll: Double?
  /// The block below the tip; an editor fills it in.
  public var block: String?

  /// Makes an event. A height outside of 0 ... 1 is clamped; NaN becomes 1.
  public init(
    _ phase: Phase, pointer: Int = 0, x: Double, y: Double, height: Double = 0,
    azimuth: Double? = nil, altitude: Double? = nil, roll: Double? = nil
  ) {
    self.phase = phase
    self.pointer = pointer
    self.x = x
    self.y = y
    self.height = height.isNaN ? 1 : min(1, max(0, height))
    self.azimuth = azimuth
    self.altitude = altitude
    self.roll = roll
  }
}
