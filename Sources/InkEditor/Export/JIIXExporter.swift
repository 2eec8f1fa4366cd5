import Foundation
import InkCore
import InkFormats
import Recognition

/// Writes blocks as JIIX.
struct JIIXExporter {
  private let document: Document
  private let options: JIIXOptions
  /// The index of each item among those of the part.
  private let numbers: [Int: Int]
  /// The items of lists by the lines that they begin at.
  private let listItems: [Int: ListItem]

  init(document: Document, options: JIIXOptions) {
    self.document = document
    self.options = options
    listItems = document.listItems()
    numbers =
      options.ranges
      ? Dictionary(uniqueKeysWithValues: document.order.enumerated().map { ($1, $0) }) : [:]
  }

  /// Returns the block with the version of the format.
  mutating func root(_ node: BlockNode) -> JIIXBlock {
    var result = block(node)
    result.version = JIIXBlock.currentVersion
    return result
  }

  private func block(_ node: BlockNode) -> JIIXBlock {
    var result = JIIXBlock(type: node.type.rawValue)
    if options.ids { result.id = node.id }
    if options.boxes { result.boundingBox = node.box.map(JIIXBox.init) }
    switch node.type {
    case .text: addText(of: node, to: &result)
    case .rawContent, .diagram, .textDocument, .container:
      result.elements = node.children.map(block)
      // Ink that is in no block yet.
      let loose = node === document.root ? document.unsorted + document.pending : []
      if !loose.isEmpty { result.items = strokes(loose) }
    case .drawing, .math:
      result.items = strokes(node.items + (node === document.root ? document.pending : []))
      add(node.mark, of: node, to: &result)
      add(formulasOf: node, to: &result)
    case .node, .edge:
      result.items = strokes(node.items)
      if let shape = node.shape { add(shape, to: &result) }
      if !node.children.isEmpty { result.elements = node.children.map(block) }
      let ends = node.ends.compactMap { $0 }
      if !ends.isEmpty, options.ids { result.connected = ends }
    }
    if node !== document.root, node.type != .text { result.range = range(node.items) }
    if node.type == .text { result.range = range(node.lines.flatMap(\.items)) }
    return result
  }

  // MARK: - Marks

  private func add(_ mark: RecognizedMark.Kind?, of node: BlockNode, to result: inout JIIXBlock) {
    guard let mark else { return }
    result.kind = mark.rawValue
    guard options.words, options.ids else { return }
    let words = document.words(markedBy: node).map {
      JIIXMarkedWord(text: $0.text.id, word: $0.index)
    }
    if !words.isEmpty { result.markedWords = words }
  }

  // MARK: - Formulas

  private func add(formulasOf node: BlockNode, to result: inout JIIXBlock) {
    guard let best = document.formulas(of: node).first else { return }
    (result.label, result.latex, result.mathml) = (best.text, best.latex, best.mathML)
    // The best reading comes first, also if another one was chosen.
    result.candidates = document.formulaReadings(of: node).map(\.latex)
    result.expressions = best.expression.map { [Self.expression($0)] }
    result.value = best.result?.text ?? best.isTrue.map { "\($0)" }
    result.symbols = symbols(of: best)
  }

  private func symbols(of formula: RecognizedFormula) -> [JIIXSymbol] {
    formula.symbols.map { symbol in
      JIIXSymbol(
        label: symbol.symbol, confidence: (symbol.confidence * 10_000).rounded() / 10_000,
        candidates: symbol.candidates.isEmpty ? nil : symbol.candidates,
        strokes: options.ids ? symbol.strokes.map(String.init) : nil)
    }
  }

  private static func expression(_ source: FormulaExpression) -> JIIXExpression {
    JIIXExpression(
      type: source.type, label: source.label,
      value: source.type == "number"
        ? source.label.flatMap { Double($0.replacing(",", with: ".")) } : nil,
      operands: source.operands.isEmpty ? nil : source.operands.map(expression))
  }

  // MARK: - Ink

  private func range(_ items: [Int]) -> [JIIXRange]? {
    options.ranges ? JIIXRange.ranges(ofStrokes: items.compactMap { numbers[$0] }) : nil
  }

  private func range(_ parts: [ItemPart]) -> [JIIXRange]? {
    guard options.ranges else { return nil }
    return parts.compactMap { part in
      guard let stroke = numbers[part.item], !part.points.isEmpty else { return nil }
      return JIIXRange(
        from: .init(stroke: stroke, point: part.points.lowerBound),
        to: .init(stroke: stroke, point: part.points.upperBound - 1))
    }
  }

  private func strokes(_ items: [Int]) -> [JIIXStroke]? {
    guard options.strokes else { return nil }
    return items.compactMap { item in
      document.strokes[item].map(stroke)
    }
  }

  private func strokes(_ parts: [ItemPart]) -> [JIIXStroke]? {
    guard options.strokes else { return nil }
    return parts.compactMap { part in
      guard let ink = document.strokes[part.item],
        part.points.upperBound <= ink.points.count, !part.points.isEmpty
      else { return nil }
      return ink.piece(part.points, id: ink.id).map(stroke)
    }
  }

  private func stroke(_ ink: InkStroke) -> JIIXStroke {
    let points = ink.points[...]
    var result = JIIXStroke(id: options.ids ? "\(ink.id)" : nil)
    result.X = points.map { Self.rounded($0.x) }
    result.Y = points.map { Self.rounded($0.y) }
    result.style = ink.style?.declarations
    if ink.pointer != .pen { result.pointerType = ink.pointer.rawValue }
    add(ink, to: &result)
    result.F = Self.channel(points) { $0.force }
    result.azimuth = Self.channel(points) { $0.azimuth }
    result.altitude = Self.channel(points) { $0.altitude }
    result.roll = Self.channel(points) { $0.roll }
    if let first = points.first?.t {
      let offsets = points.compactMap { $0.t.flatMap { Int(exactly: ($0 - first).rounded()) } }
      if offsets.count == points.count {
        result.timestamp = JIIXTimestamp.text(first)
        result.T = offsets
      }
    }
    return result
  }

  /// Adds the content of an item that is no ink.
  private func add(_ ink: InkStroke, to result: inout JIIXStroke) {
    switch ink.digital {
    case .text(let typed)?:
      result.type = JIIXStroke.glyphType
      result.label = typed.text
      result.fontFamily = typed.face.family
      result.fontSize = Self.rounded(ink.fontSize)
      if typed.face.isBold { result.fontWeight = "bold" }
      if typed.face.isItalic { result.fontStyle = "italic" }
    case .outline?: result.type = JIIXStroke.lineType
    case .picture(let picture)?:
      result.type = JIIXStroke.imageType
      result.mediaType = picture.type
      result.data = Data(picture.bytes)
    case nil: break
    }
  }

  /// Returns the values of a channel, or nil if none is known. A point without a value gets the
  /// last known one; points at the start get the first.
  private static func channel(
    _ points: ArraySlice<StrokePoint>, _ value: (StrokePoint) -> Double?
  ) -> [Double]? {
    // A pen may report an angle that is no number.
    let known = points.map { value($0).map(rounded).flatMap { $0.isFinite ? $0 : nil } }
    guard var last = known.lazy.compactMap(\.self).first else { return nil }
    return known.map { value in
      last = value ?? last
      return last
    }
  }

  /// Rounds to a tenth of a micrometre, so that numbers are short.
  private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

  // MARK: - Text

  private func addText(of node: BlockNode, to result: inout JIIXBlock) {
    var label = ""
    var words: [JIIXWord] = []
    var characters: [JIIXCharacter] = []
    var lines: [JIIXLine] = []
    var unread: [Int] = []
    var facts = JIIXTextFacts(items: listItems)
    var last: TextLine?
    for line in node.lines {
      let known = line.runs.flatMap(\.words)
      let own = Set(known.flatMap(\.items))
      unread += line.items.filter { !own.contains($0) }
      let metrics = LetterMetrics(line)
      var range: (first: Int, last: Int)?
      if !known.isEmpty {
        let gap = last.map { line.isCellBeside($0) ? "\t" : "\n" } ?? ""
        if !characters.isEmpty { addGap(gap, &words, &characters) }
        label += gap + line.text
        last = line
        let first = characters.count
        for (place, word) in known.enumerated() {
          if place > 0 { addGap(" ", &words, &characters) }
          add(word, &words, &characters)
        }
        if characters.count > first { range = (first, characters.count - 1) }
      }
      if let range { facts.add(line, range.first...range.last) }
      lines.append(
        JIIXLine(
          firstChar: range?.first, lastChar: range?.last, baselineY: metrics.baseline,
          xHeight: metrics.xHeight))
    }
    result.label = label
    facts.write(to: &result)
    if node === document.root { unread += document.pending }
    // Ink of no word: it is not read yet, was refused, or was read as nothing.
    if !unread.isEmpty { result.items = strokes(document.inOrder(unread)) }
    if options.words { result.words = words }
    if options.characters { result.chars = characters }
    if options.lines { result.lines = lines }
    let spans = document.decorationSpans(of: node)
    if !spans.isEmpty { result.decorations = spans.map(JIIXDecoration.init) }
    if options.strokes, options.ids, !document.spacings.isEmpty {
      let items = Set(node.lines.flatMap(\.items))
      let spaces = document.spacings.all.filter {
        items.contains($0.left) && items.contains($0.right)
      }
      if !spaces.isEmpty { result.spaces = spaces.map(JIIXSpace.init) }
    }
  }

  private func addGap(
    _ label: String, _ words: inout [JIIXWord], _ characters: inout [JIIXCharacter]
  ) {
    var word = JIIXWord(label: label)
    if options.characters { (word.firstChar, word.lastChar) = (characters.count, characters.count) }
    words.append(word)
    var character = JIIXCharacter(label: label)
    character.word = words.count - 1
    characters.append(character)
  }

  private func add(
    _ word: TextWord, _ words: inout [JIIXWord], _ characters: inout [JIIXCharacter]
  ) {
    var result = JIIXWord(label: word.label)
    result.candidates = TextCandidate.shown(word.candidates, label: word.label).map(\.text)
    if options.characters {
      (result.firstChar, result.lastChar) = (
        characters.count, characters.count + max(0, word.characters.count - 1)
      )
    }
    if options.boxes { result.boundingBox = JIIXBox(word.box) }
    result.items = strokes(word.items)
    result.range = range(word.items)
    if let formula = word.formula {
      (result.latex, result.mathml) = (formula.latex, formula.mathML)
      result.symbols = symbols(of: formula)
    }
    if word.formulas != [word.formula].compactMap({ $0 }) {
      result.formulas = word.formulas.map {
        JIIXFormula(label: $0.text, latex: $0.latex, symbols: symbols(of: $0))
      }
    }
    words.append(result)
    for letter in word.characters {
      var character = JIIXCharacter(label: letter.label)
      character.candidates = TextCandidate.shown(letter.candidates, label: letter.label)
        .map(\.text)
      character.word = words.count - 1
      if options.boxes, let box = letter.box {
        character.boundingBox = JIIXBox(box)
        character.grid = JIIXPoints([
          JIIXPoint(x: box.minX, y: box.minY), JIIXPoint(x: box.maxX, y: box.minY),
          JIIXPoint(x: box.maxX, y: box.maxY), JIIXPoint(x: box.minX, y: box.maxY),
        ])
      }
      character.items = strokes(letter.parts)
      character.range = range(letter.parts)
      characters.append(character)
    }
  }

  // MARK: - Shapes

  private func add(_ shape: RecognizedShape, to result: inout JIIXBlock) {
    result.candidates = shape.candidates.map(\.text)
    func points(_ points: [RecognizedShape.Point]) -> JIIXPoints {
      JIIXPoints(points.map { JIIXPoint(x: $0.x, y: $0.y) })
    }
    switch shape.form {
    case .rectangle(let box):
      result.kind = "rectangle"
      (result.x, result.y) = (box.minX, box.minY)
      (result.width, result.height) = (box.width, box.height)
    case .circle(let center, let radius):
      result.kind = "circle"
      (result.cx, result.cy, result.r) = (center.x, center.y, radius)
    case .ellipse(let center, let radiusX, let radiusY):
      result.kind = "ellipse"
      (result.cx, result.cy) = (center.x, center.y)
      (result.rx, result.ry) = (radiusX, radiusY)
    case .polygon(let kind, let corners):
      result.kind = kind
      result.points = points(corners)
    case .line(let from, let to, let startArrow, let endArrow):
      result.kind = "line"
      (result.x1, result.y1, result.x2, result.y2) = (from.x, from.y, to.x, to.y)
      if startArrow { result.startDecoration = "arrow-head" }
      if endArrow { result.endDecoration = "arrow-head" }
    case .polyline(let corners):
      result.kind = "polyedge"
      result.points = points(corners)
    }
  }
}

extension JIIXDecoration {
  /// The decoration of characters.
  init(_ span: DecorationSpan) {
    self.init(
      kind: span.kind.rawValue, firstChar: span.characters.lowerBound,
      lastChar: span.characters.upperBound - 1, style: span.style?.declarations)
  }
}

extension JIIXSpace {
  fileprivate init(_ spacing: Spacing) {
    self.init(kind: spacing.kind.name, left: "\(spacing.left)", right: "\(spacing.right)")
  }
}

extension JIIXBox {
  /// The box of ink.
  init(_ box: BoundingBox) {
    self.init(x: box.minX, y: box.minY, width: box.width, height: box.height)
  }
}

/// The options of an export to JIIX.
struct JIIXOptions: Hashable, Sendable {
  var boxes: Bool
  var strokes: Bool
  var ids: Bool
  var ranges: Bool
  var words: Bool
  var characters: Bool
  var lines: Bool

  /// Reads the keys `export.jiix...`.
  init(_ configuration: Configuration) throws(ConfigurationError) {
    boxes = try configuration.boolean("export.jiix.bounding-box")
    strokes = try configuration.boolean("export.jiix.strokes")
    ids = try configuration.boolean("export.jiix.ids")
    ranges = try configuration.boolean("export.jiix.ranges")
    words = try configuration.boolean("export.jiix.text.words")
    characters = try configuration.boolean("export.jiix.text.chars")
    lines = try configuration.boolean("export.jiix.text.lines")
  }
}
