import InkCore

/// Decodes the points of one trace: plain numbers, and differences of first and second order.
struct InkMLTraceDecoder {
  private enum Order {
    case value, first, second
  }

  private let format: InkMLFormat
  private let sign: Double
  private var orders: [Order]
  private var values: [Double]
  private var speeds: [Double]
  private var position = 0

  /// - Parameter sign: -1 if y grows upward.
  init(format: InkMLFormat, sign: Double) {
    self.format = format
    self.sign = sign
    orders = Array(repeating: .value, count: format.count)
    values = Array(repeating: 0, count: format.count)
    speeds = values
  }

  /// The error of a trace.
  enum Fault: Error {
    /// A point does not fit the format.
    case malformed
    /// A coordinate is NaN or infinite.
    case nonFinite
    /// There are no channels X and Y.
    case noPosition
  }

  /// Appends the points of a text. Channels at the end of a point may be missing; `*` repeats the
  /// previous value, and `?` is unknown.
  mutating func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, into points: inout [StrokePoint]
  ) throws(Fault) {
    guard let x = format.x, let y = format.y else { throw .noPosition }
    let yScale = sign * format.yScale
    let needed = max(x.place, y.place)
    position = 0
    while position < bytes.count {
      let count = try point(bytes)
      guard count > 0 else { continue }
      guard count > needed else { throw .malformed }
      let place = (x: values[x.place] * x.scale, y: values[y.place] * yScale)
      guard place.x.isFinite, place.y.isFinite else { throw .nonFinite }
      points.append(
        StrokePoint(
          x: place.x, y: place.y, t: value(format.time, count), force: value(format.force, count),
          azimuth: value(format.azimuth, count), altitude: value(format.altitude, count),
          roll: value(format.roll, count)))
    }
  }

  private func value(_ channel: InkMLFormat.Channel?, _ count: Int) -> Double? {
    guard let channel, channel.place < count else { return nil }
    let value = values[channel.place] * channel.scale
    return value.isFinite ? value : nil
  }

  /// Reads one point and the comma after it.
  ///
  /// - Returns: The number of channels of the point.
  private mutating func point(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> Int {
    var channel = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ",") {
        position += 1
        return channel
      }
      if byte <= 0x20 || byte == UInt8(ascii: ":") {
        position += 1
        continue
      }
      guard channel < values.count else { throw .malformed }
      switch byte {
      case UInt8(ascii: "!"): orders[channel] = .value
      case UInt8(ascii: "'"): orders[channel] = .first
      case UInt8(ascii: "\""): orders[channel] = .second
      default:
        try take(bytes, channel)
        channel += 1
        continue
      }
      position += 1
    }
    return channel
  }

  /// Handles one value.
  private mutating func take(
    _ bytes: UnsafeBufferPointer<UInt8>, _ channel: Int
  ) throws(Fault) {
    switch bytes[position] {
    case UInt8(ascii: "*"):
      position += 1
      if orders[channel] != .value { values[channel] += speeds[channel] }
      return
    case UInt8(ascii: "?"), UInt8(ascii: "T"), UInt8(ascii: "F"):
      position += 1
      values[channel] = .nan
      return
    default: break
    }
    guard let number = DecimalScanner.number(bytes, &position) else { throw .malformed }
    switch orders[channel] {
    case .value: values[channel] = number
    case .first:
      speeds[channel] = number
      values[channel] += number
    case .second:
      speeds[channel] += number
      values[channel] += speeds[channel]
    }
  }
}

/// Reads numbers from within a text, in the notation of InkML, SVG and others.
enum DecimalScanner {
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads a number: `12`, `-.5`, `1.5e3`, or `#FF`. The position ends after it.
  ///
  /// - Returns: nil if there is no number.
  static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Double? {
    let start = position
    guard start < bytes.count else { return nil }
    if bytes[start] == UInt8(ascii: "#") { return hexadecimal(bytes, &position) }
    let isNegative = bytes[start] == UInt8(ascii: "-")
    var end = start
    if isNegative || bytes[start] == UInt8(ascii: "+") { end += 1 }
    var mantissa: UInt64 = 0
    let first = end
    digits(bytes, &end, &mantissa)
    var count = end - first
    var power = 0
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      end += 1
      let fraction = end
      digits(bytes, &end, &mantissa)
      power = end - fraction
      count += power
    }
    guard count > 0 else { return nil }
    var isExact = count <= 18 && mantissa < 1 << 53 && power <= 22
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      var exponent = end + 1
      if exponent < bytes.count, bytes[exponent] == 0x2B || bytes[exponent] == 0x2D {
        exponent += 1
      }
      let begin = exponent
      var ignored: UInt64 = 0
      digits(bytes, &exponent, &ignored)
      if exponent > begin {
        end = exponent
        isExact = false
      }
    }
    position = end
    // Mantissa and power of ten are exact below these limits, so that only the division rounds.
    if isExact {
      let value = Double(mantissa) / powers[power]
      return isNegative ? -value : value
    }
    return Double(String(decoding: bytes[start..<end], as: UTF8.self))
  }

  private static func digits(
    _ bytes: UnsafeBufferPointer<UInt8>, _ end: inout Int, _ mantissa: inout UInt64
  ) {
    while end < bytes.count {
      let digit = bytes[end] &- 0x30
      guard digit < 10 else { return }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      end += 1
    }
  }

  private static func hexadecimal(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int
  ) -> Double? {
    var end = position + 1
    while end < bytes.count, Character(Unicode.Scalar(bytes[end])).isHexDigit { end += 1 }
    guard
      let value = UInt64(String(decoding: bytes[(position + 1)..<end], as: UTF8.self), radix: 16)
    else { return nil }
    position = end
    return Double(value)
  }
}
