import Foundation
import InkCore

/// An ink as an inline SVG.
///
/// Strokes are drawn in the order written, coloured by number, with round caps; a stroke without
/// length is a dot. With kinds of strokes, the kinds have colours instead. If there are several strokes, the starts of the first nine have numbers. If
/// there is a writing area, its upper and lower edges are faint lines. The drawing spans the area,
/// so that the size of the ink in its area is visible.
///
/// Colours come from CSS classes: a page embeds ``styleSheet`` once. The SVG has no identifiers, so
/// that a page may hold many drawings. Points that are not finite are left out.
///
///     let svg = InkDrawing(ink, area: line, caption: "a").svg
package struct InkDrawing: Hashable, Sendable {
  /// The style of a drawing. Lengths are CSS pixels.
  package struct Style: Hashable, Sendable {
    /// The greatest width. A drawing is never narrower than the smaller of this and `height`.
    package var maximumWidth: Double
    /// The height of the drawing.
    package var height: Double
    /// True if the starts of strokes have numbers.
    package var showsOrder: Bool
    /// The most points. If there are more, points close to each other are left out.
    package var maximumPoints: Int

    /// Makes a style; the defaults are for a glyph.
    package init(
      maximumWidth: Double = 96, height: Double = 96, showsOrder: Bool = true,
      maximumPoints: Int = 1000
    ) {
      self.maximumWidth = maximumWidth
      self.height = height
      self.showsOrder = showsOrder
      self.maximumPoints = maximumPoints
    }
  }

  /// The strokes drawn.
  package var ink: Ink
  /// The writing area, or nil.
  package var area: WritingArea?
  /// The description for screen readers; not escaped.
  package var caption: String
  /// The style.
  package var style: Style
  /// The kind of each stroke, or nil to colour strokes by number.
  package var kinds: StrokeColors?

  /// The number of stroke colours, which repeat.
  static let colorCount = 6
  /// The most strokes with numbers; more numbers would hide the ink.
  package static let mostNumbers = 9

  /// Makes a drawing, which ``svg`` renders.
  package init(
    _ ink: Ink, area: WritingArea? = nil, caption: String = "", style: Style = Style(),
    kinds: StrokeColors? = nil
  ) {
    self.ink = ink
    self.area = area
    self.caption = caption
    self.style = style
    self.kinds = kinds
  }

  /// The drawing as an `svg` element. The user unit is a tenth of a CSS pixel.
  ///
  /// - Complexity: O(points); the length of the text is bounded by `style.maximumPoints`.
  package var svg: String {
    let projection = InkProjection(ink, area: area, style: style)
    let strokes = InkOutline(ink, projection, maximumPoints: style.maximumPoints).strokes
    var body = areaLines(projection)
    let classes = kinds?.classes(of: ink)
    for (index, stroke) in strokes.enumerated() {
      body +=
        classes.map { Self.element(stroke, path: $0[index], dot: $0[index]) }
        ?? Self.element(
          stroke, path: "s\(index % Self.colorCount)", dot: "d\(index % Self.colorCount)")
    }
    if style.showsOrder, strokes.count > 1 { body += Self.numbers(strokes, projection) }
    let (width, height) = (projection.width, projection.height)
    return #"<svg class="ink" role="img" aria-label=""# + HTMLEscaping.escape(caption)
      + #"" width="\#(width / 10)" height="\#(height / 10)" viewBox="0 0 \#(width) \#(height)">"#
      + body + "</svg>"
  }

  private func areaLines(_ projection: InkProjection) -> String {
    guard let edges = projection.areaEdges else { return "" }
    return [edges.upper, edges.lower].map {
      #"<path class="area" d="M0 \#($0)H\#(projection.width)"/>"#
    }.joined()
  }

  /// A path, or a dot if the stroke has no length.
  private static func element(
    _ stroke: [InkOutline.Point], path pathClass: String, dot: String
  ) -> String {
    guard let first = stroke.first else { return "" }
    guard stroke.count > 1 else {
      return #"<circle class="\#(dot)" cx="\#(first.x)" cy="\#(first.y)" r="22"/>"#
    }
    var path = "M\(first.x) \(first.y)l"
    for (index, (from, to)) in zip(stroke, stroke.dropFirst()).enumerated() {
      let (x, y) = (to.x - from.x, to.y - from.y)
      // A minus sign separates numbers like a space.
      path += (index == 0 || x < 0 ? "" : " ") + "\(x)" + (y < 0 ? "" : " ") + "\(y)"
    }
    return #"<path class="\#(pathClass)" d="\#(path)"/>"#
  }

  /// The number of each stroke near its start, where it covers neither an edge nor another number.
  private static func numbers(
    _ strokes: [[InkOutline.Point]], _ projection: InkProjection
  ) -> String {
    var places: [InkOutline.Point] = []
    var text = ""
    for (index, stroke) in strokes.prefix(mostNumbers).enumerated() {
      guard let start = stroke.first else { continue }
      let place = place(start, next: stroke.dropFirst().first, taken: places, projection)
      places.append(place)
      text +=
        #"<text class="n\#(index % colorCount)" x="\#(place.x)" y="\#(place.y)">\#(index + 1)</text>"#
    }
    return text
  }

  /// Finds a place 80 units from the start: before the stroke if there is space, otherwise turned
  /// step by step.
  private static func place(
    _ start: InkOutline.Point, next: InkOutline.Point?, taken: [InkOutline.Point],
    _ projection: InkProjection
  ) -> InkOutline.Point {
    let behind = next.map { atan2(Double(start.y - $0.y), Double(start.x - $0.x)) } ?? -.pi / 2
    var best = start
    for turn in [0.0, 0.7, -0.7, 1.4, -1.4, 2.1, -2.1, 2.8] {
      let angle = behind + turn
      best = InkOutline.Point(
        x: min(max(start.x + Int(80 * cos(angle)), 40), projection.width - 40),
        y: min(max(start.y + Int(80 * sin(angle)), 50), projection.height - 50))
      let isFree = taken.allSatisfy { abs($0.x - best.x) > 60 || abs($0.y - best.y) > 80 }
      let isClear = abs(start.x - best.x) > 35 || abs(start.y - best.y) > 35
      if isFree, isClear { return best }
    }
    return best
  }
}

extension InkDrawing {
  /// The CSS of all drawings of a page, for light and dark.
  package static let styleSheet: String = {
    // Blue, vermilion, green, purple, amber, cyan: also distinguishable by colour-blind people
    // (after Okabe and Ito 2008), dark enough on white and light enough on black.
    let light = ["#1d4fd8", "#c2410c", "#15803d", "#8b2fc9", "#a16207", "#0e7490"]
    let dark = ["#7aa7ff", "#ff8a5c", "#5fd38d", "#cf9bff", "#f0c419", "#5cc8e6"]
    return """
      .ink{display:block;max-width:100%;height:auto}
      .ink path{fill:none;stroke-width:24;stroke-linecap:round;stroke-linejoin:round}
      .ink .area{stroke:currentColor;stroke-width:8;stroke-linecap:butt;opacity:.28}
      .ink text{font:700 92px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central;\
      paint-order:stroke;stroke:var(--card,#fff);stroke-width:34px;stroke-linejoin:round}
      \(rules(light))
      @media(prefers-color-scheme:dark){\(rules(dark))}
      \(StrokeColors.styleSheet)
      """
  }()

  private static func rules(_ colors: [String]) -> String {
    colors.enumerated().map { index, color in
      ".ink .s\(index){stroke:\(color)}.ink .d\(index),.ink .n\(index){fill:\(color)}"
    }.joined()
  }
}
