/// The channels of the points of an InkML trace, in their order.
struct InkMLFormat: Hashable {
  /// The names of the channels.
  private(set) var channels: [String] = []
  /// What times are multiplied by to be milliseconds; nil where nobody knows how long their unit is.
  private(set) var timeScale: Double? = 1

  /// That of a file which says nothing.
  static let plain = InkMLFormat(channels: ["X", "Y"])

  /// Adds a channel.
  ///
  /// - Parameter units: As the file says; only those of times count.
  /// - Returns: Whether the units of a time are known.
  mutating func add(_ name: String, units: String?) -> Bool {
    channels.append(name)
    guard name == "T" else { return true }
    switch units {
    case nil, "ms": timeScale = 1
    case "s": timeScale = 1000
    case "us", "\u{B5}s", "\u{3BC}s": timeScale = 0.001
    // Those of the device: as long as only it knows.
    case "dev": timeScale = nil
    default: return false
    }
    return true
  }
}

/// The channels of the traces of an InkML file.
///
/// Formats stand in `traceFormat`, by themselves or in an `inkSource` or a `context`; traces and their
/// groups name contexts. What they name must stand before them.
struct InkMLFormats {
  /// Whether what is read now is defined for later use only.
  private(set) var isDefining = false

  /// What is read now: its ids, and its format as far as it has one.
  private struct Item {
    var ids: [String]
    var format: InkMLFormat?
  }

  private var open: InkMLFormat?
  private var openIDs: [String] = []
  private var source: Item?
  private var context: Item?
  /// Of formats, sources and contexts by their ids; nil for those that say nothing of channels.
  private var named: [String: InkMLFormat?] = [:]
  private var all: Set<InkMLFormat> = []
  /// That of the last context that was not for later use.
  private var current: InkMLFormat?

  /// Handles a tag that may belong to a format.
  mutating func take(
    _ name: Substring, _ tag: XMLScanner.Tag, from scanner: XMLScanner
  ) throws(InkFormatError) {
    switch (name, tag.kind) {
    case ("definitions", .start): isDefining = true
    case ("definitions", .end): isDefining = false
    case ("context", .start), ("context", .empty):
      var item = Item(ids: Self.ids(of: tag))
      for key in ["contextRef", "inkSourceRef", "traceFormatRef"] {
        guard let reference = tag[key] else { continue }
        if let format = try format(named: reference, scanner) { item.format = format }
      }
      context = item
      if tag.kind == .empty { closeContext() }
    case ("context", .end): closeContext()
    case ("inkSource", .start): source = Item(ids: Self.ids(of: tag))
    case ("inkSource", .end):
      for id in source?.ids ?? [] { named.updateValue(source?.format, forKey: id) }
      source = nil
    case ("traceFormat", .start):
      open = InkMLFormat()
      openIDs = Self.ids(of: tag)
    case ("traceFormat", .empty):
      openIDs = Self.ids(of: tag)
      closeFormat(.plain)
    case ("traceFormat", .end): if let open { closeFormat(open) }
    case ("channel", .start), ("channel", .empty):
      guard let name = tag["name"], open?.add(name, units: tag["units"]) == false else { return }
      throw scanner.error(
        .unsupported, expected: "times in s, ms, us or dev", found: "other units")
    default: break
    }
  }

  private mutating func closeFormat(_ format: InkMLFormat) {
    open = nil
    all.insert(format)
    for id in openIDs { named.updateValue(format, forKey: id) }
    if source != nil { source?.format = format }
    if context != nil { context?.format = format }
    if source == nil, context == nil, !isDefining { current = format }
  }

  private mutating func closeContext() {
    for id in context?.ids ?? [] { named.updateValue(context?.format, forKey: id) }
    if !isDefining, let format = context?.format { current = format }
    context = nil
  }

  /// The ids of an element, without `#`.
  static func ids(of tag: XMLScanner.Tag) -> [String] { ["xml:id", "id"].compactMap { tag[$0] } }

  /// The format that a trace or a group names; nil where it names none.
  func format(
    of tag: XMLScanner.Tag, _ scanner: XMLScanner
  ) throws(InkFormatError) -> InkMLFormat? {
    guard let reference = tag["contextRef"] else { return nil }
    return try format(named: reference, scanner)
  }

  /// The format of traces that name none, nor do their groups.
  func unnamed(_ scanner: XMLScanner) throws(InkFormatError) -> InkMLFormat {
    if let current { return current }
    guard all.count <= 1 else {
      throw scanner.error(
        .missingKey, expected: "the context of each trace, where there are several trace formats",
        found: "a trace without one")
    }
    return all.first ?? .plain
  }

  private func format(
    named reference: String, _ scanner: XMLScanner
  ) throws(InkFormatError) -> InkMLFormat? {
    let id = reference.hasPrefix("#") ? String(reference.dropFirst()) : reference
    if let known = named[id] { return known }
    if id == "DefaultContext" { return .plain }
    throw scanner.error(
      .rangeOutOfBounds, expected: "contexts and trace formats that stand before their use",
      found: "the name of another")
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
