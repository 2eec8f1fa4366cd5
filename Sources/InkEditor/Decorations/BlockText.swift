import InkCore

/// The characters of a text block with spaces, tabs and line breaks, counted as in JIIX.
struct BlockText {
  /// A character, a space, a tab or a line break.
  struct Element {
    /// The text.
    var label: String
    /// The ink; empty for spaces, line breaks and characters that have none.
    var parts: [ItemPart]
    /// The box of the ink.
    var box: BoundingBox?
    /// The index of the line in the block.
    var line: Int
    /// The index of the word in the block; nil for spaces and line breaks.
    var word: Int?
  }

  private(set) var elements: [Element] = []
  /// The characters of each word.
  private(set) var words: [Range<Int>] = []

  /// Takes the characters of a block. O(characters).
  init(_ block: BlockNode) { self.init(lines: block.lines) }

  /// Takes the characters of lines of a block. O(characters).
  init(lines: [TextLine]) {
    var last: TextLine?
    for (index, line) in lines.enumerated() {
      var isFirst = true
      let gap = last.map(line.isCellBeside) == true ? "\t" : "\n"
      for word in line.runs.lazy.flatMap(\.words) {
        if !elements.isEmpty {
          elements.append(
            Element(label: isFirst ? gap : " ", parts: [], box: nil, line: index, word: nil))
        }
        isFirst = false
        last = line
        let first = elements.count
        for letter in word.characters {
          elements.append(
            Element(
              label: letter.label, parts: letter.parts, box: letter.box, line: index,
              word: words.count))
        }
        words.append(first..<elements.count)
      }
    }
  }

  /// Returns the characters, with the spaces between them, of which most ink is in a set. A
  /// character without ink is as the one before it in its word.
  func covered(by anchor: InkAnchor) -> [Range<Int>] {
    var marks = [Bool](repeating: false, count: elements.count)
    for word in words {
      var last: Bool?
      for index in word {
        if !elements[index].parts.isEmpty { last = anchor.holdsMost(of: elements[index].parts) }
        marks[index] = last ?? false
      }
      let first = word.first { !elements[$0].parts.isEmpty }
      if let first { for index in word.lowerBound..<first { marks[index] = marks[first] } }
    }
    for index in marks.indices where elements[index].word == nil && index > 0 {
      marks[index] = marks[index - 1] && index + 1 < marks.count && marks[index + 1]
    }
    var result: [Range<Int>] = []
    var start: Int?
    for index in 0...marks.count {
      if index < marks.count, marks[index] {
        start = start ?? index
      } else if let begin = start {
        result.append(begin..<index)
        start = nil
      }
    }
    return result
  }
}
