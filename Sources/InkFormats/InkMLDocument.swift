import InkCore

/// Builds labelled inks of the tags of an InkML file.
struct InkMLDocument {
  /// A group of traces that is open, or was labelled.
  private struct Group {
    var label: String?
    var traces: [Int] = []
  }

  private let sign: Double
  private var channels = ["X", "Y"]
  private var hasFormat = false
  private var traces: [Stroke] = []
  /// The places of traces by their ids, with and without a leading `#`.
  private var places: [String: Int] = [:]
  private var open: [Group] = []
  private var groups: [Group] = []
  private var truth: String?
  private var writer: String?
  /// Traces that views named before they were read are an error; this keeps the first.
  private var isMissingTrace = false

  init(sign: Double) { self.sign = sign }

  mutating func take(
    _ tag: XMLScanner.Tag, from scanner: inout XMLScanner
  ) throws(InkFormatError) {
    switch (tag.name, tag.kind) {
    case ("traceFormat", .start):
      if !hasFormat { channels = [] }
      hasFormat = true
    case ("channel", .start), ("channel", .empty):
      if let name = tag["name"] { channels.append(name) }
    case ("trace", .start): try addTrace(tag, &scanner)
    case ("traceView", .start), ("traceView", .empty):
      guard !open.isEmpty, let reference = tag["traceDataRef"] else { return }
      guard let place = places[reference] else {
        isMissingTrace = true
        return
      }
      open[open.count - 1].traces.append(place)
    case ("traceGroup", .start): open.append(Group())
    case ("traceGroup", .end):
      guard let group = open.popLast(), group.label != nil, !group.traces.isEmpty else { return }
      groups.append(group)
    case ("annotation", .start): annotate(tag["type"] ?? "", try scanner.content())
    default: break
    }
  }

  private mutating func annotate(_ type: String, _ text: String) {
    let value = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    var label = String(value)
    if label.count >= 2, label.first == "\"", label.last == "\"" {
      label = String(label.dropFirst().dropLast())
    }
    switch type {
    case "truth" where open.isEmpty: truth = label
    case "truth": open[open.count - 1].label = label
    case "writer": writer = label
    default: break
    }
  }

  private mutating func addTrace(
    _ tag: XMLScanner.Tag, _ scanner: inout XMLScanner
  ) throws(InkFormatError) {
    guard let x = channels.firstIndex(of: "X"), let y = channels.firstIndex(of: "Y") else {
      throw scanner.error(.missingKey, expected: "the channels X and Y", found: "others")
    }
    let time = channels.firstIndex(of: "T")
    let force = channels.firstIndex(of: "F")
    var decoder = InkMLTraceDecoder(channels: channels.count)
    var points: [StrokePoint] = []
    for point in try scanner.content().split(separator: ",") {
      guard point.contains(where: { !$0.isWhitespace }) else { continue }
      guard let values = decoder.decode(point), values.count > max(x, y) else {
        throw scanner.error(
          .malformed, expected: "\(channels.count) numbers in each point of a trace",
          found: "another point")
      }
      guard values[x].isFinite, values[y].isFinite else {
        throw scanner.error(
          .nonFiniteNumber, expected: "finite coordinates", found: "NaN or infinity")
      }
      points.append(
        StrokePoint(
          x: values[x], y: sign * values[y], t: Self.value(time, values),
          force: Self.value(force, values)))
    }
    guard !points.isEmpty else { return }
    for key in ["xml:id", "id"] {
      if let id = tag[key] {
        places[id] = traces.count
        places["#" + id] = traces.count
      }
    }
    if !open.isEmpty { open[open.count - 1].traces.append(traces.count) }
    traces.append(Stroke(points: points))
  }

  private static func value(_ place: Int?, _ values: [Double]) -> Double? {
    guard let place, place < values.count, values[place].isFinite else { return nil }
    return values[place]
  }

  func inks(from scanner: XMLScanner) throws(InkFormatError) -> [LabeledInk] {
    guard !isMissingTrace else {
      throw scanner.error(
        .rangeOutOfBounds, expected: "views of traces that stand before them",
        found: "a view of another trace")
    }
    guard !traces.isEmpty else {
      throw scanner.error(.emptyInk, expected: "at least one trace with points", found: "none")
    }
    guard groups.isEmpty else {
      return groups.map { group in
        LabeledInk(
          ink: Ink(strokes: group.traces.map { traces[$0] }), label: group.label ?? "",
          writer: writer)
      }
    }
    guard let truth else {
      throw scanner.error(
        .missingKey, expected: "an annotation of type truth", found: "a file without one")
    }
    return [LabeledInk(ink: Ink(strokes: traces), label: truth, writer: writer)]
  }
}

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
