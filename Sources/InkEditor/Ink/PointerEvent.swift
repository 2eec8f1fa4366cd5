/// One event of a pointer, in pixels of the view.
public struct PointerEvent: Hashable, Sendable {
  /// The action of the pointer.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case down
    case move
    case up
    case cancel
  }

  /// The action of the pointer.
  public var kind: Kind
  /// Pixels, growing to the right.
  public var x: Double
  /// Pixels, growing downward.
  public var y: Double
  /// Milliseconds since 1970, or -1 for now.
  public var t: Int64
  /// The force as a share of the device's largest, 0 ... 1; 0 if it is unknown. Larger values are
  /// stored unchanged. The force is stored and exported, and no model reads it.
  public var force: Double
  /// The type of the pointer.
  public var type: PointerType
  /// The id of the pointer, at least 0, or -1 if it is the only one.
  public var id: Int
  /// The direction of the pen's projection on the view in radians, or nil.
  public var azimuth: Double?
  /// The angle between pen and view in radians, or nil.
  public var altitude: Double?
  /// The rotation of the pen about its own axis in radians, or nil.
  public var roll: Double?

  /// Makes an event.
  public init(
    _ kind: Kind, x: Double, y: Double, t: Int64 = -1, force: Double = 0, type: PointerType = .pen,
    id: Int = -1, azimuth: Double? = nil, altitude: Double? = nil, roll: Double? = nil
  ) {
    self.azimuth = azimuth
    self.altitude = altitude
    self.roll = roll
    self.kind = kind
    self.x = x
    self.y = y
    self.t = t
    self.force = force
    self.type = type
    self.id = id
  }

  /// 1 January 3000, in milliseconds.
  static let latestTime: Int64 = 32_503_680_000_000

  /// Checks the numbers.
  ///
  /// - Throws: ``EditorError/invalidArgument(_:expected:found:)``.
  @inline(__always)
  func check() throws(EditorError) {
    // The difference is 0 for all numbers except infinity and NaN.
    guard x - x == 0, y - y == 0, force >= 0, force < .infinity, t >= -1, t <= Self.latestTime,
      id >= -1, abs(x) < 1e9, abs(y) < 1e9
    else { throw fault }
  }

  private var fault: EditorError {
    guard x.isFinite, y.isFinite, abs(x) < 1e9, abs(y) < 1e9 else {
      return .invalidArgument(
        "pointer position", expected: "finite pixels below 10^9", found: "other numbers")
    }
    guard force.isFinite, force >= 0 else {
      return .invalidArgument(
        "pointer force", expected: "a finite number, at least 0", found: "\(force)")
    }
    guard t >= -1, t <= Self.latestTime else {
      return .invalidArgument(
        "pointer time", expected: "milliseconds since 1970 before the year 3000, or -1",
        found: "\(t)")
    }
    return .invalidArgument("pointer id", expected: "at least 0, or -1", found: "\(id)")
  }
}
