/// The ink and the labels of a block of a JIIX document of any type.
///
/// Unknown keys are searched for ink, too: `expressions` and `operands` of formulas, cells of
/// tables, and keys of later versions.
struct JIIXNode {
  /// A word or a character.
  struct Part {
    var label: String
    var strokes: [JIIXStroke]
  }

  private(set) var type = ""
  private(set) var id: String?
  private(set) var label: String?
  private(set) var kind: String?
  /// The strokes of the block itself.
  private(set) var strokes: [JIIXStroke] = []
  private(set) var words: [Part] = []
  private(set) var characters: [Part] = []
  /// The blocks in `elements`.
  private(set) var elements: [JIIXNode] = []
  /// The blocks under other keys.
  private(set) var others: [JIIXNode] = []
  private var stroke: JIIXStroke?

  /// Reads a document.
  ///
  /// - Throws: ``InkFormatError`` for malformed JSON, another version, columns of different lengths,
  ///   and values nested too deeply.
  init(parsing bytes: [UInt8], path: String) throws(InkFormatError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(InkFormatError) -> JIIXNode in
      var scanner = JSONScanner(document: buffer, path: path)
      let node = try JIIXNode(&scanner, isRoot: true)
      try scanner.end()
      return node
    }
    if let stroke { strokes.append(stroke) }
  }

  private init(_ scanner: inout JSONScanner, isRoot: Bool = false) throws(InkFormatError) {
    var stroke = JIIXStroke(id: nil)
    try scanner.object("a block of JIIX") { (scanner, key) throws(InkFormatError) in
      switch key {
      case "type": type = try scanner.text() ?? type
      case "id": id = try scanner.text()
      case "label": label = try scanner.text()
      case "kind": kind = try scanner.text()
      case "timestamp": stroke.timestamp = try scanner.text()
      case "version" where isRoot: try Self.check(version: try scanner.text(), scanner)
      case "X" where scanner.isAtArray: stroke.X = try scanner.numbers("the array X of numbers")
      case "Y" where scanner.isAtArray: stroke.Y = try scanner.numbers("the array Y of numbers")
      case "F" where scanner.isAtArray: stroke.F = try scanner.numbers("the array F of numbers")
      case "azimuth" where scanner.isAtArray:
        stroke.azimuth = try scanner.numbers("the array azimuth of numbers")
      case "altitude" where scanner.isAtArray:
        stroke.altitude = try scanner.numbers("the array altitude of numbers")
      case "roll" where scanner.isAtArray:
        stroke.roll = try scanner.numbers("the array roll of numbers")
      case "T" where scanner.isAtArray: stroke.T = try Self.times(&scanner)
      case "words" where scanner.isAtArray: words = try Self.parts(&scanner)
      case "chars" where scanner.isAtArray: characters = try Self.parts(&scanner)
      case "elements": try Self.children(&scanner, &elements, &strokes)
      default: try Self.children(&scanner, &others, &strokes)
      }
    }
    // Typed text and pictures have places, and are no ink.
    guard type != JIIXStroke.glyphType, type != JIIXStroke.imageType else {
      label = nil
      return
    }
    guard stroke.X != nil || stroke.Y != nil else { return }
    stroke.id = id
    let counts = [
      stroke.X?.count, stroke.Y?.count, stroke.F?.count, stroke.T?.count, stroke.azimuth?.count,
      stroke.altitude?.count, stroke.roll?.count,
    ]
    guard stroke.X != nil, stroke.Y != nil, Set(counts.compactMap { $0 }).count == 1 else {
      throw scanner.error(
        .unequalLengths, expected: "columns of equal length in a stroke", found: "other lengths")
    }
    self.stroke = stroke
  }

  /// True if there is neither ink nor a label.
  private var isEmpty: Bool {
    strokes.isEmpty && words.isEmpty && characters.isEmpty && elements.isEmpty && others.isEmpty
      && kind == nil && label == nil
  }

  private static func check(
    version: String?, _ scanner: JSONScanner
  ) throws(InkFormatError) {
    guard let version, !["1", "2", "3"].contains(version.prefix { $0 != "." }) else { return }
    throw scanner.error(.malformed, expected: "JIIX of version 3", found: "another version")
  }

  /// Reads times; fractions are rounded.
  private static func times(_ scanner: inout JSONScanner) throws(InkFormatError) -> [Int] {
    var times: [Int] = []
    for time in try scanner.numbers("the array T of numbers") {
      guard let whole = Int(exactly: time.rounded()) else {
        throw scanner.error(.malformed, expected: "times in T", found: "a time that is too large")
      }
      times.append(whole)
    }
    return times
  }

  private static func parts(_ scanner: inout JSONScanner) throws(InkFormatError) -> [Part] {
    var parts: [Part] = []
    try scanner.array("an array of words or characters") { (scanner) throws(InkFormatError) in
      let node = try JIIXNode(&scanner)
      let strokes = (node.stroke.map { [$0] } ?? []) + node.strokes
      parts.append(Part(label: node.label ?? "", strokes: strokes))
    }
    return parts
  }

  /// Reads a value of any kind, and keeps the strokes and blocks in it.
  private static func children(
    _ scanner: inout JSONScanner, _ nodes: inout [JIIXNode], _ strokes: inout [JIIXStroke]
  ) throws(InkFormatError) {
    if scanner.isAtObject {
      let node = try JIIXNode(&scanner)
      if let stroke = node.stroke {
        strokes.append(stroke)
      } else if !node.isEmpty {
        nodes.append(node)
      }
    } else if scanner.isAtArray {
      try scanner.array("an array") { (scanner) throws(InkFormatError) in
        try children(&scanner, &nodes, &strokes)
      }
    } else {
      try scanner.skipValue()
    }
  }
}

extension JSONScanner {
  /// Reads a string, or the text of a number; nil for any other value.
  mutating func text() throws(InkFormatError) -> String? { try anyIdentifier() }
}
