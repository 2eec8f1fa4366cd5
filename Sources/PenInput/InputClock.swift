/// Converts the times of a device to milliseconds since 1970.
///
/// Pens count from the start of the device, and pages of a browser from when they were opened. The
/// difference is found at the first sample and kept, so that intervals stay as measured.
public struct InputClock: Hashable, Sendable {
  /// Milliseconds to add to times of the device; nil before the first sample.
  public private(set) var offset: Double?

  /// A time that differs from now by less than this is of the same clock, only reported late.
  private static let sameClock = 600_000.0

  /// Makes a clock that has seen no sample.
  public init() {}

  /// Returns the time of a sample in milliseconds since 1970.
  ///
  /// - Parameters:
  ///   - device: Milliseconds of the device's clock.
  ///   - now: The milliseconds since 1970 when the sample arrived.
  public mutating func time(_ device: Double, now: Double) -> Double {
    if let offset { return device + offset }
    let difference = now - device
    let offset = abs(difference) < Self.sameClock ? 0 : difference
    self.offset = offset
    return device + offset
  }

  /// Returns the time of a sample if the difference is already known; otherwise it is unchanged.
  public func time(_ device: Double) -> Double { device + (offset ?? 0) }
}
