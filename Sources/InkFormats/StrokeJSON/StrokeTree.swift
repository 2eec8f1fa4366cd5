import Files
import InkCore

/// Finds the strokes in JSON of any program: bare lists of points, canvas libraries, signature and
/// smart pads, drawing libraries.
///
/// The names of members are compared without case, `_` and `-`. What a document means must be clear
/// from itself; the rules are those of docs/Data.md:
///
/// - A point is `[x, y]`, `{x, y}`, or an object whose `position` or `location` is one. More numbers
///   and members are times and pressures, see ``StrokeColumns``.
/// - A stroke is a list of points, columns `[[x…], [y…], [t…]]` or `{x: […], y: […]}`, or an object
///   whose `points`, `path`, `coordinates` or the like are a list of points, numbers x, y, x, y, …,
///   SVG path data as a text, or commands `["M", x, y], ["Q", …]`. Null in a list of points ends a
///   stroke.
/// - Strokes are a list of these, or what `strokes`, `lines`, `paths`, `objects`, `layers` and the
///   like of an object hold. Any other object is unwrapped if one of its members alone holds ink.
/// - What was erased, deleted or hidden is no ink. Transforms of drawing libraries are applied.
///
/// Lists that may be points as well as columns are decided by the others of the document. Where none
/// decides, and where several members hold ink, the document is refused.
package struct StrokeTree {
  /// The most points of a document, curves made of lines.
  static let mostPoints = 4_000_000

  private var pointCount = 0

  /// The sheet of a document.
  package struct Page {
    /// The strokes, none of them empty.
    package var strokes: [Stroke] = []
    /// The widths of their pens, 0 where the document does not state them.
    var widths: [Double] = []
    /// The text that the document gives as the label of the ink.
    var label: String?
  }

  /// Returns the pages of a document that have ink; at least one. O(document).
  ///
  /// - Throws: ``StrokeTreeError`` if there is no ink, or it can be read in several ways.
  package static func pages(of value: JSONValue) throws(StrokeTreeError) -> [Page] {
    var tree = StrokeTree()
    var raw: [(label: String?, strokes: [RawStroke])] = []
    for page in pageValues(of: value) {
      let strokes = try tree.strokes(of: page, StrokeFrame()) ?? []
      raw.append((page.member("label")?.string ?? value.member("label")?.string, strokes))
    }
    let all = raw.flatMap(\.strokes)
    let resolved = try StrokeColumns.resolve(all.map(\.shape))
    var next = 0
    var pages: [Page] = []
    for page in raw {
      var result = Page(label: page.label)
      for stroke in page.strokes {
        for points in resolved[next] where !points.isEmpty {
          result.strokes.append(stroke.frame.stroke(points))
          result.widths.append(stroke.frame.penWidth)
        }
        next += 1
      }
      if !result.strokes.isEmpty { pages.append(result) }
    }
    guard !pages.isEmpty else { throw .noInk }
    return pages
  }

  /// Returns true for the name of a member that may hold points or strokes.
  package static func mayHoldInk(_ key: String) -> Bool {
    let key = StrokeKeys.plain(key)
    return StrokeKeys.points.contains(key) || StrokeKeys.containers.contains(key)
  }

  /// Returns the parts of a document that are pages; the document itself if it has none.
  private static func pageValues(of value: JSONValue) -> [JSONValue] {
    var inner = value
    // `pages` may be wrapped.
    for _ in 0..<8 {
      guard let object = inner.object else { break }
      if let pages = inner.member("pages")?.array, !pages.isEmpty { return pages }
      let wrapped = object.values.filter { $0.object != nil }
      guard wrapped.count == 1, let only = wrapped.first else { break }
      inner = only
    }
    if let elements = value.array, elements.allSatisfy({ $0.object.map(isDocument) == true }) {
      return elements
    }
    return [value]
  }

  /// Returns true for an object that holds strokes, not one that is a stroke.
  private static func isDocument(_ object: [String: JSONValue]) -> Bool {
    object.contains { key, value in
      guard StrokeKeys.containers.contains(StrokeKeys.plain(key)), let first = value.array?.first
      else { return false }
      if let inner = first.array { return inner.contains { $0.array != nil || $0.object != nil } }
      return first.object != nil && RawPoint(first) == nil
    }
  }

  // MARK: - Values

  /// Returns the strokes of a value, or nil if it is no ink.
  private mutating func strokes(
    of value: JSONValue, _ frame: StrokeFrame
  ) throws(StrokeTreeError) -> [RawStroke]? {
    switch value {
    case .array(let elements): try strokes(of: elements, frame)
    case .object(let members): try strokes(of: StrokeMembers(members), frame)
    case .string(let text) where StrokePath.isPath(text): try path(text, frame)
    case .string, .null, .bool, .integer, .number: nil
    }
  }

  private mutating func strokes(
    of elements: [JSONValue], _ frame: StrokeFrame
  ) throws(StrokeTreeError) -> [RawStroke]? {
    if let data = StrokePath.data(ofCommands: elements) { return try path(data, frame) }
    let parts = elements.split { $0.isNull }
    if !parts.isEmpty, let grids = Self.all(parts, RawStroke.grid) {
      for grid in grids { try count(grid.count) }
      return grids.map { RawStroke(shape: .grid($0), frame: frame) }
    }
    if !parts.isEmpty, let runs = Self.all(parts, { Self.all($0, RawPoint.init) }) {
      for run in runs { try count(run.count) }
      return runs.map { RawStroke(shape: .columns(StrokeColumns(points: $0)), frame: frame) }
    }
    var found: [RawStroke]?
    for element in elements {
      guard let strokes = try strokes(of: element, frame) else { continue }
      if found == nil { found = strokes } else { found?.append(contentsOf: strokes) }
    }
    return found
  }

  private mutating func strokes(
    of members: StrokeMembers, _ outer: StrokeFrame
  ) throws(StrokeTreeError) -> [RawStroke]? {
    guard !members.isErased else { return [] }
    if let columns = StrokeColumns(members) {
      try count(columns.x.count)
      return [RawStroke(shape: .columns(columns), frame: outer.inside(members, box: nil))]
    }
    for key in StrokeKeys.points {
      guard let value = members[key], let raw = try points(value, key: key) else { continue }
      guard members.isDrawn || raw.isEmpty else { return [] }
      let box = members.hasTransform ? Self.box(of: raw) : nil
      let frame = outer.inside(members, box: box, first: raw.first)
      return raw.map { RawStroke(shape: $0.shape, frame: frame) }
    }
    let frame = outer.inside(members, box: nil)
    for keys in [StrokeKeys.containers, members.otherKeys] {
      var found: [RawStroke]?
      for key in members.keys where keys.contains(key) {
        guard let value = members[key], let strokes = try strokes(of: value, frame) else {
          continue
        }
        guard found?.isEmpty != false || strokes.isEmpty else { throw .severalMembers }
        found = found?.isEmpty == false ? found : strokes
      }
      if let found { return found }
    }
    return nil
  }

  /// Returns the strokes of a member that is meant to hold the points of a stroke.
  private mutating func points(
    _ value: JSONValue, key: String
  ) throws(StrokeTreeError) -> [RawStroke]? {
    if case .string(let text) = value {
      if StrokePath.isPath(text) { return try path(text, StrokeFrame()) }
      guard let numbers = StrokePath.numbers(text) else { return nil }
      return try flat(numbers)
    }
    if let elements = value.array, !elements.isEmpty, let numbers = Self.all(elements, \.coordinate)
    {
      return try flat(numbers)
    }
    return try strokes(of: value, StrokeFrame())
  }

  /// Returns the stroke of numbers x, y, x, y, …
  private mutating func flat(_ numbers: [Double]) throws(StrokeTreeError) -> [RawStroke]? {
    guard numbers.count >= 2, numbers.count.isMultiple(of: 2) else { return nil }
    try count(numbers.count / 2)
    return [RawStroke(shape: .columns(StrokeColumns(flat: numbers)), frame: StrokeFrame())]
  }

  private mutating func path(
    _ text: String, _ frame: StrokeFrame
  ) throws(StrokeTreeError) -> [RawStroke] {
    let runs = try StrokePath.runs(text, mostPoints: Self.mostPoints - pointCount)
    for run in runs { try count(run.count) }
    return runs.map { run in
      RawStroke(
        shape: .columns(StrokeColumns(x: run.map(\.x), y: run.map(\.y))), frame: frame)
    }
  }

  private mutating func count(_ points: Int) throws(StrokeTreeError) {
    pointCount += points
    guard pointCount <= Self.mostPoints else { throw .tooMany(Self.mostPoints) }
  }

  /// Maps all elements, or returns nil if one cannot be mapped.
  static func all<Element, Value>(
    _ elements: some Sequence<Element>, _ map: (Element) -> Value?
  ) -> [Value]? {
    var values: [Value] = []
    for element in elements {
      guard let value = map(element) else { return nil }
      values.append(value)
    }
    return values
  }

  private static func box(of strokes: [RawStroke]) -> BoundingBox? {
    let points = strokes.flatMap { stroke -> [StrokePoint] in
      switch stroke.shape {
      case .columns(let columns): zip(columns.x, columns.y).map { StrokePoint(x: $0, y: $1) }
      case .grid(let rows): rows.compactMap { $0.count < 2 ? nil : StrokePoint(x: $0[0], y: $0[1]) }
      }
    }
    return Ink(strokes: [Stroke(points: points)]).boundingBox
  }
}

/// The reason why JSON gives no strokes. It names forms and counts, never ink.
package struct StrokeTreeError: Error, Hashable, Sendable {
  /// The requirement.
  package let expected: String
  /// The content found.
  package let found: String
  /// True if there are more points than are read.
  package let isTooLarge: Bool

  /// The forms that are known.
  static let forms =
    "strokes as lists of points [x, y] or {x, y}, as columns [[x…], [y…], [t…]] or "
    + "{x: […], y: […]}, or as objects with points, path or strokes"

  init(expected: String = Self.forms, found: String, isTooLarge: Bool = false) {
    self.expected = expected
    self.found = found
    self.isTooLarge = isTooLarge
  }

  static let noInk = StrokeTreeError(found: "none of these")
  static let severalMembers = StrokeTreeError(
    expected: "one member that holds the strokes", found: "several")
  static let rowsOrColumns = StrokeTreeError(
    found: "lists that may be points as well as columns; write points as {x, y}")
  static let path = StrokeTreeError(expected: "SVG path data", found: "something else")

  static func tooMany(_ most: Int) -> StrokeTreeError {
    StrokeTreeError(expected: "at most \(most) points", found: "more", isTooLarge: true)
  }
}

extension JSONValue {
  /// Returns a member of an object whatever the case of its name.
  func member(_ key: String) -> JSONValue? {
    object?.first { StrokeKeys.plain($0.key) == key }?.value
  }

  fileprivate var isNull: Bool { if case .null = self { true } else { false } }

  /// The value of a number, which may be written as a text.
  var coordinate: Double? { double ?? string.flatMap { Double($0) } }
}
