import InkCore

/// Reads SVG drawings as ink: stroked paths, polylines and polygons, without labels.
///
/// A file is one record; with a unit, each group (a `g` element that directly contains strokes) or
/// stroke is one. Each part of a path is a stroke; curves become short lines. Transforms of the
/// elements and of their groups are applied. Outlines of pens, which are filled and have a class that
/// names a pen or ink or a time of writing, become their middle lines with the width as force. Basic
/// shapes, text, hidden elements, definitions, ruled lines (class `ruleline`), and other outlines that
/// are filled but not stroked are not ink. Groups with `data-label`, which
/// ``InkFileWriter`` writes, are records with that label. A bad file yields a failure, and reading
/// continues.
enum SVGReader {
  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    try DrawnFile(xml: input) { (scanner) throws(InkFormatError) in
      var drawing = SVGDrawing()
      while let tag = try scanner.nextTag() { try drawing.take(tag, scanner) }
      return DrawnFile(pages: [drawing.page])
    }
  }
}

/// Builds strokes from the tags of an SVG file.
private struct SVGDrawing {
  /// The properties that elements inside an element inherit.
  private struct State {
    var matrix = AffineMatrix()
    var stroke: String?
    var fill: String?
    var isHidden = false
    /// The index of the group of strokes.
    var group: Int?
    var isClassed = false
    /// True for what a class says to be written with a pen.
    var isWritten = false
  }

  private static let undrawn: Set<Substring> = [
    "defs", "clipPath", "mask", "pattern", "marker", "symbol", "metadata", "foreignObject",
  ]

  /// The most points of a drawing: a few bytes of path data are a curve of many points.
  private static let mostPoints = 4_000_000

  private(set) var page = DrawnFile.Page()
  private var pointCount = 0
  private var states = [State()]

  mutating func take(_ tag: XMLScanner.Tag, _ scanner: XMLScanner) throws(InkFormatError) {
    guard tag.kind != .end else {
      if states.count > 1 { states.removeLast() }
      return
    }
    let name = tag.name.split(separator: ":").last ?? ""
    var state = try self.state(of: tag, name, scanner)
    if name == "g" {
      state.group = page.groups.count
      page.groups.append(
        DrawnFile.Group(id: tag["id"], label: tag["data-label"], writer: tag["data-writer"]))
    } else if name == "svg", page.label == nil {
      page.label = tag["data-label"]
    }
    if tag.kind == .start { states.append(state) }
    guard !state.isHidden else { return }
    if name == "path", isOutline(state) { return try addOutline(tag, state, scanner) }
    guard isInk(state, tag) else { return }
    switch name {
    case "path": try addPath(tag, state, scanner)
    case "polyline": try addLine(tag, state, isClosed: false, scanner)
    case "polygon": try addLine(tag, state, isClosed: true, scanner)
    default: return
    }
  }

  private func state(
    of tag: XMLScanner.Tag, _ name: Substring, _ scanner: XMLScanner
  ) throws(InkFormatError) -> State {
    var state = states.last ?? State()
    let style = Self.style(tag["style"] ?? "")
    state.stroke = style["stroke"] ?? tag["stroke"] ?? state.stroke
    state.fill = style["fill"] ?? tag["fill"] ?? state.fill
    let classes = tag["class"]?.lowercased() ?? ""
    if tag["class"] != nil { state.isClassed = true }
    if tag["__timestamp"] != nil || ["pen", "ink", "write-"].contains(where: classes.contains) {
      state.isWritten = true
    }
    let isHidden =
      classes.contains("ruleline") || Self.undrawn.contains(name)
      || (style["display"] ?? tag["display"]) == "none"
      || (style["visibility"] ?? tag["visibility"]) == "hidden"
    if isHidden { state.isHidden = true }
    if let text = tag["transform"] {
      guard let matrix = AffineMatrix(parsing: text) else {
        throw scanner.error(
          .malformed, expected: "a transform such as translate(10 20)", found: "another text")
      }
      state.matrix = state.matrix * matrix
    }
    return state
  }

  /// Returns the declarations of a `style` attribute.
  private static func style(_ text: String) -> [String: String] {
    var result: [String: String] = [:]
    for declaration in text.split(separator: ";") {
      let pair = declaration.split(separator: ":", maxSplits: 1)
      guard pair.count == 2 else { continue }
      let words = pair.map { $0.filter { !$0.isWhitespace } }
      result[words[0]] = words[1]
    }
    return result
  }

  /// Returns true if an element is drawn with a pen. Style sheets are not read, so an element with
  /// a class counts as stroked.
  private func isInk(_ state: State, _ tag: XMLScanner.Tag) -> Bool {
    if let stroke = state.stroke { return stroke != "none" && stroke != "transparent" }
    return state.isClassed || state.fill == nil || state.fill == "none"
  }

  /// Returns true if an element may be the filled outline of a pen's stroke.
  private func isOutline(_ state: State) -> Bool {
    guard state.isWritten, let fill = state.fill, fill != "none" else { return false }
    return state.stroke.map { $0 == "none" || $0 == "transparent" } ?? true
  }

  private mutating func add(
    _ run: [(x: Double, y: Double)], _ state: State, _ scanner: XMLScanner,
    forces: [Double] = []
  ) throws(InkFormatError) {
    pointCount += run.count
    guard pointCount <= Self.mostPoints else { throw tooManyPoints(scanner) }
    let place: Int
    if let group = state.group {
      place = group
    } else if let last = page.groups.indices.last, page.groups[last].id == nil,
      page.groups[last].label == nil, states.allSatisfy({ $0.group == nil })
    {
      place = last
    } else {
      place = page.groups.count
      page.groups.append(DrawnFile.Group())
    }
    let points = run.enumerated().map { index, place in
      let point = state.matrix.apply(place.x, place.y)
      return StrokePoint(
        x: point.0, y: point.1, force: index < forces.count ? forces[index] : nil)
    }
    page.add(Stroke(points: points), to: place)
  }

  private func tooManyPoints(_ scanner: XMLScanner) -> InkFormatError {
    scanner.error(
      .tooLarge, expected: "a drawing of at most \(Self.mostPoints) points, curves made of lines",
      found: "more")
  }

  private mutating func addPath(
    _ tag: XMLScanner.Tag, _ state: State, _ scanner: XMLScanner
  ) throws(InkFormatError) {
    for run in try runs(tag, scanner) { try add(run, state, scanner) }
  }

  /// Adds the middle lines of outlines. Such a path is one stroke.
  private mutating func addOutline(
    _ tag: XMLScanner.Tag, _ state: State, _ scanner: XMLScanner
  ) throws(InkFormatError) {
    for run in try runs(tag, scanner) {
      guard let line = PenOutline.line(of: run) else { continue }
      let sorted = line.widths.sorted()
      let middle = sorted[sorted.count / 2]
      // Equal widths are no force.
      let varies = middle > 0 && sorted[sorted.count - 1] > 1.2 * middle
      try add(
        line.points, state, scanner, forces: varies ? line.widths.map { $0 / middle } : [])
    }
  }

  private func runs(
    _ tag: XMLScanner.Tag, _ scanner: XMLScanner
  ) throws(InkFormatError) -> [[(x: Double, y: Double)]] {
    guard let data = tag["d"] else { return [] }
    let bytes = Array(data.utf8)
    let path = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(SVGPath.Fault) in
        try SVGPath(parsing: bytes, mostPoints: Self.mostPoints)
      }
    }
    switch path {
    case .success(let path): return path.runs
    case .failure(let fault):
      guard !fault.isTooLong else { throw tooManyPoints(scanner) }
      throw scanner.error(
        .malformed, expected: "path data", found: "another character, byte \(fault.position) of it")
    }
  }

  private mutating func addLine(
    _ tag: XMLScanner.Tag, _ state: State, isClosed: Bool, _ scanner: XMLScanner
  ) throws(InkFormatError) {
    let bytes = Array((tag["points"] ?? "").utf8)
    let numbers: [Double]? = bytes.withUnsafeBufferPointer { bytes in
      var numbers = SVGNumbers(bytes)
      return try? numbers.numbers()
    }
    guard let numbers, numbers.count.isMultiple(of: 2) else {
      throw scanner.error(
        .malformed, expected: "pairs of numbers in the attribute points", found: "something else")
    }
    var run = stride(from: 0, to: numbers.count, by: 2).map {
      (x: numbers[$0], y: numbers[$0 + 1])
    }
    if isClosed, let first = run.first { run.append(first) }
    if !run.isEmpty { try add(run, state, scanner) }
  }
}
