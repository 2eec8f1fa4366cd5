import InkCore

/// A stroke in little memory, for large files that are in memory as a whole: only the values that its
/// points have, in single precision where that loses nothing.
struct PackedStroke: Sendable {
  private enum Values {
    case single([Float])
    case double([Double])
  }

  /// The optional values that any point of a stroke has.
  private struct Channels: OptionSet {
    let rawValue: UInt8

    static let time = Channels(rawValue: 1)
    static let force = Channels(rawValue: 2)
    static let azimuth = Channels(rawValue: 4)
    static let altitude = Channels(rawValue: 8)
    static let roll = Channels(rawValue: 16)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of points: [StrokePoint]) {
      self = []
      for point in points {
        if point.t != nil { insert(.time) }
        if point.force != nil { insert(.force) }
        if point.azimuth != nil { insert(.azimuth) }
        if point.altitude != nil { insert(.altitude) }
        if point.roll != nil { insert(.roll) }
      }
    }
  }

  /// The number of points.
  let count: Int
  /// True if the positions of all points are finite numbers.
  let hasFinitePositions: Bool
  private let channels: Channels
  /// The values of one point after the other: x, y and the channels, NaN where one is missing.
  private let values: Values

  init(_ stroke: Stroke) {
    let points = stroke.points
    count = points.count
    hasFinitePositions = points.allSatisfy(\.hasFinitePosition)
    channels = Channels(of: points)
    var doubles: [Double] = []
    doubles.reserveCapacity(points.count * (2 + channels.rawValue.nonzeroBitCount))
    for point in points {
      doubles.append(point.x)
      doubles.append(point.y)
      if channels.contains(.time) { doubles.append(point.t ?? .nan) }
      if channels.contains(.force) { doubles.append(point.force ?? .nan) }
      if channels.contains(.azimuth) { doubles.append(point.azimuth ?? .nan) }
      if channels.contains(.altitude) { doubles.append(point.altitude ?? .nan) }
      if channels.contains(.roll) { doubles.append(point.roll ?? .nan) }
    }
    let isSingle = doubles.allSatisfy { $0.isNaN || Double(Float($0)) == $0 }
    values = isSingle ? .single(doubles.map { Float($0) }) : .double(doubles)
  }

  /// The stroke, equal to the one that was packed.
  var stroke: Stroke {
    switch values {
    case .single(let values): unpacked { Double(values[$0]) }
    case .double(let values): unpacked { values[$0] }
    }
  }

  private func unpacked(_ value: (Int) -> Double) -> Stroke {
    var place = 0
    func next() -> Double {
      defer { place += 1 }
      return value(place)
    }
    return Stroke(
      points: (0..<count).map { _ in
        var point = StrokePoint(x: next(), y: next())
        if channels.contains(.time) { point.t = next() }
        if channels.contains(.force) { point.force = next() }
        if channels.contains(.azimuth) { point.azimuth = next() }
        if channels.contains(.altitude) { point.altitude = next() }
        if channels.contains(.roll) { point.roll = next() }
        return point
      })
  }
}
