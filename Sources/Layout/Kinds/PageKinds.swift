import InkCore

/// The kinds of the strokes of ink that may be a page.
package enum PageKinds {
  /// Ink of fewer strokes is a word, a sum or a sketch: too little to be a page.
  private static let leastStrokes = 12
  /// Fewer strokes are no line with a formula among words.
  private static let leastStrokesOfLine = 5
  /// Ink lower than this is one line, in heights of the writing.
  private static let leastHeight = 2.5
  /// Below this share of text, a page of formulas is read as if it were text: it may be a column of
  /// numbers.
  private static let leastText = 0.15
  /// On a page with a smaller share of other strokes, a few letters were mistaken: what resembles
  /// letters must be very sure.
  private static let fewOthers = 0.1
  /// The same on ink of fewer strokes, where the network sees little.
  private static let fewStrokes = 30
  private static let verySure: Float = 0.985

  /// Returns the kind of each stroke, or nil if the ink is no page: then only the sizes of strokes tell
  /// text from drawing. O(points + strokes log strokes).
  ///
  /// - Parameters:
  ///   - ink: Upright ink.
  ///   - isOrdered: Whether the strokes are in the order of writing.
  ///   - direction: The direction of writing. The network of kinds has learned that bullets and numbers
  ///     are at the left, so it sees the ink in its reading frame.
  package static func found(
    in ink: Ink, isOrdered: Bool, direction: WritingDirection = .leftToRight
  ) -> [StrokeKind]? {
    if isOrdered, let joined = InterruptedStrokes(ink) {
      return found(in: joined.ink, isOrdered: isOrdered, direction: direction).map(joined.forParts)
    }
    let ink = ink.turned(direction)
    guard let page = pageInk(ink, isOrdered: isOrdered) else { return nil }
    return kinds(of: ink, page, KindModel.standard.probabilities(ink), isOrdered: isOrdered)
  }

  /// Returns the kind of each stroke, as ``found(in:isOrdered:direction:)`` does, and the probability of each that it
  /// is of a formula, on a page or in a single line; none if there is too little ink.
  /// O(points + strokes log strokes).
  package static func foundWithFormulas(
    in ink: Ink, isOrdered: Bool, direction: WritingDirection = .leftToRight
  ) -> (kinds: [StrokeKind]?, formulas: [Float]) {
    if isOrdered, let joined = InterruptedStrokes(ink) {
      let found = foundWithFormulas(in: joined.ink, isOrdered: isOrdered, direction: direction)
      return (found.kinds.map(joined.forParts), joined.forParts(found.formulas))
    }
    guard ink.strokes.count >= leastStrokesOfLine else { return (nil, []) }
    let turned = ink.turned(direction)
    let page = pageInk(turned, isOrdered: isOrdered)
    let probabilities = KindModel.standard.probabilities(turned)
    let kinds = page.flatMap {
      Self.kinds(of: turned, $0, probabilities, isOrdered: isOrdered)
    }
    // Formulas are written from left to right in every script.
    let known =
      direction == .leftToRight ? probabilities : KindModel.standard.probabilities(ink)
    return (kinds, known.map { $0[StrokeKind.formula.index] })
  }

  /// Returns the probability of each stroke of a line that it is of a formula; none if there is too little
  /// ink. O(points + strokes log strokes).
  package static func formulas(inLine ink: Ink) -> [Float] {
    if let joined = InterruptedStrokes(ink) {
      return joined.forParts(formulas(inLine: joined.ink))
    }
    guard ink.strokes.count >= leastStrokesOfLine else { return [] }
    return KindModel.standard.probabilities(ink).map { $0[StrokeKind.formula.index] }
  }

  /// The measures of ink that may be a page; nil for other ink.
  private static func pageInk(_ ink: Ink, isOrdered: Bool) -> PageInk? {
    guard ink.strokes.count >= leastStrokes, let box = ink.boundingBox else { return nil }
    let page = PageInk(ink)
    guard box.height * page.scale > leastHeight * page.height else { return nil }
    // A line that climbs is as high as a page.
    guard PageLayout(ink, isOrdered: isOrdered).isOfSeveralParts || AxisRules.areParallel(in: ink)
    else { return nil }
    return page
  }

  /// The kind of each stroke of a page by its probabilities.
  private static func kinds(
    of ink: Ink, _ page: PageInk, _ probabilities: [[Float]], isOrdered: Bool
  ) -> [StrokeKind]? {
    var kinds = probabilities.map(KindModel.standard.kind)
    let others = kinds.count { $0 != .text }
    guard others > 0 else {
      DashedLines.mark(&kinds, of: ink)
      return kinds
    }
    if Double(others) < fewOthers * Double(kinds.count) || kinds.count < fewStrokes {
      doubt(&kinds, probabilities, page)
    }
    keepLargeDrawings(&kinds, page)
    keepLargeLetters(&kinds, page)
    keepRings(&kinds, page)
    keepCells(&kinds, page, of: ink, isOrdered: isOrdered)
    if Double(kinds.count { $0 == .text }) < leastText * Double(kinds.count) {
      for index in kinds.indices where kinds[index] == .formula { kinds[index] = .text }
    }
    DashedLines.mark(&kinds, of: ink)
    return kinds.contains(.text) ? kinds : nil
  }

  /// Makes text again of small strokes that resemble letters, unless the network is very sure or they
  /// touch the end of a connector.
  private static func doubt(
    _ kinds: inout [StrokeKind], _ probabilities: [[Float]], _ page: PageInk
  ) {
    // Joined letters are long as well, but they wind and are low.
    let connectors = page.strokes.filter { stroke in
      let (width, height) = (stroke.box.width, stroke.box.height)
      return kinds[stroke.item] == .connector && max(width, height) > connectorSize * page.height
        && stroke.length < winding * (width * width + height * height).squareRoot()
    }
    let isConnector = Set(connectors.map(\.item))
    for stroke in page.strokes where resemblesLetters(kinds[stroke.item]) {
      let index = stroke.item
      let isFigure =
        kinds[index] == .drawing && stroke.box.width > figure * page.height
        && stroke.box.height > figure * page.height
      guard !isConnector.contains(index), !isFigure,
        probabilities[index][StrokeKind.text.index] > 1 - verySure,
        kinds[index] != .connector
          || !connectors.contains(where: { $0.box.gap(to: stroke.box) < touching * page.height })
      else { continue }
      kinds[index] = .text
    }
  }

  /// Makes text again of drawings no higher than a line: large letters that stand apart look like
  /// them.
  private static func keepLargeDrawings(_ kinds: inout [StrokeKind], _ page: PageInk) {
    let drawn = page.strokes.filter { kinds[$0.item] == .drawing }
    let boxes = Dictionary(uniqueKeysWithValues: drawn.map { ($0.item, $0.box) })
    for group in StrokeGroups.near(drawn.map(\.item), boxes, within: near * page.height)
    where StrokeGroups.box(of: group, boxes).height < drawingHeight * page.height {
      for stroke in group { kinds[stroke] = .text }
    }
  }

  /// Makes text again of strokes that resemble letters and stand in a row with larger text than usual:
  /// the letters of a heading.
  private static func keepLargeLetters(_ kinds: inout [StrokeKind], _ page: PageInk) {
    let text = page.strokes.filter {
      kinds[$0.item] == .text && $0.box.height > largeLetter * page.height
    }
    guard text.count >= letterCompany.large else { return }
    for stroke in page.strokes where resemblesLetters(kinds[stroke.item]) {
      let box = stroke.box
      let isLarge = box.height > largeLetter * page.height
      let heights =
        isLarge ? box.height / 2...box.height * 2 : smallBeside * page.height...Double.infinity
      let company = text.count { other in
        let shared = min(box.maxY, other.box.maxY) - max(box.minY, other.box.minY)
        let gap = max(box.minX - other.box.maxX, other.box.minX - box.maxX)
        return heights.contains(other.box.height)
          && shared > 0.5 * min(box.height, other.box.height)
          && gap < letterReach * max(box.height, other.box.height)
      }
      if company >= (isLarge ? letterCompany.large : letterCompany.small),
        box.width < letterReach * max(box.height, page.height)
      {
        kinds[stroke.item] = .text
      }
    }
  }

  /// Makes text again of frames as small as a letter with nothing inside: 0 and O.
  private static func keepRings(_ kinds: inout [StrokeKind], _ page: PageInk) {
    let rings = page.strokes.filter {
      kinds[$0.item] == .frame && max($0.box.width, $0.box.height) < cellStroke * page.height
    }
    for ring in rings
    where !page.strokes.contains(where: {
      $0.item != ring.item && $0.box.gap(to: ring.box) < touching * page.height
    }) {
      kinds[ring.item] = .text
    }
  }

  /// Makes text again of small strokes that are cells of a table of text: a digit or letter that stands
  /// alone looks like a box to be ticked, a ring or a formula. A column of boxes stays one.
  private static func keepCells(
    _ kinds: inout [StrokeKind], _ page: PageInk, of ink: Ink, isOrdered: Bool
  ) {
    var asText = kinds
    for stroke in page.strokes
    where kinds[stroke.item] != .text && kinds[stroke.item] != .tableRule
      && max(stroke.box.width, stroke.box.height) < cellStroke * page.height
    {
      asText[stroke.item] = .text
    }
    guard asText != kinds else { return }
    let layout = PageLayout(ink, isOrdered: isOrdered, kinds: asText, findsStructure: true)
    for table in layout.blocks where !table.rows.isEmpty {
      let cells = table.rows.map { row in row.map { $0.flatMap { table.lines[$0].strokes } } }
      func isOfText(_ cells: [[Int]]) -> Bool {
        let written = cells.filter { !$0.isEmpty }
        let known = written.count { $0.contains { kinds[$0] == .text } }
        return Double(known) >= textCells * Double(written.count)
      }
      let columns = (cells.first ?? []).indices.map { column in cells.map { $0[column] } }
      let textColumns = columns.map(isOfText)
      let isTextTable = isOfText(cells.flatMap { $0 })
      for (column, isText) in zip(columns, textColumns) {
        for stroke in column.joined()
        where isText || isTextTable && asText[stroke] != kinds[stroke] && kinds[stroke] == .formula
        {
          kinds[stroke] = .text
        }
      }
    }
  }

  /// A stroke of a cell is smaller than this, in heights of the writing. At least the second share of
  /// the cells of a table, or of a column, have text that was found as such.
  private static let (cellStroke, textCells) = (1.8, 0.5)
  /// Large letters are higher than this, in heights of the writing; those that show what a small letter
  /// beside them is, higher than the second number.
  private static let (largeLetter, smallBeside) = (1.3, 1.6)
  /// The text beside a letter that shows what it is: so many strokes, at most so far away, in heights of
  /// the larger letter.
  private static let (letterCompany, letterReach) = ((large: 3, small: 4), 3.0)
  /// The least height of a drawing, and the widest gap in it, in heights of the writing.
  private static let (drawingHeight, near) = (3.0, 0.8)
  /// The least length of a connector, in heights of the writing, and its greatest path in diagonals.
  private static let (connectorSize, winding) = (3.5, 1.5)
  /// The least width and height of a figure.
  private static let figure = 2.5
  /// The heads of an arrow are nearer to its shaft.
  private static let touching = 0.3

  /// Whether letters are easily mistaken for strokes of a kind.
  private static func resemblesLetters(_ kind: StrokeKind) -> Bool {
    switch kind {
    case .formula, .drawing, .connector, .bullet, .tickBox: true
    case .text, .frame, .divider, .underline, .strikeThrough, .tableRule: false
    }
  }
}

extension PageLayout {
  /// True for several lines, or a line with drawing.
  fileprivate var isOfSeveralParts: Bool { lines.count > 1 || !drawing.isEmpty }
}
