/// Decodes the points of one trace: plain numbers, and differences of first and second order.
struct InkMLTraceDecoder {
  private enum Order {
    case value, first, second
  }

  private var orders: [Order]
  private var values: [Double]
  private var speeds: [Double]

  init(channels: Int) {
    orders = Array(repeating: .value, count: channels)
    values = Array(repeating: 0, count: channels)
    speeds = values
  }

  /// The values of all channels at a point; nil where it is no point. Channels at its end may be
  /// missing; `*` repeats the value before, `?` is not known and is NaN.
  mutating func decode(_ point: Substring) -> [Double]? {
    var channel = 0
    var rest = point[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      guard channel < values.count else { return nil }
      switch first {
      case "!": orders[channel] = .value
      case "'": orders[channel] = .first
      case "\"": orders[channel] = .second
      default:
        guard take(&rest, channel) else { return nil }
        channel += 1
        continue
      }
      rest.removeFirst()
    }
    return Array(values.prefix(channel))
  }

  /// Takes one number off the front.
  private mutating func take(_ rest: inout Substring, _ channel: Int) -> Bool {
    switch rest.first {
    case "*":
      rest.removeFirst()
      if orders[channel] != .value { values[channel] += speeds[channel] }
      return true
    case "?", "T", "F":
      rest.removeFirst()
      values[channel] = .nan
      return true
    default: break
    }
    var end = rest.startIndex
    if rest[end] == "-" || rest[end] == "+" { end = rest.index(after: end) }
    while end < rest.endIndex, Self.isPart(rest, end) { end = rest.index(after: end) }
    guard let number = Double(rest[..<end]) else { return false }
    rest = rest[end...]
    switch orders[channel] {
    case .value: values[channel] = number
    case .first:
      speeds[channel] = number
      values[channel] += number
    case .second:
      speeds[channel] += number
      values[channel] += speeds[channel]
    }
    return true
  }

  /// Whether a character belongs to the number before it: digits, a point, an exponent and its
  /// sign.
  private static func isPart(_ text: Substring, _ index: Substring.Index) -> Bool {
    let character = text[index]
    if character.isASCII, character.isNumber || character == "." { return true }
    if character == "e" || character == "E" { return true }
    guard character == "-" || character == "+", index > text.startIndex else { return false }
    let before = text[text.index(before: index)]
    return before == "e" || before == "E"
  }
}
