import Foundation
import InkCore
import Layout

/// Reading of pages of lines that run to the right, or down in columns from right to left.
extension CharacterLineRecognizer {
  /// Ink that is this many times as tall as wide is a column, unless it has several.
  private static let columnShape = 1.5
  /// Fewer strokes do not show the direction of the pen.
  private static let leastStrokes = 12
  /// The pen's progress tells the direction above this certainty.
  private static let certain = 0.25
  /// Progress within this angle of 90 degrees is downward, in degrees.
  private static let quadrant = 45
  /// The number of preceding lines that can contribute to the text before a line.
  private static let contextLines = preContextLength

  /// Returns whether one line runs down.
  static func isColumn(_ ink: Ink, _ context: RecognitionContext) -> Bool {
    if let area = context.writingArea { return area.height > columnShape * area.width }
    guard let box = ink.boundingBox else { return false }
    return box.height > columnShape * box.width
  }

  /// Ink that is this many times as wide as tall, or as tall as wide, is one line.
  private static let lineShape = 4.0

  /// One direction of the lines has so many times the lines of the other one, which is the right one.
  private static let clearly = 1.4

  /// Returns whether the lines of a page run down: by the shape of a single line, by the number of lines
  /// that either direction gives, by the pen's progress if there are many strokes, else by the shape.
  private static func hasColumns(_ ink: Ink, _ context: RecognitionContext) -> Bool {
    guard let box = ink.boundingBox else { return false }
    if box.width > lineShape * box.height { return false }
    if box.height > lineShape * box.width { return true }
    guard ink.strokes.count >= leastStrokes else { return isColumn(ink, context) }
    func lines(_ ink: Ink) -> Double {
      let isOrdered = WritingOrder(ink).isOfWriting(isTimed: false)
      return Double(CharacterLayout(ink, isOrdered: isOrdered).layout().lines.count)
    }
    let (rows, columns) = (lines(ink), lines(ink.rotated(by: -90)))
    if columns > clearly * rows { return false }
    if rows > clearly * columns { return true }
    guard let angle = PageAngle(ink), angle.progress.certainty > certain else {
      return isColumn(ink, context)
    }
    return abs(angle.progress.angle - 90) < quadrant
  }

  /// Ink no longer than wide by this factor may be one character.
  private static let squareShape = 1.4
  /// An ink is one character if the glyph model gives one this probability.
  private static let sure = 0.25

  /// Returns whether an ink of few strokes is one character or one line, by its shape and the glyph model.
  private func isCharacter(_ ink: Ink) throws -> Bool {
    guard ink.strokes.count <= CharacterGroups.mostStrokes, let box = ink.boundingBox else {
      return false
    }
    let (short, long) = (min(box.width, box.height), max(box.width, box.height))
    guard long <= Self.squareShape * short || ink.strokes.count == 1 else { return false }
    let best = try readCharacter(ink, RecognitionContext(), count: 1).candidates.first
    return best.map { exp($0.score) >= Self.sure } ?? false
  }

  /// Reads ink whose lines are to be found.
  func readPage(
    _ arranged: ArrangedInk, _ context: RecognitionContext, count: Int,
    _ evidence: inout CharacterEvidence
  ) throws -> RecognitionResult {
    let ink = arranged.ink
    guard !ink.isEmpty else { return RecognitionResult(candidates: []) }
    let isColumn = Self.hasColumns(ink, context)
    // Columns from right to left are lines downward if the page is turned back by 90 degrees.
    var upright = arranged.turned(by: isColumn ? 90 : 0)
    let isOne = try context.layout != .page && isCharacter(ink)
    upright.isOrdered = WritingOrder(upright.ink).isOfWriting(isTimed: false)
    let layout =
      isOne ? Self.oneLine(upright.ink) : layout(of: upright, context, isColumn: isColumn)
    var context = context
    if layout.lines.count != 1 { context.writingArea = nil }
    var result = RecognitionResult(candidates: [], drawing: layout.drawing)
    let before = context.preContext
    for (block, lines) in layout.blocks.enumerated() {
      for line in lines.lines {
        try Task.checkCancellation()
        let found = try readLine(
          Ink(strokes: line.strokes.map { ink.strokes[$0] }), context, isColumn: isColumn,
          count: count, &evidence)
        var candidates = found.candidates
        for index in candidates.indices { candidates[index].renumberStrokes(line.strokes) }
        result.lines.append(
          RecognizedLine(block: block, strokes: line.strokes, candidates: candidates))
        context.preContext =
          before + result.lines.suffix(Self.contextLines).map(\.text).joined()
      }
    }
    result.candidates = PageCandidates.joined(result.lines.map(\.candidates), count: count)
    result.add(
      PageStructure(upright.ink, layout: layout, kinds: upright.kinds), of: upright.ink,
      angle: upright.angle)
    if !isColumn { result.markItems(in: ink) }
    return result
  }

  /// The lines of an ink whose lines run to the right: as they are found, or all in one if the writing
  /// area says that it is one.
  private func layout(
    of upright: ArrangedInk, _ context: RecognitionContext, isColumn: Bool
  ) -> PageLayout {
    let ink = upright.ink
    let layout = CharacterLayout(ink, isOrdered: upright.isOrdered).layout()
    guard context.layout != .page, let box = ink.boundingBox else { return layout }
    let isLine =
      context.writingArea.map { area in
        box.height < Self.areaHeights * (isColumn ? area.width : area.height)
      } ?? false
    guard layout.lines.isEmpty || isLine && layout.lines.count > 1 else { return layout }
    return Self.oneLine(ink)
  }

  private static func oneLine(_ ink: Ink) -> PageLayout {
    guard let box = ink.boundingBox else { return PageLayout(blocks: [], drawing: []) }
    let line = PageLayout.Line(strokes: Array(ink.strokes.indices), box: box)
    return PageLayout(blocks: [PageLayout.Block(lines: [line], box: box)], drawing: [])
  }

  /// Ink no taller than this many writing areas is one line.
  private static let areaHeights = 1.6
}
