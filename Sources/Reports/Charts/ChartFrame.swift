import Evaluation
import Foundation

/// The axes of a chart as SVG: a field of 480 x 280 units, which a page scales to its width.
struct ChartFrame {
  private static let left = 54.0
  private static let right = 456.0
  private static let top = 26.0
  private static let bottom = 238.0

  /// The values at the left and right edge.
  let x: ClosedRange<Double>
  /// The values at the lower and upper edge.
  let y: ClosedRange<Double>

  /// The horizontal position of a value of x.
  func place(x value: Double) -> Double {
    let span = x.upperBound - x.lowerBound
    let share = span > 0 ? (value - x.lowerBound) / span : 0
    return Self.left + min(max(share, 0), 1) * (Self.right - Self.left)
  }

  /// The vertical position of a value of y.
  func place(y value: Double) -> Double {
    let span = y.upperBound - y.lowerBound
    let share = span > 0 ? (value - y.lowerBound) / span : 0
    return Self.bottom - min(max(share, 0), 1) * (Self.bottom - Self.top)
  }

  /// The chart as an `svg` element.
  ///
  /// - Parameters:
  ///   - caption: The description for screen readers; escaped here, like names and ticks.
  ///   - body: SVG elements in the field's units.
  func svg(
    caption: String, xName: String, yName: String, xTicks: [ChartTick], yTicks: [ChartTick],
    body: String
  ) -> String {
    var axes = ""
    for tick in yTicks {
      let y = Self.number(place(y: tick.value))
      axes += #"<path class="grid" d="M\#(Int(Self.left)) \#(y)H\#(Int(Self.right))"/>"#
      axes += #"<text class="tick end" x="\#(Int(Self.left) - 7)" y="\#(y)">"#
      axes += HTMLEscaping.escape(tick.text) + "</text>"
    }
    for tick in xTicks {
      axes += #"<text class="tick mid" x="\#(Self.number(place(x: tick.value)))" y="253">"#
      axes += HTMLEscaping.escape(tick.text) + "</text>"
    }
    let middle = Int((Self.left + Self.right) / 2)
    return #"<svg class="chart" role="img" viewBox="0 0 480 282" aria-label=""#
      + HTMLEscaping.escape(caption) + #"">"# + axes + body
      + #"<path class="axis" d="M\#(Int(Self.left)) \#(Int(Self.bottom))H\#(Int(Self.right))"/>"#
      + #"<text class="name mid" x="\#(middle)" y="274">"# + HTMLEscaping.escape(xName)
      + #"</text><text class="name" x="4" y="9">"# + HTMLEscaping.escape(yName) + "</text></svg>"
  }

  /// A bar from the lower edge to a value; `title` is shown on hovering.
  func bar(from: Double, to: Double, y value: Double, style: String, title: String) -> String {
    let (left, right, upper) = (place(x: from), place(x: to), place(y: value))
    return #"<rect class="\#(style)" x="\#(Self.number(left + 0.5))" y="\#(Self.number(upper))""#
      + #" width="\#(Self.number(max(0.5, right - left - 1)))""#
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

  /// A vertical line over the whole height, with a name. `number` is the row of the name, counted
  /// from the top, so that names of close values do not overlap.
  func rule(x value: Double, name: String, number: Int) -> String {
    let x = Self.number(place(x: value))
    // Near the right edge the name is on the left side, where there is space.
    let side = place(x: value) > 360 ? #"class="name end" dx="-5""# : #"class="name" dx="5""#
    return #"<path class="reference" d="M\#(x) \#(Int(Self.top))V\#(Int(Self.bottom))"/>"#
      + #"<text \#(side) x="\#(x)" y="\#(Int(Self.top) + 6 + 15 * number)">"#
      + HTMLEscaping.escape(name) + "</text>"
  }

  /// A round mark at a point; `title` is shown on hovering.
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

/// A label of an axis with its value.
package struct ChartTick: Hashable {
  package var value: Double
  package var text: String

  /// Multiples of 1, 2 or 5 times a power of ten within a range, at most six of them.
  ///
  /// - Parameters:
  ///   - smallest: The least distance: 1 for counts.
  ///   - text: Formats a value.
  package static func round(
    _ range: ClosedRange<Double>, smallest: Double = 0, text: (Double) -> String
  ) -> [ChartTick] {
    let span = range.upperBound - range.lowerBound
    guard span > 0, span.isFinite else {
      return [ChartTick(value: range.lowerBound, text: text(range.lowerBound))]
    }
    let power = pow(10, floor(log10(span / 5)))
    let steps = [1, 2, 5, 10].map { $0 * power }
    let step = max(smallest, steps.first { span / $0 <= 5 } ?? 10 * power)
    // Slightly past the ends, because multiples of 0.2 are not exact.
    let first = Int(((range.lowerBound / step) - 1e-9).rounded(.up))
    let last = Int(((range.upperBound / step) + 1e-9).rounded(.down))
    guard first <= last else { return [] }
    return (first...last).map {
      ChartTick(value: Double($0) * step, text: text(Double($0) * step))
    }
  }

  /// Round rates in percent, with as many digits as distinguish them.
  package static func percent(_ range: ClosedRange<Double>) -> [ChartTick] {
    let digits = range.upperBound - range.lowerBound > 0.035 ? 0 : 1
    return round(range) { ReportText.percent($0, digits: digits) }
  }

  /// Round whole numbers.
  package static func counts(_ range: ClosedRange<Double>) -> [ChartTick] {
    round(range, smallest: 1) { CountText.count(Int($0.rounded())) }
  }

  /// Powers of ten on an axis of decimal logarithms, and twice and five times as much between them
  /// if there is space.
  ///
  /// - Parameter text: Formats a value, not its logarithm.
  package static func logarithmic(
    _ range: ClosedRange<Double>, text: (Double) -> String
  ) -> [ChartTick] {
    let factors = range.upperBound - range.lowerBound < 2.2 ? [1.0, 2, 5] : [1.0]
    let powers = Int(range.lowerBound.rounded(.down))...Int(range.upperBound.rounded(.up))
    return powers.flatMap { power in factors.map { Double(power) + log10($0) } }
      .filter { range.contains($0) }
      .map { ChartTick(value: $0, text: text(pow(10, $0))) }
  }
}
