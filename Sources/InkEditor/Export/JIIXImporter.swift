import Foundation
import InkCore
import InkFormats
import Recognition
import Typesetting

/// Makes blocks with ink and words of a JIIX document. They belong to no document yet.
struct JIIXImporter {
  private var strokes: [Int: InkStroke] = [:]
  /// The item of each stroke of the document.
  private var items: [JIIXStroke: Int] = [:]
  private var order: [Int] = []
  private var nextItem = 1
  private var nextBlock = 1
  private var blockIDs: Set<String> = ["0"]
  private var decorations: [Decoration] = []
  private var spacings = SpacingTable()

  private static let deepest = 16

  /// Returns the content of a document.
  ///
  /// - Throws: ``EditorError/unusableImport(what:expected:found:)``.
  mutating func clip(of root: JIIXBlock) throws(EditorError) -> Clip {
    try take(strokesOf(root))
    number()
    guard let block = try block(root, parent: nil, depth: 0) else {
      throw .unusableImport(
        what: "block", expected: BlockType.allCases.map(\.rawValue).joined(separator: ", "),
        found: "another type")
    }
    return Clip(
      block: block, strokes: order.compactMap { strokes[$0] }, decorations: decorations,
      spacings: spacings)
  }

  // MARK: - Ink

  /// Returns the whole strokes of a block and of the blocks in it; characters may have parts only.
  private func strokesOf(_ block: JIIXBlock) -> [JIIXStroke] {
    (block.items ?? []) + (block.words ?? []).flatMap { $0.items ?? [] }
      + (block.elements ?? []).flatMap(strokesOf)
  }

  /// Gives strokes the ids of the document if they are different numbers, or else new ones.
  private mutating func take(_ found: [JIIXStroke]) throws(EditorError) {
    let distinct = found.reduce(into: (seen: Set<JIIXStroke>(), list: [JIIXStroke]())) {
      if $1.X?.isEmpty == false, $0.seen.insert($1).inserted { $0.list.append($1) }
    }.list
    let numbers = distinct.compactMap { $0.id.flatMap { Int($0) } }.filter { 1..<1 << 31 ~= $0 }
    let keepsIDs = numbers.count == distinct.count && Set(numbers).count == numbers.count
    for (index, stroke) in distinct.enumerated() {
      let item = keepsIDs ? numbers[index] : index + 1
      let points = try Self.points(stroke)
      let pointer = stroke.pointerType.flatMap(PointerType.init) ?? .pen
      var ink = InkStroke(id: item, pointer: pointer, points: points)
      ink.digital = try Self.digital(stroke, points)
      if let style = stroke.style { ink.style = try? StrokeStyle(declarations: style) }
      strokes[item] = ink
      items[stroke] = item
      order.append(item)
    }
    if keepsIDs { order.sort() }
    let times = order.compactMap { strokes[$0]?.points.first?.t }
    if !keepsIDs, times.count == order.count {
      order.sort {
        (strokes[$0]?.points.first?.t ?? 0, $0) < (strokes[$1]?.points.first?.t ?? 0, $1)
      }
    }
  }

  /// Returns the content of an item that is no ink; nil for ink.
  private static func digital(
    _ item: JIIXStroke, _ points: [StrokePoint]
  ) throws(EditorError) -> DigitalContent? {
    switch item.type {
    case JIIXStroke.lineType: return .outline
    case JIIXStroke.glyphType:
      guard let text = item.label, TypedGlyphs.count(of: text) == points.count,
        let size = item.fontSize, size.isFinite, size > 0, let first = points.first,
        let last = points.last
      else {
        throw .unusableImport(
          what: "typed text", expected: "four points for each character, and a size of the font",
          found: "others")
      }
      let (dx, dy) = (last.x - first.x, last.y - first.y)
      let face = FontFace(
        family: item.fontFamily ?? FontFace.standardFamily, isBold: item.fontWeight == "bold",
        isItalic: item.fontStyle == "italic")
      return .text(
        TypedGlyphs(text: text, face: face, size: size, length: (dx * dx + dy * dy).squareRoot()))
    case JIIXStroke.imageType:
      let bytes = [UInt8](item.data ?? Data())
      let file = try PictureFile(bytes, type: item.mediaType)
      return .picture(DocumentPicture(type: file.type, bytes: bytes))
    default: return nil
    }
  }

  private mutating func number() {
    for (number, item) in order.enumerated() { strokes[item]?.number = number }
  }

  private static func points(_ stroke: JIIXStroke) throws(EditorError) -> [StrokePoint] {
    let start = stroke.timestamp.flatMap(JIIXTimestamp.milliseconds) ?? 0
    var result: [StrokePoint] = []
    for (index, place) in zip(stroke.X ?? [], stroke.Y ?? []).enumerated() {
      let point = StrokePoint(
        x: place.0, y: place.1, t: stroke.T.map { start + Double($0[index]) },
        force: stroke.F?[index], azimuth: stroke.azimuth?[index],
        altitude: stroke.altitude?[index], roll: stroke.roll?[index])
      guard point.hasUsablePosition else {
        throw .unusableImport(
          what: "position", expected: "finite millimetres below 10^9", found: "another number")
      }
      result.append(point.cleaned)
    }
    return result
  }

  private func items(of strokes: [JIIXStroke]?) -> [Int] {
    var seen: Set<Int> = []
    return order(of: (strokes ?? []).compactMap { items[$0] }.filter { seen.insert($0).inserted })
  }

  private func order(of items: [Int]) -> [Int] {
    items.sorted { (strokes[$0]?.number ?? 0) < (strokes[$1]?.number ?? 0) }
  }

  private func box(of items: [Int]) -> BoundingBox? {
    BoundingBox(holding: items.compactMap { strokes[$0]?.box })
  }

  // MARK: - Blocks

  private mutating func block(
    _ source: JIIXBlock, parent: BlockNode?, depth: Int
  ) throws(EditorError) -> BlockNode? {
    guard let type = BlockType(rawValue: source.type), depth < Self.deepest else { return nil }
    let node = BlockNode(id: id(source, isRoot: parent == nil), type: type, parent: parent)
    if type == .text {
      let starts = addLines(of: source, to: node)
      try JIIXTextFacts.read(source, into: node, starts)
      try addDecorations(of: source, to: node, starts)
      try addSpaces(of: source)
    } else if type != .rawContent, type != .textDocument, type != .diagram, type != .container {
      node.items = items(of: source.items)
      // Exact shapes and pictures are not sorted again.
      node.isForced = node.items.contains { strokes[$0]?.isInk == false }
      if type == .node || type == .edge { node.shape = Self.shape(source) }
      if type == .math, let latex = source.latex, let candidates = source.candidates,
        candidates.first != latex, Editor.formula(ofLatex: latex) != nil
      {
        node.chosenFormula = latex
      }
      if type == .drawing { node.mark = source.kind.flatMap(RecognizedMark.Kind.init) }
      if type == .edge {
        for (index, end) in (source.connected ?? []).prefix(2).enumerated() {
          node.ends[index] = end
        }
      }
    }
    for element in source.elements ?? [] {
      if let child = try block(element, parent: node, depth: depth + 1) {
        node.children.append(child)
      }
    }
    node.box = BoundingBox(
      holding: node.lines.map(\.box) + [box(of: node.items)].compactMap { $0 }
        + node.children.compactMap(\.box))
    return node
  }

  /// Returns the id of a block if it is a number that no other block has, or else a new one.
  private mutating func id(_ source: JIIXBlock, isRoot: Bool) -> String {
    if isRoot { return "0" }
    if let id = source.id, let number = Int(id), 1..<1 << 31 ~= number,
      blockIDs.insert("\(number)").inserted
    {
      return "\(number)"
    }
    while !blockIDs.insert("\(nextBlock)").inserted { nextBlock += 1 }
    return "\(nextBlock)"
  }

  // MARK: - Text

  /// Adds the words of a text with their ink.
  ///
  /// - Returns: The index of the first character of each added word among those of the text.
  private mutating func addLines(of source: JIIXBlock, to node: BlockNode) -> [Int] {
    var line: [TextWord] = []
    var taken: Set<Int> = []
    var starts: [Int] = []
    var next = 0
    func isGap(_ word: JIIXWord) -> Bool { word.label.allSatisfy(\.isWhitespace) }
    for (index, word) in (source.words ?? []).enumerated() {
      let start = word.firstChar.flatMap { 0..<1 << 31 ~= $0 ? $0 : nil } ?? next
      next = start + word.label.count
      if isGap(word) {
        // A tab is between the cells of a row.
        if word.label.contains(where: { $0.isNewline || $0 == "\t" }) {
          addLine(line, to: node)
          line = []
        }
        continue
      }
      // Two words may share a stroke: it belongs to the first.
      let own = items(of: word.items).filter { taken.insert($0).inserted }
      guard !own.isEmpty, let box = box(of: own) else { continue }
      line.append(self.word(word, index, own, box, source.chars ?? []))
      starts.append(start)
    }
    addLine(line, to: node)
    return starts
  }

  /// Sets the spaces of a text that were set by hand; those beside ink that is not there are left out.
  private mutating func addSpaces(of source: JIIXBlock) throws(EditorError) {
    guard let found = source.spaces else { return }
    let ids = Dictionary(items.compactMap { stroke, item in stroke.id.map { ($0, item) } }) {
      first, _ in first
    }
    for space in found {
      guard let kind = Spacing.Kind(name: space.kind) else {
        throw .unusableImport(
          what: "space between words", expected: "space, none", found: "another kind")
      }
      guard let left = ids[space.left], let right = ids[space.right], left != right else {
        continue
      }
      spacings.set(Spacing(kind: kind, left: left, right: right))
    }
  }

  /// Anchors the decorations of a text in its ink.
  ///
  /// - Parameter starts: The index of the first character of each word among those of the text.
  private mutating func addDecorations(
    of source: JIIXBlock, to node: BlockNode, _ starts: [Int]
  ) throws(EditorError) {
    guard let found = source.decorations else { return }
    let text = BlockText(node)
    for decoration in found {
      guard let kind = DecorationKind(rawValue: decoration.kind) else {
        let kinds = DecorationKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw .unusableImport(what: "decoration", expected: kinds, found: "another kind")
      }
      let (first, last) = (decoration.firstChar, decoration.lastChar)
      guard first >= 0, last >= first else {
        throw .unusableImport(
          what: "decoration", expected: "a first character before the last",
          found: "\(first) and \(last)")
      }
      let chosen = zip(starts, text.words).flatMap { start, word in
        word.filter { (first...last).contains(start + $0 - word.lowerBound) }
      }
      let anchor = Document.anchor(of: Set(chosen), in: text, node) {
        strokes[$0]?.points.count
      }
      guard !anchor.isEmpty else { continue }
      let style = decoration.style.flatMap { try? DecorationStyle(declarations: $0) }
      decorations.append(
        Decoration(
          id: decorations.count + 1, kind: kind, style: style?.isEmpty ?? true ? nil : style,
          parts: anchor.parts))
    }
  }

  /// Adds a line; a chosen word is a part of its own.
  private func addLine(_ words: [TextWord], to node: BlockNode) {
    guard let box = BoundingBox(holding: words.map(\.box)) else { return }
    let line = TextLine(id: node.lines.count, block: node, box: box)
    var rest = words[...]
    while let first = rest.first {
      let isAlone = { (word: TextWord) in word.isChosen || self.isTyped(word) }
      let group = isAlone(first) ? rest.prefix(1) : rest.prefix { !isAlone($0) }
      rest = rest.dropFirst(group.count)
      let items = order(of: group.flatMap(\.items))
      guard let box = self.box(of: items) else { continue }
      let run = TextRun(id: 0, words: Array(group), items: items, box: box)
      run.isFixed = isAlone(first)
      line.runs.append(run)
    }
    node.lines.append(line)
  }

  private func isTyped(_ word: TextWord) -> Bool {
    word.items.first.flatMap { strokes[$0] }?.typed != nil
  }

  private func word(
    _ source: JIIXWord, _ index: Int, _ items: [Int], _ box: BoundingBox,
    _ characters: [JIIXCharacter]
  ) -> TextWord {
    let whole = items.map { ItemPart(item: $0, points: 0..<(strokes[$0]?.points.count ?? 0)) }
    var letters = characters.filter { $0.word == index }.map { character in
      TextCharacter(
        label: character.label, candidates: Self.candidates(character.candidates, character.label),
        parts: (character.items ?? []).compactMap { part(of: $0, among: items) },
        box: character.boundingBox.flatMap(Self.box))
    }
    if letters.map(\.label).joined() != source.label {
      letters = source.label.map { letter in
        TextCharacter(
          label: String(letter),
          candidates: [TextCandidate(text: String(letter), probability: 1)], parts: whole, box: box)
      }
    }
    let candidates = Self.candidates(source.candidates, source.label)
    var word = TextWord(
      label: source.label, candidates: candidates, characters: letters, items: items, box: box,
      isChosen: candidates.first?.text != source.label)
    word.formula = source.latex.flatMap { latex in
      formula(latex, source.symbols, text: source.label)
    }
    if let mathml = source.mathml { word.formula?.mathML = mathml }
    word.formulas =
      source.formulas?.compactMap { formula($0.latex, $0.symbols, text: $0.label) }
      ?? [word.formula].compactMap { $0 }
    if let best = word.formulas.first, best.latex != word.formula?.latex { word.isChosen = true }
    return word
  }

  /// The formula of a word; nil for LaTeX that cannot be read.
  private func formula(
    _ latex: String, _ symbols: [JIIXSymbol]?, text: String
  ) -> RecognizedFormula? {
    guard var formula = RecognizedFormula(latex: latex) else { return nil }
    let known = Dictionary(items.compactMap { stroke, item in stroke.id.map { ($0, item) } }) {
      first, _ in first
    }
    formula.symbols = (symbols ?? []).map { symbol in
      RecognizedFormula.Symbol(
        symbol: symbol.label, strokes: (symbol.strokes ?? []).compactMap { known[$0] }.sorted(),
        confidence: min(max(symbol.confidence ?? 1, 0), 1), candidates: symbol.candidates ?? [])
    }
    formula.text = text
    return formula
  }

  /// Returns the place of a part of a stroke, by its id and its first points.
  private func part(of piece: JIIXStroke, among items: [Int]) -> ItemPart? {
    guard let x = piece.X, let y = piece.Y, !x.isEmpty else { return nil }
    for item in items {
      guard let points = strokes[item]?.points, points.count >= x.count,
        piece.id == nil || self.items.contains(where: { $0.value == item && $0.key.id == piece.id })
      else { continue }
      for start in 0...(points.count - x.count)
      where points[start].x == x[0] && points[start].y == y[0] {
        let isSame = x.indices.allSatisfy {
          points[start + $0].x == x[$0] && points[start + $0].y == y[$0]
        }
        if isSame { return ItemPart(item: item, points: start..<start + x.count) }
      }
    }
    return nil
  }

  private static func candidates(_ texts: [String]?, _ label: String) -> [TextCandidate] {
    // JIIX has no probabilities: the first counts as certain.
    let texts = texts.flatMap { $0.isEmpty ? nil : $0 } ?? [label]
    return texts.enumerated().map { TextCandidate(text: $1, probability: $0 == 0 ? 1 : 0) }
  }

  private static func box(_ box: JIIXBox) -> BoundingBox? {
    guard box.width >= 0, box.height >= 0, (box.x + box.width).isFinite,
      (box.y + box.height).isFinite
    else { return nil }
    return BoundingBox(
      minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height)
  }

  // MARK: - Shapes

  private static func shape(_ source: JIIXBlock) -> RecognizedShape? {
    guard let kind = source.kind, let form = form(kind, source) else { return nil }
    let labels = source.candidates.flatMap { $0.isEmpty ? nil : $0 } ?? [kind]
    return RecognizedShape(
      label: labels[0], candidates: candidates(labels, labels[0]), form: form, deviation: 0)
  }

  private static func form(_ kind: String, _ source: JIIXBlock) -> RecognizedShape.Form? {
    typealias Point = RecognizedShape.Point
    let corners = (source.points?.points ?? []).map { Point(x: $0.x, y: $0.y) }
    switch kind {
    case "rectangle":
      guard let x = source.x, let y = source.y, let width = source.width,
        let height = source.height, let box = box(.init(x: x, y: y, width: width, height: height))
      else { return nil }
      return .rectangle(box)
    case "circle":
      guard let x = source.cx, let y = source.cy, let radius = source.r else { return nil }
      return .circle(center: Point(x: x, y: y), radius: radius)
    case "ellipse":
      guard let x = source.cx, let y = source.cy, let rx = source.rx, let ry = source.ry else {
        return nil
      }
      return .ellipse(center: Point(x: x, y: y), radiusX: rx, radiusY: ry)
    case "line":
      guard let x1 = source.x1, let y1 = source.y1, let x2 = source.x2, let y2 = source.y2 else {
        return nil
      }
      return .line(
        from: Point(x: x1, y: y1), to: Point(x: x2, y: y2),
        startArrow: source.startDecoration == "arrow-head",
        endArrow: source.endDecoration == "arrow-head")
    case "polyedge": return corners.count > 1 ? .polyline(corners) : nil
    default: return corners.count > 2 ? .polygon(kind: kind, corners) : nil
    }
  }
}
