import InkCore

/// The typed text of a page of version 6, laid out as far as strokes below it need it.
struct RemarkableText {
  /// The heights of lines in the paragraph styles 2 (heading), 4 to 7 (lists) and others.
  private static let headingHeight = 150.0
  private static let listHeight = 35.0
  private static let plainHeight = 70.0
  /// The distance from the top of the text to its first line.
  private static let top = -88.0
  /// The width of an average character.
  private static let characterWidth = 17.0
  /// The most characters of a page.
  private static let mostCharacters = 1_000_000
  /// The identifiers of the start and the end of any text.
  private static let edges: [UInt64] = [281_474_976_710_654, 281_474_976_710_655]

  private var characters = RemarkableSequence<Character>()
  private var styles: [RemarkableID: UInt8] = [:]
  private var x = 0.0
  private var y = 0.0
  private var width = 936.0
  private var count = 0

  /// A paragraph and its place.
  struct Paragraph {
    var text: String
    var box: BoundingBox
    fileprivate var characters: [RemarkableID]
  }

  /// Reads the block of the text.
  init(_ block: inout ByteCursor) throws(InkFormatError) {
    _ = try block.identifier(1)
    var content = try block.block(2)
    var texts = try content.block(1)
    var items = try texts.block(1)
    for _ in 0..<(try items.count(ofItems: 1)) {
      var item = try items.block(0)
      try addItem(&item)
    }
    if var formats = try content.optionalBlock(2), var list = try formats.optionalBlock(1) {
      for _ in 0..<(try list.count(ofItems: 1)) {
        let character = try list.identifier()
        _ = try list.identifier(1)
        var format = try list.block(2)
        try format.skip(1)
        styles[character] = try format.byte()
      }
    }
    var place = try block.block(3)
    (x, y) = (try place.double(), try place.double())
    width = try block.taggedFloat(4)
    guard x.isFinite, y.isFinite, width.isFinite else {
      throw block.error(.nonFiniteNumber, expected: "a finite place of the text", found: "NaN")
    }
  }

  private mutating func addItem(_ item: inout ByteCursor) throws(InkFormatError) {
    let id = try item.identifier(2)
    let left = try item.identifier(3)
    _ = try item.identifier(4)
    let deleted = Int(try item.taggedLong(5))
    var text = ""
    if var value = try item.optionalBlock(6) {
      text = try value.lengthText()
      if value.hasTag(2, 4) {
        // A mark of bold or italic has a place among the characters.
        try value.skip(4)
        if text.isEmpty { return add([nil], id: id, left: left) }
      }
    }
    count += max(deleted, text.unicodeScalars.count)
    guard count <= Self.mostCharacters else {
      throw item.error(
        .tooLarge, expected: "at most \(Self.mostCharacters) typed characters", found: "more")
    }
    add(
      deleted > 0
        ? Array(repeating: nil, count: deleted)
        : text.unicodeScalars.map { Character($0) }, id: id, left: left)
  }

  private mutating func add(_ values: [Character?], id: RemarkableID, left: RemarkableID) {
    var left = left
    for (index, value) in values.enumerated() {
      let own = id.advanced(by: index)
      characters.add(value, id: own, left: left)
      left = own
    }
  }

  /// The paragraphs from top to bottom.
  func paragraphs() -> [Paragraph] {
    var result: [Paragraph] = []
    var text = ""
    var ids: [RemarkableID] = []
    var style = styles[.none]
    var top = y + Self.top
    func end() {
      let line =
        switch style {
        case 2: Self.headingHeight
        case 4, 5, 6, 7: Self.listHeight
        default: Self.plainHeight
        }
      let perLine = max(1, Int(max(1, width) / Self.characterWidth))
      let lines = max(1, (text.count + perLine - 1) / perLine)
      let height = line * Double(lines)
      let used = min(width, Self.characterWidth * Double(max(1, min(text.count, perLine))))
      result.append(
        Paragraph(
          text: text,
          box: BoundingBox(minX: x, minY: top, maxX: x + max(0, used), maxY: top + height),
          characters: ids))
      top += height
      (text, ids) = ("", [])
    }
    for (id, character) in characters.ordered() {
      ids.append(id)
      guard character == "\n" else {
        text.append(character)
        continue
      }
      end()
      // The style of a paragraph belongs to the end of the one before it.
      style = styles[id]
    }
    if !ids.isEmpty { end() }
    return result
  }

  /// The heights at which strokes may be anchored.
  static func anchors(_ paragraphs: [Paragraph]) -> [RemarkableID: Double] {
    var result: [RemarkableID: Double] = [:]
    for paragraph in paragraphs {
      for id in paragraph.characters { result[id] = paragraph.box.minY }
    }
    if let last = paragraphs.last {
      result[RemarkableID(author: 0, value: edges[0])] = paragraphs.first?.box.minY ?? 0
      result[RemarkableID(author: 0, value: edges[1])] = last.box.maxY
    }
    return result
  }
}
