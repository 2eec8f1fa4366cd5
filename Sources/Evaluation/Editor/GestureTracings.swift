import Foundation
import InkCore
import InkDatasets
import InkEditor

/// Gestures that people drew elsewhere, without a text below. They are placed over words as a hand
/// would draw them there.
package struct GestureTracings {
  /// The way in which an ink is placed over a word.
  package enum Placing: Hashable {
    /// The tip between two characters.
    case tip
    /// A level line through the word, or below it.
    case through, below
    /// Around the word, or over it.
    case around, over
    /// Over the word, with its own proportions: the ink is no gesture.
    case mark
  }

  /// A label of the data, with the gesture that it is.
  package struct Sort: Hashable {
    package var label: String
    /// nil if it is ink.
    package var kind: GestureKind?
    package var placing: Placing

    /// The name in figures, such as `insert.caret`.
    package var name: String { "\(kind?.rawValue ?? "ink").\(label)" }
  }

  /// The labels of public data that have a meaning here.
  package static let sorts = [
    Sort(label: "caret", kind: .insert, placing: .tip),
    Sort(label: "line", kind: .strikeThrough, placing: .through),
    Sort(label: "line", kind: .underline, placing: .below),
    Sort(label: "circle", kind: .surround, placing: .around),
    Sort(label: "rectangle", kind: .surround, placing: .around),
    Sort(label: "delete_mark", kind: .scratchOut, placing: .over),
    Sort(label: "zig-zag", kind: .scratchOut, placing: .over),
    Sort(label: "scratch-out", kind: .scratchOut, placing: .over),
    Sort(label: "check", kind: nil, placing: .mark),
    Sort(label: "tick", kind: nil, placing: .mark),
    Sort(label: "question_mark", kind: nil, placing: .mark),
    Sort(label: "star", kind: nil, placing: .mark),
  ]

  private var inks: [(sort: Sort, inks: [[StrokePoint]])] = []

  /// Reads the inks of one stroke that have a known label.
  ///
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  package init(_ data: [DataSpecification]) throws {
    var found: [String: [[StrokePoint]]] = [:]
    let known = Set(Self.sorts.map(\.label))
    for specification in data {
      for element in try specification.records() {
        guard case .success(let record) = element, known.contains(record.labeled.label),
          record.labeled.ink.strokes.count == 1
        else { continue }
        found[record.labeled.label, default: []].append(record.labeled.ink.strokes[0].points)
      }
    }
    inks = Self.sorts.compactMap { sort in
      let usable = (found[sort.label] ?? []).filter { Self.isUsable($0, sort.placing) }
      return usable.isEmpty ? nil : (sort, usable)
    }
  }

  /// The sorts that the data has.
  package var sorts: [Sort] { inks.map(\.sort) }

  /// Lines are drawn level or upright: only the level ones go through words.
  private static func isUsable(_ points: [StrokePoint], _ placing: Placing) -> Bool {
    guard let box = Ink(strokes: [Stroke(points: points)]).boundingBox,
      box.width + box.height > 0
    else { return false }
    switch placing {
    case .through, .below: return box.height < 0.25 * box.width
    case .tip, .around, .over, .mark: return box.width > 0 && box.height > 0
    }
  }

  /// The number of inks of a sort.
  package func count(of sort: Sort) -> Int { inks.first { $0.sort == sort }?.inks.count ?? 0 }

  /// Places an ink.
  ///
  /// - Parameters:
  ///   - index: The index of the ink among those of its sort.
  ///   - box: The box of the word.
  ///   - x: The place of a tip.
  ///   - sizes: Values 0 ... 1 that choose size and place among those that a hand may choose.
  package func ink(
    _ sort: Sort, index: Int, over box: BoundingBox, tipAt x: Double, _ row: GestureDrawer.Row,
    sizes: (Double, Double)
  ) -> [StrokePoint]? {
    guard let points = inks.first(where: { $0.sort == sort })?.inks[index],
      let own = Ink(strokes: [Stroke(points: points)]).boundingBox
    else { return nil }
    let (width, height): (Double, Double)
    // The place of the own box's middle.
    var (midX, midY) = (box.midX, box.midY)
    func scale(toWidth width: Double) -> (Double, Double) {
      (width, own.height * width / own.width)
    }
    switch sort.placing {
    case .tip:
      height = row.height * (1 + sizes.0)
      width = own.width * height / own.height
      let tip = points.min { $0.y < $1.y } ?? points[0]
      midX = x + (own.midX - tip.x) * height / own.height
      midY = row.baseline - row.height * 0.5 * sizes.1 + height / 2
    case .through:
      (width, height) = scale(toWidth: box.width + row.height * (0.2 + sizes.0))
      midY = row.baseline - row.height * (0.35 + 0.3 * sizes.1)
    case .below:
      (width, height) = scale(toWidth: box.width + row.height * (0.2 + sizes.0))
      midY = row.baseline + row.height * (0.2 + 0.4 * sizes.1) + height / 2
    case .around:
      (width, height) = (
        box.width + row.height * (0.6 + sizes.0), box.height + row.height * (0.6 + 0.8 * sizes.1)
      )
    case .over:
      (width, height) = (
        box.width + row.height * 0.6 * sizes.0, box.height + row.height * 0.4 * sizes.1
      )
    case .mark:
      height = row.height * (1 + 1.5 * sizes.0)
      width = own.width * height / own.height
      midX = box.minX + sizes.1 * box.width
    }
    let (sx, sy) = (
      own.width > 0 ? width / own.width : 1, own.height > 0 ? height / own.height : 1
    )
    return points.map { point in
      StrokePoint(x: midX + (point.x - own.midX) * sx, y: midY + (point.y - own.midY) * sy)
    }
  }
}
