import Foundation
import InkCore

/// A pointer event of a browser, as encoded by `JSON.stringify` from its fields.
public struct DOMPointerEvent: Hashable, Sendable, Decodable {
  /// `pointerdown`, `pointermove`, `pointerrawupdate`, `pointerup`, `pointercancel`.
  public var type: String
  /// The id of the pointer.
  public var pointerId: Int
  /// `pen`, `touch` or `mouse`.
  public var pointerType: String
  /// The position in CSS pixels.
  public var x: Double
  /// The position in CSS pixels.
  public var y: Double
  /// Milliseconds since the page was opened.
  public var timeStamp: Double
  /// 0 ... 1; the 0.5 of a pressed mouse is not a measurement.
  public var pressure: Double?
  /// The angle between the plane of y and the pen's axis and that of y and z, in degrees.
  public var tiltX: Double?
  /// The angle between the plane of x and the pen's axis and that of x and z, in degrees.
  public var tiltY: Double?
  /// The angle between pen and surface in radians.
  public var altitudeAngle: Double?
  /// The direction of the pen's projection in radians.
  public var azimuthAngle: Double?
  /// The rotation about the pen's own axis, in degrees.
  public var twist: Double?
  /// The buttons that are pressed, as bits; 32 is the eraser.
  public var buttons: Int?
  /// The coalesced events since the last delivery.
  public var coalesced: [DOMPointerEvent]?
  /// The predicted events.
  public var predicted: [DOMPointerEvent]?

  private enum CodingKeys: String, CodingKey {
    case type, pointerId, pointerType, x, y, clientX, clientY, offsetX, offsetY, timeStamp, pressure
    case tiltX, tiltY, altitudeAngle, azimuthAngle, twist, buttons, coalesced, predicted
  }

  /// Reads an event; the position is `x`, `y`, or else `offsetX`, `offsetY`, or `clientX`,
  /// `clientY`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    type = try values.decode(String.self, forKey: .type)
    pointerId = try values.decode(Int.self, forKey: .pointerId)
    pointerType = try values.decode(String.self, forKey: .pointerType)
    func number(_ keys: CodingKeys...) throws -> Double? {
      for key in keys {
        if let value = try values.decodeIfPresent(Double.self, forKey: key) { return value }
      }
      return nil
    }
    guard let x = try number(.x, .offsetX, .clientX), let y = try number(.y, .offsetY, .clientY)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .x, in: values, debugDescription: "expected x and y")
    }
    (self.x, self.y) = (x, y)
    timeStamp = try values.decode(Double.self, forKey: .timeStamp)
    pressure = try number(.pressure)
    (tiltX, tiltY) = (try number(.tiltX), try number(.tiltY))
    (altitudeAngle, azimuthAngle) = (try number(.altitudeAngle), try number(.azimuthAngle))
    twist = try number(.twist)
    buttons = try values.decodeIfPresent(Int.self, forKey: .buttons)
    coalesced = try values.decodeIfPresent([DOMPointerEvent].self, forKey: .coalesced)
    predicted = try values.decodeIfPresent([DOMPointerEvent].self, forKey: .predicted)
  }

  /// Returns the events of a JSON array.
  ///
  /// - Throws: `DecodingError`.
  public static func events(of json: Data) throws -> [DOMPointerEvent] {
    try JSONDecoder().decode([DOMPointerEvent].self, from: json)
  }

  /// Returns altitude and azimuth in radians: the reported ones, or those computed from the tilts.
  /// A pen without tilt is upright.
  public var angles: (altitude: Double, azimuth: Double)? {
    if let altitudeAngle, let azimuthAngle { return (altitudeAngle, azimuthAngle) }
    guard let tiltX, let tiltY, tiltX.isFinite, tiltY.isFinite else { return nil }
    guard tiltX != 0 || tiltY != 0 else { return (.pi / 2, 0) }
    let (a, b) = (tan(tiltX * .pi / 180), tan(tiltY * .pi / 180))
    var azimuth = atan2(b, a)
    if azimuth < 0 { azimuth += 2 * .pi }
    return (atan(1 / (a * a + b * b).squareRoot()), azimuth)
  }

  /// The sample that a pen event carries.
  public var sample: PenSample {
    let angles = pointerType == "pen" ? angles : nil
    // The pressure of a mouse (0.5) and of a hovering pen (0) are not measurements.
    let force = pointerType == "mouse" || pressure == 0 ? nil : pressure
    return PenSample(
      point: StrokePoint(
        x: x, y: y, t: timeStamp, force: force, azimuth: angles?.azimuth,
        altitude: angles?.altitude,
        roll: pointerType == "pen" ? twist.map { $0 * .pi / 180 } : nil))
  }
}

/// Converts pointer events of a browser to pen events. A value: copies are independent.
public struct DOMPointerAdapter: Hashable, Sendable {
  /// The type of a pointer.
  public enum Kind: String, Hashable, Sendable {
    case pen
    case eraser
    case touch
    case mouse
  }

  /// A pen event and its pointer.
  public struct Delivery: Hashable, Sendable {
    /// The action of the pointer.
    public var event: PenEvent
    /// The id of the pointer.
    public var pointer: Int
    /// The type of the pointer.
    public var kind: Kind
  }

  /// The bit of the eraser's button.
  private static let eraserButton = 32
  private var down: [Int: Kind] = [:]
  /// Pointers with raw updates. Their moves repeat the same samples and are ignored.
  private var raw: Set<Int> = []

  /// Makes an adapter with no pointer down.
  public init() {}

  /// Converts an event; returns nil for one that has no effect, such as the move of a mouse whose
  /// button is up.
  public mutating func delivery(of event: DOMPointerEvent) -> Delivery? {
    let id = event.pointerId
    switch event.type {
    case "pointerdown":
      let kind = kind(of: event)
      down[id] = kind
      raw.remove(id)
      return Delivery(event: .began(event.sample), pointer: id, kind: kind)
    case "pointermove", "pointerrawupdate":
      guard let kind = down[id] else { return nil }
      if event.type == "pointerrawupdate" {
        raw.insert(id)
      } else if raw.contains(id) {
        guard let predicted = event.predicted, !predicted.isEmpty else { return nil }
        return Delivery(
          event: .moved(coalesced: [], predicted: predicted.map(\.sample)), pointer: id, kind: kind)
      }
      let coalesced = event.coalesced ?? []
      return Delivery(
        event: .moved(
          coalesced: coalesced.isEmpty ? [event.sample] : coalesced.map(\.sample),
          predicted: (event.predicted ?? []).map(\.sample)), pointer: id, kind: kind)
    case "pointerup":
      guard let kind = down.removeValue(forKey: id) else { return nil }
      var sample = event.sample
      // A pen that has left reports no buttons: use those from before.
      if event.pressure == 0, kind != .mouse { sample.point.force = 0 }
      return Delivery(event: .ended(sample), pointer: id, kind: kind)
    case "pointercancel":
      guard let kind = down.removeValue(forKey: id) else { return nil }
      return Delivery(event: .cancelled, pointer: id, kind: kind)
    default: return nil
    }
  }

  private func kind(of event: DOMPointerEvent) -> Kind {
    if (event.buttons ?? 0) & Self.eraserButton != 0 { return .eraser }
    return Kind(rawValue: event.pointerType) ?? .mouse
  }
}
