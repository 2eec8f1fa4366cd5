/// Properties of a pen sample that a device may guess first and correct later.
public struct PenProperties: OptionSet, Hashable, Sendable {
  /// The bits, as devices report them.
  public let rawValue: Int

  /// Makes a set of bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Force along the pen's axis.
  public static let force = PenProperties(rawValue: 1)
  /// Direction of the pen's projection on the surface.
  public static let azimuth = PenProperties(rawValue: 2)
  /// Angle between pen and surface.
  public static let altitude = PenProperties(rawValue: 4)
  /// Position.
  public static let location = PenProperties(rawValue: 8)
  /// Rotation about the pen's own axis.
  public static let roll = PenProperties(rawValue: 16)
}
