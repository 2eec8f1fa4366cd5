import Foundation
import InkCore

/// The phase of a touch, as UIKit numbers it.
public enum TouchPhase: Int, Hashable, Sendable, Decodable {
  /// The touch has begun.
  case began
  /// It has moved.
  case moved
  /// It is down and has not moved.
  case stationary
  /// It was lifted.
  case ended
  /// The system has taken it away.
  case cancelled
}

/// A touch as UIKit describes it. On iOS an extension of `UITouch` conforms in a few lines; tests and
/// logs conform with values.
///
/// Positions are in pixels or points of the view, times in seconds since the start of the device.
public protocol TouchLike {
  /// The phase of the touch.
  var touchPhase: TouchPhase { get }
  /// True if a pen made the touch, false for a finger.
  var isPen: Bool { get }
  /// The precise position.
  var place: (x: Double, y: Double) { get }
  /// Seconds since the start of the device.
  var seconds: Double { get }
  /// The force along the pen's axis, or nil if none is reported, as for fingers.
  var touchForce: Double? { get }
  /// The largest force the device can report; 0 if it reports none.
  var maximumForce: Double { get }
  /// The angle between pen and surface in radians, or nil.
  var altitude: Double? { get }
  /// The direction of the pen's projection on the surface in radians, or nil.
  var azimuth: Double? { get }
  /// The rotation about the pen's own axis in radians, or nil.
  var roll: Double? { get }
  /// The properties that are estimates, as bits.
  var estimatedBits: Int { get }
  /// The properties for which an update is promised, as bits.
  var expectedBits: Int { get }
  /// The key under which updates arrive, or nil.
  var updateIndex: Int? { get }
  /// The sample of the pen event; by default it is made of the other properties.
  var sample: PenSample { get }
}

extension TouchLike {
  /// The sample of the pen event.
  public var sample: PenSample {
    PenSample(
      point: StrokePoint(
        x: place.x, y: place.y, t: seconds * 1000, force: touchForce, azimuth: azimuth,
        altitude: altitude, roll: roll),
      estimated: PenProperties(rawValue: estimatedBits),
      expectingUpdates: PenProperties(rawValue: expectedBits), updateIndex: updateIndex)
  }

  /// The azimuth of a unit vector in the view, in radians: for sources that tell a vector alone.
  public static func azimuth(unitX: Double, unitY: Double) -> Double? {
    guard unitX.isFinite, unitY.isFinite, unitX != 0 || unitY != 0 else { return nil }
    return atan2(unitY, unitX)
  }
}

/// Turns deliveries of touches into pen events.
///
/// The list of coalesced touches holds the main touch last. A predicted touch carries the key of the
/// last real one: it is never registered, because only real samples get updates.
public struct TouchAdapter {
  /// Makes an adapter; it keeps nothing.
  public init() {}

  /// The event of one delivery of one touch.
  ///
  /// - Parameters:
  ///   - touch: The main touch.
  ///   - coalesced: The touches since the last delivery, the main one last; it alone where empty.
  ///   - predicted: Guesses of those to come.
  public func event(
    _ touch: some TouchLike, coalesced: [any TouchLike] = [], predicted: [any TouchLike] = []
  ) -> PenEvent {
    switch touch.touchPhase {
    case .began: return .began(touch.sample)
    case .moved, .stationary:
      let real = coalesced.isEmpty ? [touch.sample] : coalesced.map { $0.sample }
      return .moved(
        coalesced: real,
        predicted: predicted.map { touch in
          var sample = touch.sample
          (sample.updateIndex, sample.expectingUpdates) = (nil, [])
          return sample
        })
    case .ended: return .ended(touch.sample)
    case .cancelled: return .cancelled
    }
  }

  /// The event of better values of an earlier touch; nil for a touch without a key.
  public func update(_ touch: some TouchLike) -> PenEvent? {
    let sample = touch.sample
    guard let index = sample.updateIndex else { return nil }
    return .updated(
      PenUpdate(
        index: index, location: .init(x: sample.point.x, y: sample.point.y),
        force: sample.point.force, azimuth: sample.point.azimuth,
        altitude: sample.point.altitude, roll: sample.point.roll, estimated: sample.estimated,
        expectingUpdates: sample.expectingUpdates))
  }
}
