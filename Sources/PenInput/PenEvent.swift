import InkCore

/// What a pen does, in the order a device tells it.
public enum PenEvent: Hashable, Sendable {
  /// The pen touches the surface.
  case began(PenSample)
  /// The pen moved: the samples since the last delivery in order, the last of which is the main
  /// one, and guesses of those to come, which the next delivery replaces.
  case moved(coalesced: [PenSample], predicted: [PenSample])
  /// Values of an earlier sample are known better.
  case updated(PenUpdate)
  /// The pen leaves the surface, with its last sample where there is one.
  case ended(PenSample?)
  /// The system took the touch back: nothing of it remains.
  case cancelled
}

/// Better values of an earlier sample. What is nil stays as it is.
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

  /// Makes an update. With no value it withdraws the promise of those not expected any more.
  public init(
    index: Int, location: Location? = nil, force: Double? = nil, azimuth: Double? = nil,
    altitude: Double? = nil, estimated: PenProperties = [], expectingUpdates: PenProperties = []
  ) {
    self.index = index
    self.location = location
    self.force = force
    self.azimuth = azimuth
    self.altitude = altitude
    self.estimated = estimated
    self.expectingUpdates = expectingUpdates.intersection(estimated)
  }
}
