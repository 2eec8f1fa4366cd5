/// The channels of the points of an InkML trace, in their order, and the units of their values.
struct InkMLFormat: Hashable {
  /// A channel that is read.
  struct Channel: Hashable {
    /// The index among the values of a point.
    var place: Int
    /// The factor of the values.
    var scale = 1.0
    /// The length of a unit in metres, if it is known; for X and Y.
    var metres: Double?
  }

  /// The number of channels.
  private(set) var count = 0
  /// The channels X, Y, milliseconds, force, and azimuth, altitude and roll in radians, as far as
  /// they exist.
  private(set) var x, y, time, force, azimuth, altitude, roll: Channel?

  /// The format of a file that states none.
  static let plain: InkMLFormat = {
    var format = InkMLFormat()
    format.add("X")
    format.add("Y")
    return format
  }()

  /// Adds a channel.
  ///
  /// - Parameters:
  ///   - units: The units in the file. Times in units that only the device knows are left out.
  ///   - isReversed: true if the channel runs against its usual direction.
  mutating func add(_ name: String, units: String? = nil, isReversed: Bool = false) {
    var channel = Channel(place: count, scale: isReversed ? -1 : 1)
    count += 1
    switch name {
    case "X":
      channel.metres = units.flatMap(Self.metres)
      x = channel
    case "Y":
      channel.metres = units.flatMap(Self.metres)
      y = channel
    case "T":
      guard let scale = Self.milliseconds(units) else { return }
      channel.scale = scale
      time = channel
    case "F", "P": force = channel
    case "OA", "OE", "OR":
      guard let scale = Self.radians(units) else { return }
      channel.scale *= scale
      switch name {
      case "OA": azimuth = channel
      case "OE": altitude = channel
      default: roll = channel
      }
    default: break
    }
  }

  /// Sets the resolution of a channel of the pen, units per length: `1000`, `1/cm`.
  mutating func add(resolution: Double, per units: String?, of name: String) {
    guard resolution.isFinite, resolution > 0, let units, units.hasPrefix("1/"),
      let length = Self.metres(String(units.dropFirst(2)))
    else { return }
    switch name {
    case "X": x?.metres = length / resolution
    case "Y": y?.metres = length / resolution
    default: break
    }
  }

  /// The factor that converts Y to the units of X and to growing downward.
  var yScale: Double {
    guard let x, let y else { return 1 }
    guard let unit = x.metres, let other = y.metres, unit != other else { return y.scale }
    return y.scale * other / unit
  }

  /// Returns the width of a brush in the unit of X; nil if it is not known.
  func width(of brush: InkMLBrush) -> Double? {
    guard let width = brush.width, let units = brush.units else { return brush.width }
    guard let length = Self.metres(units), let unit = x?.metres else { return nil }
    return width * length / unit
  }

  /// Returns the length of a unit; nil for an unknown unit.
  private static func metres(_ units: String) -> Double? {
    switch units {
    case "m": 1
    case "cm": 0.01
    case "mm": 0.001
    case "um", "\u{B5}m", "\u{3BC}m": 1e-6
    case "in": 0.0254
    case "pt": 0.0254 / 72
    case "pc": 0.0254 / 6
    case "himetric": 1e-5
    default: nil
    }
  }

  private static func milliseconds(_ units: String?) -> Double? {
    switch units {
    case nil, "", "ms": 1
    case "s": 1000
    case "us", "\u{B5}s", "\u{3BC}s": 0.001
    case "ns": 1e-6
    default: nil
    }
  }

  private static func radians(_ units: String?) -> Double? {
    switch units {
    case "rad": 1
    case nil, "", "deg": Double.pi / 180
    default: nil
    }
  }
}

/// The look of a brush, as far as the file states it.
struct InkMLBrush {
  /// The width; without units it is in those of the traces.
  var width: Double?
  var units: String?
  /// The colour as `#RRGGBB`.
  var color: String?
  /// The part of light that comes through, 0 … 1.
  var transparency = 0.0
  /// True if the colours below show through: the highlighter of OneNote and Word.
  var isMask = false
  /// True if the tip is a rectangle.
  var isFlat = false

  /// A flat brush that one sees through is a highlighter, too.
  var isHighlighter: Bool { isMask || isFlat && transparency >= Self.seenThrough }
  /// Highlighters of other programs let half of the light through.
  private static let seenThrough = 0.4

  /// The colour as `#RRGGBB` or `#RRGGBBAA`.
  var look: String? {
    guard let color, transparency > 0 else { return color }
    let alpha = String(Int(((1 - transparency) * 255).rounded()), radix: 16, uppercase: true)
    return color + (alpha.count < 2 ? "0" + alpha : alpha)
  }

  /// Takes a property; others than those of a look are left out.
  ///
  /// - Returns: True if the property is one of a look.
  mutating func take(_ name: String, _ value: String, units: String?) -> Bool {
    switch name {
    case "width":
      guard let number = XMLScanner.double(value), number.isFinite, number > 0 else { return false }
      (width, self.units) = (number, units)
    case "color":
      let digits = value.dropFirst()
      guard value.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit) else {
        return false
      }
      color = "#" + digits.uppercased()
    case "transparency":
      // A part, or 0 to 255 as in ISF.
      guard let number = XMLScanner.double(value), number >= 0, number <= 255 else { return false }
      transparency = number > 1 ? number / 255 : number
    case "rasterOp": isMask = value == "maskPen"
    case "tip": isFlat = value == "rectangle"
    default: return false
    }
    return true
  }
}

/// The channels and brushes of the traces of an InkML file.
///
/// Formats are `traceFormat` elements, alone or in an `inkSource` or a `context`; traces and their
/// groups name contexts. A name may come before the element that it refers to, so names are looked
/// up at the end.
struct InkMLFormats {
  /// The longest chain of contexts that refer to others.
  private static let deepest = 16

  /// A format, source, context or brush: its own format, and the names of others, of which the last
  /// is used.
  private struct Item {
    var ids: [String]
    var format: InkMLFormat?
    var references: [String] = []
    var brush: InkMLBrush?
    var brushReference: String?
    /// The indices of the items inside.
    var inner: [Int] = []
  }

  /// True inside definitions, which are for later use only.
  private(set) var isDefining = false
  private var items: [Item] = []
  /// The indices of items by their ids.
  private var named: [String: Int] = [:]
  /// The items that are open.
  private var openFormat, openSource, openContext, openBrush: Int?
  private var all: Set<InkMLFormat> = []
  /// The formats of items that were looked up: items that name several others multiply.
  private var found: [Int: InkMLFormat?] = [:]
  private var foundBrushes: [Int: InkMLBrush?] = [:]
  /// The last context or format that was not for later use.
  private(set) var current: Int?

  /// True inside a format, a source, a context or a brush.
  var isOpen: Bool {
    openFormat != nil || openSource != nil || openContext != nil || openBrush != nil
  }

  /// Handles a tag that may belong to a format.
  mutating func take(
    _ name: Substring, _ tag: XMLScanner.Tag, from scanner: XMLScanner
  ) {
    switch (name, tag.kind) {
    case ("definitions", .start): isDefining = true
    case ("definitions", .end): isDefining = false
    case ("context", .start), ("context", .empty):
      openContext = open(
        tag, references: ["contextRef", "inkSourceRef", "traceFormatRef"])
      if tag.kind == .empty { closeContext() }
    case ("context", .end): closeContext()
    case ("inkSource", .start), ("inkSource", .empty):
      openSource = open(tag, references: ["traceFormatRef"])
      if let openContext, let openSource { items[openContext].inner.append(openSource) }
      if tag.kind == .empty { openSource = nil }
    case ("inkSource", .end): openSource = nil
    case ("traceFormat", .start), ("traceFormat", .empty):
      let place = open(tag, references: [])
      items[place].format = tag.kind == .empty ? .plain : InkMLFormat()
      if let outer = openSource ?? openContext { items[outer].inner.append(place) }
      openFormat = place
      if tag.kind == .empty { closeFormat() }
    case ("traceFormat", .end): closeFormat()
    case ("brush", .start), ("brush", .empty):
      let place = open(tag, references: [])
      if let openContext { items[openContext].inner.append(place) }
      openBrush = tag.kind == .empty ? nil : place
    case ("brush", .end): openBrush = nil
    case ("brushProperty", .start), ("brushProperty", .empty):
      guard let openBrush, let name = tag["name"], let value = tag["value"] else { return }
      var brush = items[openBrush].brush ?? InkMLBrush()
      if brush.take(name, value, units: tag["units"]) { items[openBrush].brush = brush }
    case ("channel", .start), ("channel", .empty):
      guard let openFormat, let name = tag["name"] else { return }
      items[openFormat].format?.add(
        name, units: tag["units"], isReversed: tag["orientation"] == "-ve")
    case ("channelProperty", .start), ("channelProperty", .empty):
      guard tag["name"] == "resolution", let openSource, let channel = tag["channel"],
        let value = tag["value"].flatMap(XMLScanner.double)
      else { return }
      for place in items[openSource].inner {
        items[place].format?.add(resolution: value, per: tag["units"], of: channel)
      }
    default: break
    }
  }

  private mutating func open(_ tag: XMLScanner.Tag, references: [String]) -> Int {
    let item = Item(
      ids: Self.ids(of: tag), references: references.compactMap { tag[$0] },
      brushReference: tag["brushRef"])
    for id in item.ids { named[id] = items.count }
    items.append(item)
    return items.count - 1
  }

  private mutating func closeContext() {
    if !isDefining, let openContext { current = openContext }
    openContext = nil
  }

  private mutating func closeFormat() {
    guard let place = openFormat else { return }
    openFormat = nil
    if let format = items[place].format { all.insert(format) }
    if openSource == nil, openContext == nil, !isDefining { current = place }
  }

  /// Returns the ids of an element, without `#`.
  static func ids(of tag: XMLScanner.Tag) -> [String] { ["xml:id", "id"].compactMap { tag[$0] } }

  /// Returns the format of an item, its own or one that it names, or nil.
  ///
  /// - Throws: For a name of nothing.
  private mutating func format(
    at place: Int, depth: Int, _ missing: () -> InkFormatError
  ) throws(InkFormatError) -> InkMLFormat? {
    if let format = items[place].format { return format }
    if let known = found[place] { return known }
    guard depth < Self.deepest else { return nil }
    let format = try named(by: items[place], depth: depth, missing)
    found[place] = .some(format)
    return format
  }

  /// The format of what an item holds or names.
  private mutating func named(
    by item: Item, depth: Int, _ missing: () -> InkFormatError
  ) throws(InkFormatError) -> InkMLFormat? {
    for inner in item.inner.reversed() {
      if let format = try format(at: inner, depth: depth + 1, missing) { return format }
    }
    for reference in item.references.reversed() {
      if let format = try format(named: reference, depth: depth + 1, missing) { return format }
    }
    return nil
  }

  /// The format of a context by its name; nil for one that says nothing of channels.
  mutating func format(
    named reference: String, depth: Int = 0, _ missing: () -> InkFormatError
  ) throws(InkFormatError) -> InkMLFormat? {
    let id = InkMLDocument.bare(reference)
    if let place = named[id] { return try format(at: place, depth: depth, missing) }
    if id == "DefaultContext" { return .plain }
    throw missing()
  }

  /// Returns the format of traces without a context, of their own or of their groups.
  ///
  /// - Parameter place: ``current`` where the trace stands.
  mutating func unnamed(
    _ place: Int?, _ missing: () -> InkFormatError
  ) throws(InkFormatError) -> InkMLFormat? {
    if let place, let format = try format(at: place, depth: 0, missing) { return format }
    return all.count <= 1 ? all.first ?? .plain : nil
  }

  /// Returns the brush of a context or a brush by its name; nil if there is none: the ink can be
  /// read without it.
  mutating func brush(named reference: String) -> InkMLBrush? {
    named[InkMLDocument.bare(reference)].flatMap { brush(at: $0) }
  }

  /// Returns the brush of an item: its own, or one that it contains or names.
  mutating func brush(at place: Int, depth: Int = 0) -> InkMLBrush? {
    let item = items[place]
    if let brush = item.brush { return brush }
    if let known = foundBrushes[place] { return known }
    guard depth < Self.deepest else { return nil }
    let names = [item.brushReference].compactMap { $0 } + item.references.reversed()
    var brush: InkMLBrush?
    for next in item.inner.reversed() + names.compactMap({ named[InkMLDocument.bare($0)] }) {
      brush = self.brush(at: next, depth: depth + 1)
      if brush != nil { break }
    }
    foundBrushes[place] = .some(brush)
    return brush
  }
}
