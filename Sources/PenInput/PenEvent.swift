import Foundation
import InkCore

/// An action of a pen, in the order in which the device reports them.
public enum PenEvent: Hashable, Sendable {
  /// The pen touches the surface.
  case began(PenSample)
  /// The pen moved. `coalesced` has the samples since the last delivery, in order; the last one is
  /// the main sample. `predicted` has guesses of samples to come, which the next delivery replaces.
  case moved(coalesced: [PenSample], predicted: [PenSample])
  /// Better values of an earlier sample are known.
  case updated(PenUpdate)
  /// The pen leaves the surface, with its last sample if there is one.
  case ended(PenSample?)
  /// The system cancelled the touch: nothing of it remains.
  case cancelled
}

/// Better values of an earlier sample. Values that are nil stay unchanged.
public struct PenUpdate: Hashable, Sendable {
  /// The key of the sample.
  public var index: Int
  /// The position.
  public var location: Location?
  /// The force.
  public var force: Double?
  /// The azimuth, in radians.
  public var azimuth: Double?
  /// The altitude, in radians.
  public var altitude: Double?
  /// The rotation about the pen's own axis, in radians.
  public var roll: Double?
  /// The properties that are still guesses.
  public var estimated: PenProperties
  /// The properties for which a further update is promised.
  public var expectingUpdates: PenProperties

  /// A position.
  public struct Location: Hashable, Sendable {
    /// Growing to the right.
    public var x: Double
    /// Growing downward.
    public var y: Double

    /// Makes a position.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Makes an update. Without values, it withdraws the promise of updates that are no longer
  /// expected.
  public init(
    index: Int, location: Location? = nil, force: Double? = nil, azimuth: Double? = nil,
    altitude: Double? = nil, roll: Double? = nil, estimated: PenProperties = [],
    expectingUpdates: PenProperties = []
  ) {
    self.roll = roll
    self.index = index
    self.location = location
    self.force = force
    self.azimuth = azimuth
    self.altitude = altitude
    self.estimated = estimated
    self.expectingUpdates = expectingUpdates.intersection(estimated)
  }
}

/// One sample of a pen from a device, with the properties that are estimated.
public struct PenSample: Hashable, Sendable {
  /// Position, time, force, angles and roll. Time is in milliseconds; force 1 is an average touch.
  public var point: StrokePoint
  /// The properties that are guesses.
  public var estimated: PenProperties
  /// The properties for which an update is promised; always among the estimated ones.
  public var expectingUpdates: PenProperties
  /// The key under which updates arrive, or nil if none is promised.
  public var updateIndex: Int?
  /// True if the sample is not the last one of its delivery.
  public internal(set) var isCoalesced = false

  /// Makes a sample.
  ///
  /// - Parameters:
  ///   - expectingUpdates: The promised properties; those that are not estimated are ignored.
  ///   - updateIndex: The key of updates, or nil.
  public init(
    point: StrokePoint, estimated: PenProperties = [],
    expectingUpdates: PenProperties = [], updateIndex: Int? = nil
  ) {
    self.point = point
    self.estimated = estimated
    self.expectingUpdates = expectingUpdates.intersection(estimated)
    self.updateIndex = updateIndex
  }

  /// The least sine of the altitude that forces are divided by, for about 3 degrees.
  package static let leastSine = 0.05

  /// The force perpendicular to the surface that corresponds to `force` along the axis: force /
  /// sin(altitude). Finite for a flat pen; nil if force or altitude is not known.
  public var perpendicularForce: Double? {
    guard let force = point.force, let altitude = point.altitude else { return nil }
    return force / max(Self.leastSine, abs(sin(altitude)))
  }

  /// The force as a share of the largest force of the device, 0 ... 1; nil if it is not known or
  /// `maximum` is not above 0.
  public func normalizedForce(maximum: Double) -> Double? {
    guard let force = point.force, maximum > 0 else { return nil }
    return min(1, max(0, force / maximum))
  }
}

/// Properties of a pen sample that a device may estimate first and correct later.
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

extension StrokePoint {
  /// Positions this far away cannot be on a surface; their differences would overflow.
  private static let farthest = 1e9

  /// True if the position is finite and possible for ink: nearer than 10^9 to the origin.
  public var hasUsablePosition: Bool { abs(x) < Self.farthest && abs(y) < Self.farthest }

  /// The point without optional values that cannot be measurements: a force below 0 or infinite,
  /// angles and times that are infinite or too large for a clock.
  public var cleaned: StrokePoint {
    var result = self
    if let force, !PenSample.isUsable(force: force) { result.force = nil }
    if let azimuth, !azimuth.isFinite { result.azimuth = nil }
    if let altitude, !altitude.isFinite { result.altitude = nil }
    if let roll, !roll.isFinite { result.roll = nil }
    if let t, abs(t) > Self.latestTime { result.t = nil }
    return result
  }

  /// The year 3000, in milliseconds since 1970.
  private static let latestTime = 32_503_680_000_000.0
}

extension PenSample {
  var hasUsablePosition: Bool { point.hasUsablePosition }

  /// The sample without values that cannot be measurements.
  var cleaned: PenSample {
    var result = self
    result.point = point.cleaned
    return result
  }

  /// Returns true if a force can be a measurement: not below 0, and not more than any device
  /// reports.
  static func isUsable(force: Double) -> Bool { force >= 0 && force <= 1e6 }
}
