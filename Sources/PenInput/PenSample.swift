import Foundation
import InkCore

/// One sample of a pen as a device delivers it, with what of it is a guess.
public struct PenSample: Hashable, Sendable {
  /// Position, time, force and angles. Time is in milliseconds; force 1 is an average touch.
  public var point: StrokePoint
  /// The properties that are guesses.
  public var estimated: PenProperties
  /// The properties for which an update is promised; always among the estimated ones.
  public var expectingUpdates: PenProperties
  /// The key under which updates arrive, or nil where none is promised.
  public var updateIndex: Int?
  /// Whether the sample came before the last one of its delivery.
  public internal(set) var isCoalesced = false

  /// Makes a sample.
  ///
  /// - Parameters:
  ///   - expectingUpdates: What is promised; what is not estimated is left out.
  ///   - updateIndex: The key of updates, or nil.
  public init(
    point: StrokePoint, estimated: PenProperties = [], expectingUpdates: PenProperties = [],
    updateIndex: Int? = nil
  ) {
    self.point = point
    self.estimated = estimated
    self.expectingUpdates = expectingUpdates.intersection(estimated)
    self.updateIndex = updateIndex
  }

  /// The least sine of the altitude that forces are divided by: about 3 degrees.
  static let leastSine = 0.05

  /// The part of the force at a right angle to the surface that makes `force` along the axis:
  /// force / sin(altitude). Finite for a pen that lies flat; nil where force or altitude is not
  /// known.
  public var perpendicularForce: Double? {
    guard let force = point.force, let altitude = point.altitude else { return nil }
    return force / max(Self.leastSine, abs(sin(altitude)))
  }

  /// The force as a share of the largest the device can report, 0 ... 1; nil where it is not known
  /// or `maximum` is not above 0.
  public func normalizedForce(maximum: Double) -> Double? {
    guard let force = point.force, maximum > 0 else { return nil }
    return min(1, max(0, force / maximum))
  }
}
