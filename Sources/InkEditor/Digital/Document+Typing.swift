import Foundation
import InkCore
import Recognition
import Typesetting

// Changes of typed text. They run inside one step of the history.
extension Document {
  /// The space inside of a typed word.
  static let fixedSpace = "\u{A0}"

  /// Sets another text in the place of a typed word, in its style: it begins where the word began in
  /// its line. Words that are placed behind it in the line move by the difference of the widths.
  ///
  /// - Parameter formula: The formula that the text is; nil for a plain word.
  func retype(
    _ run: TextRun, in line: TextLine, as text: String, formula: RecognizedFormula? = nil,
    fonts: any FontProvider
  ) {
    guard isTyped(run), let old = run.words.first,
      let first = run.items.compactMap({ strokes[$0] }).min(by: {
        ($0.points.first?.x ?? 0) < ($1.points.first?.x ?? 0)
      }), let typed = first.typed, let start = first.points.first, let ends = extent(of: run)
    else { return }
    let label = text.split(whereSeparator: \.isWhitespace).joined(separator: Self.fixedSpace)
    guard !label.isEmpty else { return remove(Set(run.items)) }
    let word = Typesetter(fonts: fonts).word(label, face: typed.face, size: first.fontSize)
    let frame = frame(of: line)
    let x = frame.isMirrored ? ends.upperBound - word.width : ends.lowerBound
    var piece = InkStroke(id: makeItemID(), typed: word, x: x, baseline: start.y)
    (piece.style, piece.number) = (first.style, makeNumber())
    // Another text keeps the mean force of the word.
    let force = Self.meanForce(of: run.items.compactMap { strokes[$0]?.points })
    piece.setForces(label.map { _ in force })
    let before = run.box
    let decorated = decorations.touching(run.items).map { ($0.kind, $0.style) }
    take(piece)
    let gone = run.items
    let part = makeRun([piece.id], in: line)
    keep(old, in: part)
    part.words[0].candidates = old.candidates
    part.words[0].isChosen = true
    part.words[0].formula = formula?.withoutInk
    if let place = line.runs.firstIndex(where: { $0 === run }) { line.runs[place] = part }
    dropRun(run)
    for item in gone { places[item] = nil }
    for (kind, style) in decorated {
      decorate(
        InkAnchor(part.words.flatMap(\.characters).flatMap(\.parts)), with: kind, style: style)
    }
    remove(Set(gone))
    measureAll(line)
    let behind = line.runs.filter {
      $0 !== part && frame.middle($0.box) > frame.middle(before)
    }.flatMap(\.items)
    move(Set(behind), dx: frame.x(frame.end(part.box) - frame.end(before)), dy: 0)
    orderRuns(of: line)
    orderLines(of: line.block)
    refresh(line.block)
  }

  /// Sets the typed text of a block again in another width. Lines of one size and role that follow
  /// each other are one paragraph. O(words of the block).
  func reflow(_ block: BlockNode, width: Double, _ fonts: any FontProvider) {
    guard let box = block.box else { return }
    // The edge at which lines begin stays.
    let left = frame(of: block).isMirrored ? box.maxX - width : box.minX
    let bottom = box.maxY
    markEdited()
    let typesetter = Typesetter(fonts: fonts)
    var shift = 0.0
    for paragraph in typedParagraphs(of: block) {
      shift += flow(paragraph, of: block, from: left, width: width, shift: shift, typesetter)
    }
    block.lines.removeAll { $0.count == 0 }
    orderLines(of: block)
    refresh(block)
    if let now = block.box?.maxY { moveBlocks(below: bottom, beside: block, dy: now - bottom) }
  }

  /// Returns the lines of typed text that belong together, in reading order; lines with ink are
  /// paragraphs of their own.
  private func typedParagraphs(of block: BlockNode) -> [[TextLine]] {
    var result: [[TextLine]] = []
    for line in block.lines {
      let last = result.last?.last
      if let last, isAllTyped(last), isAllTyped(line), last.role.heading == line.role.heading,
        last.role.cell == nil, line.role.cell == nil,
        abs(size(of: last) / size(of: line) - 1) < Chosen.sameSize,
        line.box.minY - last.box.maxY < size(of: line)
      {
        result[result.count - 1].append(line)
      } else {
        result.append([line])
      }
    }
    return result
  }

  private func isAllTyped(_ line: TextLine) -> Bool {
    !line.runs.isEmpty && line.runs.allSatisfy(isTyped)
  }

  private func size(of line: TextLine) -> Double {
    line.items.lazy.compactMap { self.strokes[$0] }.map(\.fontSize).max() ?? 1
  }

  /// Flows the words of a paragraph.
  ///
  /// - Returns: The millimetres by which what follows is lower than before, in addition to the shift.
  private func flow(
    _ lines: [TextLine], of block: BlockNode, from left: Double, width: Double, shift: Double,
    _ typesetter: Typesetter
  ) -> Double {
    guard let first = lines.first, isAllTyped(first) else {
      move(Set(lines.flatMap(\.items)), dx: 0, dy: shift)
      return 0
    }
    let size = size(of: first)
    let face = first.items.lazy.compactMap { self.strokes[$0]?.typed?.face }.first ?? FontFace()
    let space = typesetter.space(face, size: size)
    let pitch = size * typesetter.fonts.metrics(of: face).lineHeight
    let baselines = lines.map { line in
      line.items.lazy.compactMap { self.strokes[$0]?.points.first?.y }.max() ?? line.box.maxY
    }
    let frame = frame(of: block)
    var x = 0.0
    var rows: [[TextRun]] = [[]]
    for run in lines.flatMap(\.runs) {
      guard let advance = self.advance(of: run) else { continue }
      if x > 0, x + advance > width {
        rows.append([])
        x = 0
      }
      rows[rows.count - 1].append(run)
      x += advance + space
    }
    for (row, runs) in rows.enumerated() {
      let baseline = baselines[0] + shift + Double(row) * pitch
      let widths = runs.map { advance(of: $0) ?? 0 }
      let starts = LineSetting.starts(
        of: runs.map(\.text), widths: widths,
        gaps: [Double](repeating: space, count: max(0, runs.count - 1)), frame)
      for (run, (start, advance)) in zip(runs, zip(starts, widths)) {
        let old = run.items.lazy.compactMap { self.strokes[$0]?.points.first?.y }.first ?? baseline
        // From right to left, the line begins at the right edge.
        let place = left + (frame.isMirrored ? width - start - advance : start)
        move(Set(run.items), dx: place - (origin(of: run) ?? place), dy: baseline - old)
      }
    }
    // Lines keep their ids as far as there are some.
    for (index, runs) in rows.enumerated() {
      let line: TextLine
      if index < lines.count {
        line = lines[index]
      } else {
        line = addLine(to: block, box: first.box)
        line.role = first.role
      }
      line.runs = runs
      for run in runs {
        self.runs[run.id] = (run, line)
        for item in run.items { setPlace(item, line, run) }
      }
      measureAll(line)
    }
    for line in lines.dropFirst(rows.count) {
      line.runs = []
      line.shape.members = []
    }
    let last = baselines[baselines.count - 1] + shift
    return baselines[0] + shift + Double(rows.count - 1) * pitch - last
  }

  /// The way of the pen from one end of a typed run to the other.
  private func extent(of run: TextRun) -> ClosedRange<Double>? {
    let ends = run.items.lazy.compactMap { self.strokes[$0]?.points }
      .flatMap { [$0.first?.x, $0.last?.x].compactMap { $0 } }
    guard let least = ends.min(), let most = ends.max() else { return nil }
    return least...most
  }

  /// The width that a typed run takes in its line.
  private func advance(of run: TextRun) -> Double? {
    origin(of: run).map { max(run.box.maxX, $0) - $0 }
  }

  /// The left end of the way of the pen of a typed run.
  private func origin(of run: TextRun) -> Double? {
    run.items.lazy.compactMap { item -> Double? in
      guard let points = self.strokes[item]?.points, let first = points.first else { return nil }
      return min(first.x, points[points.count - 1].x)
    }.min()
  }

  /// Moves the blocks that begin below a height and share columns with a block.
  func moveBlocks(below bottom: Double, beside block: BlockNode, dy: Double) {
    guard dy != 0 else { return }
    move(with: blocks(beside: block) { $0.minY >= bottom - Chosen.rounding }, dy: dy)
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The greatest difference of the sizes of two lines of one paragraph, as a share.
  static let sameSize = 0.02
  /// Millimetres, below which two heights are the same.
  static let rounding = 1e-9
}
