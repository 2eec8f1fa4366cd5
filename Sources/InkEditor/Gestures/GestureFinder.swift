import InkCore

/// Finds editing gestures over text for apps that keep their own ink. It decides as the editor does,
/// by the shape of the stroke and by the words at its place: over text the gesture is meant, over
/// empty space the letter.
///
///     let finder = GestureFinder(lines: [[hello, world]])
///     if let kind = finder.gesture(in: stroke) { … }
public struct GestureFinder: Sendable {
  private let context: GestureContext

  /// Makes a finder over words.
  ///
  /// - Parameters:
  ///   - lines: The words of each line in the order of their places, from where the line begins; the
  ///     lines from top to bottom. Words without points are left out.
  ///   - letterHeight: The height of a letter with an ascender; nil to take it from the words.
  ///   - direction: The direction of writing.
  /// - Complexity: O(points).
  public init(
    lines: [[Ink]], letterHeight: Double? = nil, direction: WritingDirection = .leftToRight
  ) {
    var item = 0
    var rows: [GestureContext.Row] = []
    var heights: [Double] = []
    for (number, line) in lines.enumerated() {
      var words: [GestureContext.Word] = []
      for ink in line {
        let letters = ink.strokes.compactMap { stroke -> GestureContext.Letter? in
          let points = GestureShape.dense(
            GestureShape.points(of: stroke.points, most: Self.mostPoints))
          guard let box = GestureShape.box(of: points) else { return nil }
          item += 1
          heights.append(box.height)
          return GestureContext.Letter(
            label: nil, parts: [ItemPart(item: item, points: 0..<stroke.points.count)], box: box,
            points: points)
        }
        guard let box = BoundingBox(holding: letters.map(\.box)) else { continue }
        words.append(
          GestureContext.Word(
            items: letters.flatMap(\.parts).map(\.item), letters: letters, box: box))
      }
      guard !words.isEmpty else { continue }
      rows.append(
        GestureContext.Row(
          line: number, block: "", words: words, frame: ReadingFrame(direction),
          hasRowAbove: !rows.isEmpty,
          hasRowBelow: number + 1 < lines.count))
    }
    heights.sort()
    let usual = heights.isEmpty ? 1 : heights[Int(Self.quantile * Double(heights.count - 1))]
    context = GestureContext(
      rows: rows, figures: [], letterHeight: max(letterHeight ?? usual, .leastNormalMagnitude))
  }

  /// Returns the gesture that a stroke is, or nil if it is writing.
  ///
  /// - Complexity: O(points of the stroke × points of the words).
  public func gesture(in stroke: Stroke) -> GestureKind? {
    guard let shape = GestureShape(stroke.points) else { return nil }
    return GestureResolver(shape: shape, context: context, kinds: Set(GestureKind.allCases))
      .decide().kind
  }

  private static let mostPoints = 64
  /// The share of strokes that are lower than a letter with an ascender. Chosen by hand, as in
  /// finding lines.
  private static let quantile = 0.7
}
