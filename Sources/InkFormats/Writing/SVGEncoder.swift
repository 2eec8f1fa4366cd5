import InkCore

/// Writes one SVG drawing: a group for each ink, with its label and writer as `data-label` and
/// `data-writer`. Each ink is below the previous one.
///
/// Memory grows with the drawing, because the size is at the start of the file.
struct SVGEncoder: InkEncoder {
  /// The width of a pen that is not known, as a share of the height of the writing: half a
  /// millimetre for letters of about a centimetre.
  private static let lineWidth = 0.05
  /// The space between two inks, as a share of the height of the upper one.
  private static let room = 0.5

  private var body: [UInt8] = []
  private var box: BoundingBox?
  private var bottom: Double?

  mutating func begin(_ bytes: inout [UInt8]) {}

  mutating func append(
    _ labeled: LabeledInk, penWidth: Double?, to bytes: inout [UInt8]
  ) -> Set<InkLoss> {
    var losses: Set<InkLoss> = []
    let strokes = labeled.ink.strokes.filter { !$0.points.isEmpty }
    if strokes.count < labeled.ink.strokes.count { losses.insert(.emptyStrokes) }
    let points = strokes.lazy.flatMap(\.points)
    if points.contains(where: { $0.t != nil }) { losses.insert(.times) }
    if points.contains(where: { $0.force != nil }) { losses.insert(.force) }
    if points.contains(where: \.hasAngles) { losses.insert(.tilt) }
    if labeled.writingArea != nil { losses.insert(.writingArea) }
    if labeled.kinds != nil { losses.insert(.kinds) }
    if labeled.quality != nil { losses.insert(.quality) }

    guard let own = labeled.ink.boundingBox else { return losses }
    let size = min(max(own.height, own.width / 4, 1), .greatestFiniteMagnitude)
    body.append(text: #"<g stroke-width=""#)
    body.append(number: penWidth ?? Self.writingHeight(strokes) * Self.lineWidth)
    body.append(UInt8(ascii: "\""))
    // Where the numbers end, an ink stays in its place.
    if let bottom, case let shift = bottom - own.minY, (own.maxY + shift).isFinite {
      losses.insert(.place)
      body.append(text: #" transform="translate(0 "#)
      body.append(number: shift)
      body.append(text: ")\"")
      grow(BoundingBox(minX: own.minX, minY: bottom, maxX: own.maxX, maxY: own.maxY + shift))
      self.bottom = own.maxY + shift + size * Self.room
    } else {
      grow(own)
      bottom = own.maxY + size * Self.room
    }
    body.append(text: #" data-label=""#)
    if !body.append(xml: labeled.label) { losses.insert(.characters) }
    if let writer = labeled.writer {
      body.append(text: #"" data-writer=""#)
      if !body.append(xml: writer) { losses.insert(.characters) }
    }
    body.append(text: "\">\n")
    for stroke in strokes { append(stroke) }
    body.append(text: "</g>\n")
    return losses
  }

  /// Returns the height of the writing: that of a tall stroke, so that a page of many lines, with
  /// its dots and dashes, has the height of its letters.
  private static func writingHeight(_ strokes: [Stroke]) -> Double {
    let heights = strokes.compactMap { Ink(strokes: [$0]).boundingBox }.map {
      // A word in one stroke, or a line, is wider than high.
      max($0.height, min($0.width / 4, $0.height * 2))
    }.filter { $0 > 0 }.sorted()
    let height = heights.isEmpty ? 1 : heights[heights.count * 3 / 4]
    return min(height, .greatestFiniteMagnitude)
  }

  mutating func end(_ bytes: inout [UInt8]) {
    bytes.append(text: #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n")
    bytes.append(text: #"<svg xmlns="http://www.w3.org/2000/svg""#)
    if let box, case let margin = max(box.width, box.height, 1) * 0.02, margin.isFinite {
      bytes.append(text: #" viewBox=""#)
      for (index, value) in [
        box.minX - margin, box.minY - margin, box.width + 2 * margin, box.height + 2 * margin,
      ].enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: " ")) }
        bytes.append(number: value)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(
      text: #" fill="none" stroke="black" stroke-linecap="round" stroke-linejoin="round">"# + "\n")
    bytes += body
    bytes.append(text: "</svg>\n")
    body = []
  }

  private mutating func grow(_ other: BoundingBox) {
    if box == nil { box = other }
    box?.formUnion(x: other.minX, y: other.minY)
    box?.formUnion(x: other.maxX, y: other.maxY)
  }

  private mutating func append(_ stroke: Stroke) {
    // A dot is a closed path of a single place: lines without length are drawn with round ends.
    let isDot = stroke.points.count == 1
    body.append(text: isDot ? #"<path d="M"# : #"<polyline points=""#)
    for (index, point) in stroke.points.enumerated() {
      if index > 0 { body.append(UInt8(ascii: " ")) }
      body.append(number: point.x)
      body.append(UInt8(ascii: ","))
      body.append(number: point.y)
    }
    body.append(text: isDot ? "z\"/>\n" : "\"/>\n")
  }
}
