import InkCore
import InkEditor

/// Ink to be written into an editor, in millimetres, with its text.
package struct EditorPage: Hashable, Sendable {
  /// A stroke with its line and kind.
  package struct Stroke: Hashable, Sendable {
    /// Positions in millimetres; times in milliseconds that increase over the page, or none.
    package var points: [StrokePoint]
    /// The line of text, from 0, or nil if the stroke is not text.
    package var line: Int?
    /// The kind of content that the stroke belongs to.
    package var kind: SelectionType
  }

  /// The strokes, in the order written.
  package var strokes: [Stroke]
  /// The texts of the lines, from top to bottom.
  package var lines: [String]

  /// The text of the page.
  package var text: String { lines.joined(separator: "\n") }

  /// The number of words.
  package var wordCount: Int {
    lines.reduce(0) { $0 + $1.split(separator: " ").count }
  }
}

extension EditorPage {
  /// The line height that text is scaled to, in millimetres: four standard deviations of y along
  /// the path, half the spacing of the guides.
  package static let lineHeight = 5.0
  /// The distance between guides, in millimetres.
  package static let spacing = 10.0
  /// The middle of the first line, in millimetres.
  package static let firstMiddle = 15.0
  package static let left = 20.0
  /// Milliseconds between lines.
  private static let pause = 1000.0

  /// Ink with its text, as originally written.
  package struct Source {
    var ink: Ink
    var label: String
    var kind = SelectionType.text

    package init(ink: Ink, label: String, kind: SelectionType = SelectionType.text) {
      self.ink = ink
      self.label = label
      self.kind = kind
    }
  }

  /// Places inks at their original positions, with one scale and one offset for all.
  package static func placed(_ sources: [Source]) -> EditorPage? {
    let texts = sources.filter { $0.kind == .text }.compactMap { LineMeasure($0.ink) }
    guard let first = texts.first,
      let all = Ink(strokes: sources.flatMap(\.ink.strokes)).boundingBox
    else { return nil }
    let heights = texts.map(\.height).sorted()
    let scale = lineHeight / max(heights[heights.count / 2], 1e-9)
    var page = EditorPage(strokes: [], lines: [])
    for source in sources {
      page.append(
        source, scale: scale, dx: left - all.minX * scale, dy: firstMiddle - first.middle * scale)
    }
    return page
  }

  /// Places lines one below the other, each with its own scale.
  static func stacked(_ sources: [Source]) -> EditorPage {
    var page = EditorPage(strokes: [], lines: [])
    for source in sources { page.stack(source) }
    return page
  }

  /// Adds a line below the others, with its own scale.
  mutating func stack(_ source: Source) {
    guard let measure = LineMeasure(source.ink), let box = source.ink.boundingBox else { return }
    let scale = Self.lineHeight / max(measure.height, 1e-9)
    let middle = Self.firstMiddle + Self.spacing * Double(lines.count)
    append(
      source, scale: scale, dx: Self.left - box.minX * scale, dy: middle - measure.middle * scale)
  }

  /// Appends an ink, scaled and moved.
  mutating func append(_ source: Source, scale: Double, dx: Double, dy: Double) {
    let start = strokes.last?.points.last?.t.map { $0 + Self.pause } ?? 0
    let origin = source.ink.strokes.first?.points.first?.t ?? 0
    let line = source.kind == .text ? lines.count : nil
    for stroke in source.ink.strokes where !stroke.points.isEmpty {
      let points = stroke.points.map { point in
        var point = point
        point.x = point.x * scale + dx
        point.y = point.y * scale + dy
        point.t = point.t.map { $0 - origin + start }
        return point
      }
      strokes.append(Stroke(points: points, line: line, kind: source.kind))
    }
    if source.kind == .text { lines.append(source.label) }
  }
}

/// Height and middle of a line of writing.
struct LineMeasure {
  /// Four standard deviations of y along the path.
  var height: Double
  /// The mean of y along the path.
  var middle: Double

  /// Returns nil for ink without a path.
  init?(_ ink: Ink) {
    var (length, sum, squares) = (0.0, 0.0, 0.0)
    for stroke in ink.strokes {
      for (a, b) in zip(stroke.points, stroke.points.dropFirst()) {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let weight = (dx * dx + dy * dy).squareRoot()
        let y = (a.y + b.y) / 2
        length += weight
        sum += weight * y
        squares += weight * y * y
      }
    }
    guard length > 0 else { return nil }
    middle = sum / length
    height = 4 * max(0, squares / length - middle * middle).squareRoot()
    guard height > 0 else { return nil }
  }
}
