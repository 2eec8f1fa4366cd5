import InkCore
import InkEditor
import Recognition

/// The records of blocks, lines and the state of a part.
enum ContentCoding {
  // MARK: - Blocks

  /// Returns the record of a block without its id and type.
  static func bytes(_ block: StoredBlock) -> [UInt8] {
    var writer = ByteWriter()
    writer.optional(block.box) { $0.box($1) }
    writer.list(block.children.compactMap { Int($0) })
    writer.optional(block.frame) { $0.box($1) }
    writer.byte(kindByte(block))
    writer.count(block.session)
    for end in block.ends { writer.optional(end.flatMap { Int($0) }) { $0.count($1) } }
    writer.optional(block.shape) { write($1, &$0) }
    writer.list(block.lines)
    writer.optional(block.items) { $0.list($1) }
    // The record of a block without a chosen formula ends here.
    if let formula = block.chosenFormula { writer.text(formula) }
    return writer.bytes
  }

  /// Reads a block.
  static func block(
    _ id: Int, type: String, _ bytes: UnsafeRawBufferPointer
  ) throws(ContentFault) -> StoredBlock {
    guard let type = BlockType(rawValue: type) else {
      throw ContentFault("a block has an unknown type")
    }
    var reader = ByteReader(bytes)
    var block = StoredBlock(id: "\(id)", type: type)
    block.box = try reader.optional { (reader) throws(ContentFault) in try reader.box() }
    block.children = try reader.list().map(String.init)
    block.frame = try reader.optional { (reader) throws(ContentFault) in try reader.box() }
    try setKind(of: &block, try reader.byte())
    block.session = try reader.small()
    for index in 0..<2 {
      block.ends[index] = try reader.optional { (reader) throws(ContentFault) in
        "\(try reader.small())"
      }
    }
    block.shape = try reader.optional { (reader) throws(ContentFault) in try shape(&reader) }
    block.lines = try reader.list()
    block.items = try reader.optional { (reader) throws(ContentFault) in try reader.list() }
    if !reader.isAtEnd { block.chosenFormula = try reader.text() }
    try reader.end()
    return block
  }

  /// One byte: bit 0 for a type that the user set; above it the number of the mark in the list of
  /// kinds, from 1, or 0 for none.
  private static func kindByte(_ block: StoredBlock) -> UInt8 {
    let mark = block.mark.flatMap { RecognizedMark.Kind.allCases.firstIndex(of: $0) }
    return (block.isForced ? 1 : 0) | UInt8(mark.map { $0 + 1 } ?? 0) << 1
  }

  private static func setKind(of block: inout StoredBlock, _ byte: UInt8) throws(ContentFault) {
    block.isForced = byte & 1 == 1
    let number = Int(byte >> 1)
    guard number > 0 else { return }
    guard number <= RecognizedMark.Kind.allCases.count else {
      throw ContentFault("a block has an unknown mark")
    }
    block.mark = RecognizedMark.Kind.allCases[number - 1]
  }

  // MARK: - Shapes

  private static func write(_ shape: RecognizedShape, _ writer: inout ByteWriter) {
    writer.text(shape.label)
    write(shape.candidates, &writer)
    writer.number(shape.deviation)
    func point(_ point: RecognizedShape.Point) {
      writer.number(point.x)
      writer.number(point.y)
    }
    switch shape.form {
    case .rectangle(let box):
      writer.byte(0)
      writer.box(box)
    case .circle(let center, let radius):
      writer.byte(1)
      point(center)
      writer.number(radius)
    case .ellipse(let center, let radiusX, let radiusY):
      writer.byte(2)
      point(center)
      writer.number(radiusX)
      writer.number(radiusY)
    case .polygon(let kind, let corners):
      writer.byte(3)
      writer.text(kind)
      writer.count(corners.count)
      corners.forEach(point)
    case .line(let from, let to, let startArrow, let endArrow):
      writer.byte(4)
      point(from)
      point(to)
      writer.byte(startArrow ? 1 : 0)
      writer.byte(endArrow ? 1 : 0)
    case .polyline(let corners):
      writer.byte(5)
      writer.count(corners.count)
      corners.forEach(point)
    }
  }

  private static func shape(_ reader: inout ByteReader) throws(ContentFault) -> RecognizedShape {
    let label = try reader.text()
    let candidates = try candidates(&reader)
    let deviation = try reader.number()
    func point(_ reader: inout ByteReader) throws(ContentFault) -> RecognizedShape.Point {
      RecognizedShape.Point(x: try reader.number(), y: try reader.number())
    }
    let form: RecognizedShape.Form
    switch try reader.byte() {
    case 0: form = .rectangle(try reader.box())
    case 1: form = .circle(center: try point(&reader), radius: try reader.number())
    case 2:
      form = .ellipse(
        center: try point(&reader), radiusX: try reader.number(), radiusY: try reader.number())
    case 3: form = .polygon(kind: try reader.text(), try reader.values(point))
    case 4:
      form = .line(
        from: try point(&reader), to: try point(&reader), startArrow: try reader.flag(),
        endArrow: try reader.flag())
    case 5: form = .polyline(try reader.values(point))
    default: throw ContentFault("a shape has an unknown form")
    }
    return RecognizedShape(
      label: label, candidates: candidates, form: form, deviation: deviation)
  }

  // MARK: - Lines

  /// Returns the record of a line without its id.
  static func bytes(_ line: StoredLine) -> [UInt8] {
    var writer = ByteWriter()
    writer.optional(line.activeRun) { $0.count($1) }
    writer.count(line.runs.count)
    for run in line.runs {
      writer.byte((run.isRead ? 1 : 0) | (run.isFixed ? 2 : 0) | (run.isInserted ? 4 : 0))
      writer.list(run.items)
      writer.list(run.moved)
      writer.count(run.words.count)
      for word in run.words { write(word, &writer) }
    }
    // The record of a plain line ends here.
    if !line.role.isPlain { write(line.role, &writer) }
    return writer.bytes
  }

  /// Reads a line.
  static func line(_ id: Int, _ bytes: UnsafeRawBufferPointer) throws(ContentFault) -> StoredLine {
    var reader = ByteReader(bytes)
    var line = StoredLine(id: id)
    line.activeRun = try reader.optional { (reader) throws(ContentFault) in try reader.small() }
    line.runs = try reader.values { (reader) throws(ContentFault) in
      let flags = try reader.byte()
      guard flags < 8 else { throw ContentFault("a part of a line has an unknown mark") }
      var run = StoredRun(items: try reader.list())
      (run.isRead, run.isFixed, run.isInserted) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
      run.moved = try reader.list()
      run.words = try reader.values { (reader) throws(ContentFault) in try word(&reader) }
      return run
    }
    if !reader.isAtEnd { line.role = try role(&reader) }
    try reader.end()
    return line
  }

  private static func write(_ role: LineRole, _ writer: inout ByteWriter) {
    writer.byte(role.isCut ? 1 : 0)
    writer.count(role.heading)
    writer.optional(role.cell) { writer, cell in
      for number in [cell.table, cell.row, cell.column] { writer.count(number) }
    }
  }

  private static func role(_ reader: inout ByteReader) throws(ContentFault) -> LineRole {
    var role = LineRole()
    role.isCut = try reader.flag()
    role.heading = try reader.small()
    guard role.heading <= LineRole.mostLevels else {
      throw ContentFault("the level of a heading is out of range")
    }
    role.cell = try reader.optional { (reader) throws(ContentFault) in
      TableCell(table: try reader.small(), row: try reader.small(), column: try reader.small())
    }
    if let cell = role.cell {
      guard TableCell.places ~= cell.row, TableCell.places ~= cell.column else {
        throw ContentFault("the place of a cell is out of range")
      }
    }
    return role
  }

  private static func write(_ word: TextWord, _ writer: inout ByteWriter) {
    writer.text(word.label)
    writer.count(word.id)
    let hasReadings = word.formulas != [word.formula].compactMap { $0 }
    writer.byte(
      (word.isChosen ? 1 : 0) | (word.formula == nil ? 0 : 2) | (hasReadings ? 4 : 0))
    writer.box(word.box)
    writer.list(word.items)
    write(word.candidates, &writer)
    writer.count(word.characters.count)
    for character in word.characters {
      writer.text(character.label)
      writer.count(character.id)
      writer.optional(character.box) { $0.box($1) }
      writer.count(character.parts.count)
      for part in character.parts { write(part, &writer) }
      write(character.candidates, &writer)
    }
    if let formula = word.formula { write(formula, &writer) }
    guard hasReadings else { return }
    writer.count(word.formulas.count)
    for formula in word.formulas {
      writer.text(formula.text)
      write(formula, &writer)
    }
  }

  private static func word(_ reader: inout ByteReader) throws(ContentFault) -> TextWord {
    let (label, id, flags) = (try reader.text(), try reader.small(), try reader.byte())
    guard flags < 8 else { throw ContentFault("a word has an unknown mark") }
    let (box, items) = (try reader.box(), try reader.list())
    let candidates = try candidates(&reader)
    let characters = try reader.values { (reader) throws(ContentFault) -> TextCharacter in
      let (label, id) = (try reader.text(), try reader.small())
      let box = try reader.optional { (reader) throws(ContentFault) in try reader.box() }
      let parts = try reader.values { (reader) throws(ContentFault) in try part(&reader) }
      return TextCharacter(
        label: label, candidates: try Self.candidates(&reader), parts: parts, box: box, id: id)
    }
    var word = TextWord(
      label: label, candidates: candidates, characters: characters, items: items, box: box,
      isChosen: flags & 1 != 0, id: id)
    if flags & 2 != 0 { word.formula = try formula(&reader, text: label) }
    word.formulas =
      flags & 4 == 0
      ? [word.formula].compactMap { $0 }
      : try reader.values { (reader) throws(ContentFault) in
        let text = try reader.text()
        return try formula(&reader, text: text)
      }
    return word
  }

  // MARK: - Formulas between words

  private static func write(_ formula: RecognizedFormula, _ writer: inout ByteWriter) {
    writer.text(formula.latex)
    writer.count(formula.symbols.count)
    for symbol in formula.symbols {
      writer.text(symbol.symbol)
      writer.list(symbol.strokes)
      writer.number(symbol.confidence)
      writer.count(symbol.candidates.count)
      for candidate in symbol.candidates { writer.text(candidate) }
    }
  }

  private static func formula(
    _ reader: inout ByteReader, text: String
  ) throws(ContentFault) -> RecognizedFormula {
    guard var formula = RecognizedFormula(latex: try reader.text()) else {
      throw ContentFault("a formula between words is no LaTeX")
    }
    formula.text = text
    formula.symbols = try reader.values { (reader) throws(ContentFault) in
      RecognizedFormula.Symbol(
        symbol: try reader.text(), strokes: try reader.list(), confidence: try reader.number(),
        candidates: try reader.values { (reader) throws(ContentFault) in try reader.text() })
    }
    return formula
  }

  private static func write(_ candidates: [TextCandidate], _ writer: inout ByteWriter) {
    writer.count(candidates.count)
    for candidate in candidates {
      writer.text(candidate.text)
      writer.number(candidate.probability)
    }
  }

  private static func candidates(
    _ reader: inout ByteReader
  ) throws(ContentFault) -> [TextCandidate] {
    try reader.values { (reader) throws(ContentFault) in
      TextCandidate(text: try reader.text(), probability: try reader.number())
    }
  }

  // MARK: - Decorations

  /// The kinds of decorations by their numbers, which never change.
  private static let kinds: [DecorationKind] = [
    .underline, .doubleUnderline, .strikeThrough, .highlight, .surround,
  ]

  /// Returns the record of a decoration without its id.
  static func bytes(_ decoration: Decoration) -> [UInt8] {
    var writer = ByteWriter()
    writer.byte(UInt8(kinds.firstIndex(of: decoration.kind) ?? 0))
    writer.optional(decoration.style?.color) { $0.text($1.description) }
    writer.optional(decoration.style?.width) { $0.number($1) }
    writer.count(decoration.parts.count)
    for part in decoration.parts { write(part, &writer) }
    return writer.bytes
  }

  /// Reads a decoration.
  static func decoration(
    _ id: Int, _ bytes: UnsafeRawBufferPointer
  ) throws(ContentFault) -> Decoration {
    var reader = ByteReader(bytes)
    let number = Int(try reader.byte())
    guard kinds.indices.contains(number) else {
      throw ContentFault("a decoration has an unknown kind")
    }
    let color = try reader.optional { (reader) throws(ContentFault) -> InkColor in
      guard let color = InkColor(try reader.text()) else {
        throw ContentFault("the colour of a decoration is none")
      }
      return color
    }
    let width = try reader.optional { (reader) throws(ContentFault) in try reader.number() }
    let parts = try reader.values { (reader) throws(ContentFault) in try part(&reader) }
    try reader.end()
    guard color != nil || width != nil else {
      return Decoration(id: id, kind: kinds[number], style: nil, parts: parts)
    }
    guard let style = try? DecorationStyle(color: color, width: width) else {
      throw ContentFault("the width of a decoration is out of range")
    }
    return Decoration(id: id, kind: kinds[number], style: style, parts: parts)
  }

  private static func write(_ part: ItemPart, _ writer: inout ByteWriter) {
    writer.count(part.item)
    writer.count(part.points.lowerBound)
    writer.count(part.points.count)
  }

  private static func part(_ reader: inout ByteReader) throws(ContentFault) -> ItemPart {
    let (item, start, count) = (try reader.small(), try reader.small(), try reader.small())
    return ItemPart(item: item, points: start..<start + count)
  }

  // MARK: - State

  /// Returns the record of a state.
  static func bytes(_ state: StoredState) -> [UInt8] {
    var writer = ByteWriter()
    writer.optional(state.activeBlock.flatMap { Int($0) }) { $0.count($1) }
    for counter in [
      state.session, state.nextNumber, state.nextItem, state.nextBlock, state.nextLine,
      state.nextWord,
    ] { writer.count(counter) }
    writer.optional(state.lastLine) { $0.count($1) }
    writer.number(state.lastX)
    writer.count(state.heights.count)
    for height in state.heights { writer.number(height) }
    writer.optional(state.configuration) { writer, configuration in
      writer.text(configuration.bundle)
      writer.text(configuration.name)
      writer.optional(configuration.model) { $0.text($1) }
      writer.text(configuration.alphabet)
      writer.count(configuration.lexicon.count)
      for word in configuration.lexicon { writer.text(word) }
    }
    writer.count(state.forcedShapes.count)
    for items in state.forcedShapes { writer.list(items) }
    writer.list(state.unsorted)
    writer.list(state.provisional)
    // A record of version 1 ends here.
    if !state.spacings.isEmpty {
      writer.count(state.spacings.count)
      for spacing in state.spacings {
        writer.byte(spacing.isSpace ? 1 : 0)
        writer.count(spacing.left)
        writer.count(spacing.right)
      }
    }
    return writer.bytes
  }

  /// Reads a state.
  static func state(_ bytes: UnsafeRawBufferPointer) throws(ContentFault) -> StoredState {
    var reader = ByteReader(bytes)
    var state = StoredState()
    state.activeBlock = try reader.optional { (reader) throws(ContentFault) in
      "\(try reader.small())"
    }
    state.session = try reader.small()
    state.nextNumber = try reader.small()
    state.nextItem = try reader.small()
    state.nextBlock = try reader.small()
    state.nextLine = try reader.small()
    state.nextWord = try reader.small()
    state.lastLine = try reader.optional { (reader) throws(ContentFault) in try reader.small() }
    state.lastX = try reader.number()
    state.heights = try reader.values { (reader) throws(ContentFault) in try reader.number() }
    state.configuration = try reader.optional { (reader) throws(ContentFault) in
      let (bundle, name) = (try reader.text(), try reader.text())
      let model = try reader.optional { (reader) throws(ContentFault) in try reader.text() }
      let alphabet = try reader.text()
      return TextConfiguration(
        bundle: bundle, name: name, model: model, alphabet: alphabet,
        lexicon: try reader.values { (reader) throws(ContentFault) in try reader.text() })
    }
    state.forcedShapes = try reader.values { (reader) throws(ContentFault) in try reader.list() }
    state.unsorted = try reader.list()
    state.provisional = try reader.list()
    if !reader.isAtEnd {
      state.spacings = try reader.values { (reader) throws(ContentFault) in
        StoredSpacing(
          isSpace: try reader.flag(), left: try reader.small(), right: try reader.small())
      }
    }
    try reader.end()
    return state
  }
}
