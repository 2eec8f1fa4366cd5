/// One sample of the pen.
///
/// Coordinates are in any unit, equal on both axes, with y growing downward. All members except the
/// position are optional, because much ink has x and y only. A missing value is stored as NaN, so
/// that a point takes 56 bytes.
public struct StrokePoint: Sendable {
  /// Horizontal position, growing to the right.
  public var x: Double
  /// Vertical position, growing downward.
  public var y: Double
  private var rawTime: Double
  private var rawForce: Double
  private var rawAzimuth: Double
  private var rawAltitude: Double
  private var rawRoll: Double

  /// Makes a point.
  ///
  /// - Parameters:
  ///   - x: Horizontal position, growing to the right.
  ///   - y: Vertical position, growing downward.
  ///   - t: Milliseconds since any origin that the whole ink shares.
  ///   - force: Force along the pen's axis; 1 is an average touch.
  ///   - azimuth: Direction of the pen's projection on the surface, in radians; 0 along +x,
  ///     clockwise.
  ///   - altitude: Angle between pen and surface, in radians; 0 is flat, π/2 upright.
  ///   - roll: Rotation of the pen about its own axis, in radians.
  public init(
    x: Double, y: Double, t: Double? = nil, force: Double? = nil, azimuth: Double? = nil,
    altitude: Double? = nil, roll: Double? = nil
  ) {
    self.x = x
    self.y = y
    rawTime = t ?? .nan
    rawForce = force ?? .nan
    rawAzimuth = azimuth ?? .nan
    rawAltitude = altitude ?? .nan
    rawRoll = roll ?? .nan
  }

  /// Milliseconds since an origin that the whole ink shares, or nil. NaN counts as missing.
  public var t: Double? {
    get { rawTime.isNaN ? nil : rawTime }
    set { rawTime = newValue ?? .nan }
  }

  /// Force along the pen's axis (1 is an average touch), or nil. NaN counts as missing.
  public var force: Double? {
    get { rawForce.isNaN ? nil : rawForce }
    set { rawForce = newValue ?? .nan }
  }

  /// Direction of the pen's projection on the surface in radians, or nil. NaN counts as missing.
  public var azimuth: Double? {
    get { rawAzimuth.isNaN ? nil : rawAzimuth }
    set { rawAzimuth = newValue ?? .nan }
  }

  /// Angle between pen and surface in radians, or nil. NaN counts as missing.
  public var altitude: Double? {
    get { rawAltitude.isNaN ? nil : rawAltitude }
    set { rawAltitude = newValue ?? .nan }
  }

  /// Rotation of the pen about its own axis in radians, or nil. NaN counts as missing.
  public var roll: Double? {
    get { rawRoll.isNaN ? nil : rawRoll }
    set { rawRoll = newValue ?? .nan }
  }

  /// True if both coordinates are finite numbers.
  public var hasFinitePosition: Bool { x.isFinite && y.isFinite }
}

extension StrokePoint: Hashable {
  /// Two points are equal if their positions are equal and the same optional values are present and
  /// equal.
  public static func == (left: StrokePoint, right: StrokePoint) -> Bool {
    left.x == right.x && left.y == right.y && left.t == right.t && left.force == right.force
      && left.azimuth == right.azimuth && left.altitude == right.altitude
      && left.roll == right.roll
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(x)
    hasher.combine(y)
    hasher.combine(t)
    hasher.combine(force)
    hasher.combine(azimuth)
    hasher.combine(altitude)
    hasher.combine(roll)
  }
}
