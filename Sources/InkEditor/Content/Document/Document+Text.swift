import InkCore
import Layout

// Text: assigns strokes to lines, and tells what stands before a run.
extension Document {
  /// Returns the line that a stroke belongs to, or nil for a new one.
  func line(of stroke: StrokeMeasure, among lines: [TextLine]) -> TextLine? {
    let lines = Self.lines(lines, reachedBy: stroke.box)
    let last = grouper.memory.lastLine
    let frame = lines.first { $0.id == last }.map(frame) ?? ReadingFrame(direction)
    let id = grouper.line(
      of: stroke, among: lines.lazy.map(\.shape), isMirrored: frame.isMirrored)
    return id.flatMap { id in lines.first { $0.id == id } }
  }

  /// Adds a stroke to a line of text in a block, or in any block of text if nil.
  func placeText(_ item: Int, in forced: BlockNode? = nil) {
    guard let stroke = strokes[item] else { return }
    let candidates: [TextLine]
    if let forced {
      candidates = forced.lines
    } else {
      let home = home(of: stroke)
      // A text with its own area accepts what is written there.
      candidates = texts(for: home)
        .flatMap { $0 === home || $0.takes(stroke, as: .text) ? $0.lines : [] }
        .filter { type != .textDocument || isNear($0, stroke) }
    }
    let measure = stroke.measure
    let line = line(of: measure, among: candidates) ?? newLine(for: stroke, in: forced)
    let isNew = line.count == 0
    if isNew || isFar(stroke.box, from: line) { page.structureIsStale = true }
    grouper.remember(measure, line: line.id)
    insert(stroke, into: line)
    let middle = line.box.midY
    line.shape.add(measure)
    if isNew { reviseLines(before: line) }
    if isNew || line.box.midY != middle { orderLines(of: line.block) }
    grow(line.block, by: stroke.box)
    adopt(line.block)
  }

  /// Returns true if a line of a text document is near enough to continue with a stroke. Ink
  /// farther beside it begins another text.
  private func isNear(_ line: TextLine, _ stroke: InkStroke) -> Bool {
    let height = grouper.height ?? stroke.box.height
    return line.box.gapX(to: stroke.box) < Chosen.blockGapBeside * height
  }

  /// Grows a block and those around it by the box of new ink, and makes it the active one.
  func grow(_ block: BlockNode, by box: BoundingBox) {
    activeBlock = block
    var block: BlockNode? = block
    while let next = block, next !== root || type == .text {
      if next.box == nil { next.box = box } else { next.box?.formUnion(box) }
      changes.update(next)
      // Text in a node does not change the size of the node.
      block = next.parent.flatMap { $0.type == .node ? nil : $0 }
    }
  }

  private func newLine(for stroke: InkStroke, in forced: BlockNode?) -> TextLine {
    if let forced { return addLine(to: forced, box: stroke.box) }
    if type == .text { return addLine(to: root, box: stroke.box) }
    let height = grouper.height ?? stroke.box.height
    let home = home(of: stroke)
    if home.type == .text { return addLine(to: home, box: stroke.box) }
    let near = texts(for: home).filter { block in
      guard block.takes(stroke, as: .text), let box = block.box else { return false }
      return box.gapY(to: stroke.box) < blockGap * height
        && box.gapX(to: stroke.box) < Chosen.blockGapBeside * height
    }
    let block = near.min { left, right in
      (left.box?.gapY(to: stroke.box) ?? 0) < (right.box?.gapY(to: stroke.box) ?? 0)
    }
    return addLine(to: block ?? addBlock(.text, in: home, session: stroke.session), box: stroke.box)
  }

  // MARK: - Context of text

  /// The number of characters before the ink that the recogniser gets.
  private static let contextLength = 20

  /// Returns the text before a run: from its line, and from the lines above as far as needed. It
  /// ends in a space unless it is empty.
  func text(before run: TextRun, in line: TextLine) -> String {
    var parts: [String] = []
    var length = 0
    func add(_ words: [TextWord]) {
      for word in words.reversed() where length < Self.contextLength {
        parts.append(word.label)
        length += word.label.count + 1
      }
    }
    let place = line.runs.firstIndex { $0 === run } ?? 0
    for earlier in line.runs[..<place].reversed() { add(earlier.words) }
    var above = line.block.lines.firstIndex { $0 === line } ?? 0
    while length < Self.contextLength, above > 0 {
      above -= 1
      for earlier in line.block.lines[above].runs.reversed() { add(earlier.words) }
    }
    return parts.isEmpty ? "" : parts.reversed().joined(separator: " ") + " "
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Line heights.
  static let blockGapBeside = 5.0
}
