import Foundation
import InkCore
import InkEditor

/// The ink of a page of a file, on its way to a sheet in millimetres.
package struct PageInk: Hashable, Sendable {
  /// The strokes, in the unit of their file.
  package var ink: Ink
  /// The colour and the width of each stroke, where the file states them; empty if it does not.
  package var looks: [Look]
  /// The sheet in the unit of the ink; nil if the file does not state it.
  package var sheet: BoundingBox?
  /// The width of pens that have no look, in the unit of the ink; nil if it is not known.
  package var penWidth: Double?
  /// Millimetres of a unit of the ink; nil to choose them by the height of the writing.
  package var scale: Double?

  /// The look of a stroke.
  package struct Look: Hashable, Sendable {
    /// The colour; nil for that of ink.
    package var color: InkColor?
    /// The width in the unit of the ink; nil if it is not known.
    package var width: Double?

    /// Makes a look.
    package init(color: InkColor? = nil, width: Double? = nil) {
      (self.color, self.width) = (color, width)
    }
  }

  /// Makes the ink of a page.
  package init(
    _ ink: Ink, looks: [Look] = [], sheet: BoundingBox? = nil, penWidth: Double? = nil,
    scale: Double? = nil
  ) {
    (self.ink, self.looks, self.sheet) = (ink, looks, sheet)
    (self.penWidth, self.scale) = (penWidth, scale)
  }
}

/// Ink that lies on a sheet.
struct PlacedInk {
  /// The strokes in millimetres of the sheet.
  let ink: Ink
  /// The sheet.
  let box: BoundingBox
  /// The map from the unit of the file.
  let transform: PlaneTransform
  /// The colour and the width of each stroke in millimetres, and whether the force is the share of the
  /// width.
  let pens: [(color: InkColor, width: Double, isExact: Bool)]
  /// The command that draws each stroke; nil for strokes without points.
  let commands: [DrawCommand?]

  /// Puts the ink of a page onto its sheet. O(points).
  init(_ page: PageInk) {
    let all = page.ink.boundingBox
    let usual = page.ink.usualHeight
    var scale = page.scale ?? usual.map { Chosen.height / $0 } ?? 1
    if let all, page.scale == nil {
      // Ink that is one tall stroke, or a page of very small ones, keeps a size that can be printed.
      let longest = max(all.width, all.height) * scale
      if longest > Chosen.longest { scale *= Chosen.longest / longest }
    }
    if !(scale.isFinite && scale > 0) { scale = 1 }
    let ink =
      all ?? page.sheet ?? BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
    var sheet = BoundingBox(
      minX: ink.minX * scale, minY: ink.minY * scale, maxX: ink.maxX * scale,
      maxY: ink.maxY * scale
    ).grown(by: Chosen.margin)
    if let known = page.sheet {
      // The sheet of the file; ink beside it is not cut off.
      let own = BoundingBox(
        minX: known.minX * scale, minY: known.minY * scale, maxX: known.maxX * scale,
        maxY: known.maxY * scale)
      if all == nil || (sheet.isInside(own.grown(by: Chosen.margin))) {
        sheet = own
      } else {
        sheet.formUnion(own)
      }
    }
    let transform = PlaneTransform(a: scale, d: scale, tx: -sheet.minX, ty: -sheet.minY)
    box = BoundingBox(minX: 0, minY: 0, maxX: sheet.width, maxY: sheet.height)
    self.transform = transform
    let placed = Ink(
      strokes: page.ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map { point in
            var point = point
            let place = transform.applied(x: point.x, y: point.y)
            (point.x, point.y) = (place.x, place.y)
            return point
          })
      })
    self.ink = placed
    let height = usual.map { $0 * scale } ?? Chosen.height
    let pens = placed.strokes.indices.map { index in
      let look = page.looks.indices.contains(index) ? page.looks[index] : PageInk.Look()
      let known = (look.width ?? page.penWidth).map { $0 * scale }
      let width = known ?? Chosen.penShare * height
      return (
        color: look.color ?? .black, width: min(max(width, Chosen.thinnest), Chosen.widest),
        isExact: look.width != nil
      )
    }
    self.pens = pens
    commands = zip(placed.strokes, pens).map { stroke, pen in
      Self.command(stroke, pen.color, width: pen.width, isExact: pen.isExact)
    }
  }

  /// Draws a stroke whose force is 1 at an average touch.
  ///
  /// - Parameter isExact: True if the force is the share of the width.
  private static func command(
    _ stroke: Stroke, _ color: InkColor, width: Double, isExact: Bool
  ) -> DrawCommand? {
    let style = try? StrokeStyle(
      color: color.description, width: width, brush: .pen, leastShare: isExact ? 0 : nil)
    let points = stroke.points.map { point in
      var point = point
      point.force = point.force.map { min(max($0, 0), 2) / 2 }
      return point
    }
    return DrawCommand.ink(points, style: style ?? .standard)
  }
}

extension Ink {
  /// The height of most strokes, where a long flat one counts less; nil if none has a size. O(points).
  fileprivate var usualHeight: Double? {
    let heights = strokes.compactMap { Ink(strokes: [$0]).boundingBox }.map {
      max($0.height, min($0.width / 4, $0.height * 2))
    }.filter { $0 > 0 && $0.isFinite }.sorted()
    return heights.isEmpty ? nil : heights[heights.count / 2]
  }
}

extension BoundingBox {
  fileprivate func isInside(_ other: BoundingBox) -> Bool {
    minX >= other.minX && minY >= other.minY && maxX <= other.maxX && maxY <= other.maxY
  }
}

/// Numbers that were chosen and not derived, by eye on pages of IAM-OnDB.
private enum Chosen {
  /// The height of a stroke of writing, millimetres.
  static let height = 3.0
  /// The longest side of the ink of a page in a size that was chosen, millimetres: that of A3.
  static let longest = 400.0
  /// The space around ink on a sheet of no size, millimetres.
  static let margin = 10.0
  /// The width of a pen as a share of the height of its strokes.
  static let penShare = 0.13
  /// The widths of pens, millimetres.
  static let thinnest = 0.05
  static let widest = 50.0
}
