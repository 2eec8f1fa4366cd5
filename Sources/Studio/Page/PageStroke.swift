import Foundation
import InkEditor

/// A stroke of a page as columns: millimetres of the page, y growing downward.
package struct PageStroke: Codable, Hashable, Sendable {
  /// Millimetres, one for each point.
  package var x: [Double]
  /// Millimetres, one for each point.
  package var y: [Double]
  /// Milliseconds since the first point; nil if they are unknown.
  package var t: [Double]?
  /// Force as a share of the largest, 0 ... 1; nil if the device does not measure it.
  package var force: [Double]?
  /// Radians, as `StrokePoint.azimuth`.
  var azimuth: [Double]?
  /// Radians, as `StrokePoint.altitude`.
  var altitude: [Double]?
  /// The time of the first point in milliseconds since 1970; nil if it is unknown.
  package var time: Double?

  /// Makes a stroke.
  package init(
    x: [Double], y: [Double], t: [Double]? = nil, force: [Double]? = nil, time: Double? = nil
  ) {
    self.x = x
    self.y = y
    self.t = t
    self.force = force
    self.time = time
  }

  /// Returns the stroke with rounded values: positions to micrometres, times to milliseconds.
  ///
  /// - Parameter field: The name of the stroke in errors.
  /// - Throws: ``StudioError`` for columns of different lengths and for values out of range.
  func checked(_ field: String) throws(StudioError) -> PageStroke {
    guard !x.isEmpty, x.count <= PageLimits.points else {
      throw StudioError(
        .invalidValue, "expected 1 to \(PageLimits.points) points, found \(x.count)",
        field: "\(field).x")
    }
    var result = self
    let distance = PageLimits.distance
    result.x = try column(x, "\(field).x", in: -distance...distance, step: 1000)
    result.y = try column(y, "\(field).y", in: -distance...distance, step: 1000)
    result.t = try t.map { column throws(StudioError) in
      try self.column(column, "\(field).t", in: 0...PageLimits.duration, step: 1)
    }
    result.force = try force.map { column throws(StudioError) in
      try self.column(column, "\(field).force", in: 0...1, step: 1000)
    }
    result.azimuth = try azimuth.map { column throws(StudioError) in
      try self.column(column, "\(field).azimuth", in: -7...7, step: 1000)
    }
    result.altitude = try altitude.map { column throws(StudioError) in
      try self.column(column, "\(field).altitude", in: -7...7, step: 1000)
    }
    if let times = result.t, zip(times, times.dropFirst()).contains(where: { $0 > $1 }) {
      throw StudioError(
        .invalidValue, "expected times that do not decrease, found others", field: "\(field).t")
    }
    if let time {
      guard time >= 0, time <= PageLimits.latestTime - PageLimits.duration else {
        throw StudioError(
          .invalidValue, "expected milliseconds since 1970, found another number",
          field: "\(field).time")
      }
      result.time = time.rounded()
    }
    return result
  }

  private func column(
    _ values: [Double], _ field: String, in range: ClosedRange<Double>, step: Double
  ) throws(StudioError) -> [Double] {
    guard values.count == x.count else {
      throw StudioError(
        .invalidValue, "expected \(x.count) values, as in x, found \(values.count)", field: field)
    }
    guard values.allSatisfy(range.contains) else {
      throw StudioError(
        .invalidValue,
        "expected numbers in \(range.lowerBound) ... \(range.upperBound), found another",
        field: field)
    }
    return values.map { ($0 * step).rounded() / step }
  }

  /// Returns the events of a pointer that draws the stroke, for an editor in millimetres.
  func events(_ type: PointerType) -> [PointerEvent] {
    func event(_ kind: PointerEvent.Kind, _ index: Int) -> PointerEvent {
      var event = PointerEvent(
        kind, x: x[index], y: y[index], force: force?[index] ?? 0, type: type)
      if let t, let time { event.t = Int64(time + t[index]) }
      event.azimuth = azimuth?[index]
      event.altitude = altitude?[index]
      return event
    }
    guard !x.isEmpty else { return [] }
    let last = x.count - 1
    return [event(.down, 0)] + (1..<max(last, 1)).map { event(.move, $0) } + [event(.up, last)]
  }
}
