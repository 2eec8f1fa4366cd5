import Foundation

/// The axes of a chart as SVG: a field of 480 x 280 units, which a page scales to its width.
struct ChartFrame {
  static let width = 480.0
  static let height = 280.0
  private static let left = 50.0
  private static let right = 468.0
  private static let top = 12.0
  private static let bottom = 236.0

  /// The values at the left and right edge.
  let x: ClosedRange<Double>
  /// The values at the lower and upper edge.
  let y: ClosedRange<Double>

  /// Where a value of x lies.
  func place(x value: Double) -> Double {
    let span = x.upperBound - x.lowerBound
    let share = span > 0 ? (value - x.lowerBound) / span : 0
    return Self.left + min(max(share, 0), 1) * (Self.right - Self.left)
  }

  /// Where a value of y lies.
  func place(y value: Double) -> Double {
    let span = y.upperBound - y.lowerBound
    let share = span > 0 ? (value - y.lowerBound) / span : 0
    return Self.bottom - min(max(share, 0), 1) * (Self.bottom - Self.top)
  }

  /// A label of an axis and the value it stands at.
  struct Tick {
    var value: Double
    var text: String
  }

  /// Five ticks of a range of rates, in percent with as many digits as tell them apart.
  static func percentTicks(_ range: ClosedRange<Double>) -> [Tick] {
    let step = (range.upperBound - range.lowerBound) / 4
    let digits = step >= 0.01 ? 0 : step >= 0.001 ? 1 : 2
    return (0...4).map { index in
      let value = range.lowerBound + Double(index) * step
      return Tick(value: value, text: ReportText.percent(value, digits: digits))
    }
  }

  /// The chart as an `svg` element.
  ///
  /// - Parameters:
  ///   - caption: What those hear who do not see it; escaped here, as are names and ticks.
  ///   - body: SVG elements in the field's units.
  func svg(
    caption: String, xName: String, yName: String, xTicks: [Tick], yTicks: [Tick], body: String
  ) -> String {
    var axes = ""
    for tick in yTicks {
      let y = Self.number(place(y: tick.value))
      axes += #"<path class="grid" d="M\#(Self.number(Self.left)) \#(y)H\#(Int(Self.right))"/>"#
      axes += #"<text class="tick end" x="\#(Int(Self.left) - 7)" y="\#(y)">"#
      axes += HTMLEscaping.escape(tick.text) + "</text>"
    }
    for tick in xTicks {
      axes += #"<text class="tick mid" x="\#(Self.number(place(x: tick.value)))" y="252">"#
      axes += HTMLEscaping.escape(tick.text) + "</text>"
    }
    let middle = Int((Self.left + Self.right) / 2)
    return #"<svg class="chart" role="img" viewBox="0 0 480 280" aria-label=""#
      + HTMLEscaping.escape(caption) + #"">"# + axes + body
      + #"<path class="axis" d="M\#(Int(Self.left)) \#(Int(Self.bottom))H\#(Int(Self.right))"/>"#
      + #"<text class="name mid" x="\#(middle)" y="273">"# + HTMLEscaping.escape(xName) + "</text>"
      + #"<text class="name mid" transform="translate(9 124)rotate(-90)">"#
      + HTMLEscaping.escape(yName) + "</text></svg>"
  }

  /// A bar from the lower edge to a value, `title` shown on hovering.
  func bar(from: Double, to: Double, y value: Double, style: String, title: String) -> String {
    let (left, right, upper) = (place(x: from), place(x: to), place(y: value))
    return #"<rect class="\#(style)" x="\#(Self.number(left + 0.75))" y="\#(Self.number(upper))""#
      + #" width="\#(Self.number(max(0.5, right - left - 1.5)))""#
      + #" height="\#(Self.number(Self.bottom - upper))"><title>"# + HTMLEscaping.escape(title)
      + "</title></rect>"
  }

  /// A line through points.
  func line(_ points: [(x: Double, y: Double)], style: String) -> String {
    let places = points.map {
      "\(Self.number(place(x: $0.x))) \(Self.number(place(y: $0.y)))"
    }
    return #"<path class="\#(style)" d="M\#(places.joined(separator: "L"))"/>"#
  }

  /// A round mark at a point, `title` shown on hovering.
  func mark(x: Double, y: Double, radius: Double, style: String, title: String) -> String {
    #"<circle class="\#(style)" cx="\#(Self.number(place(x: x)))" cy="\#(Self.number(place(y: y)))""#
      + #" r="\#(Self.number(radius))"><title>"# + HTMLEscaping.escape(title) + "</title></circle>"
  }

  /// A number with at most one digit after the point.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : String(format: "%.1f", value)
  }
}
