import InkCore
import InkEditor
import Recognition

/// The look of a piece of text.
struct FlowLook: Hashable {
  /// The marks on it.
  var decorations: Set<DecorationKind> = []
  /// The look of typed text; nil for handwriting.
  var style: ExportTextStyle?

  /// True if nothing sets it apart.
  var isPlain: Bool { decorations.isEmpty && style == nil }
}

/// A piece of flowing text.
enum FlowPiece: Hashable {
  /// Words of one look, with the spaces between them and around them.
  case text(String, FlowLook)
  /// A formula between words.
  case formula(RecognizedFormula, FlowLook)
  /// A new line that the writer wanted.
  case lineBreak
}

extension FlowPiece {
  /// The text without its look; empty for a new line.
  fileprivate var text: String {
    switch self {
    case .text(let text, _): text
    case .formula(let formula, _): formula.text
    case .lineBreak: ""
    }
  }

  /// The look; nil for a new line.
  fileprivate var look: FlowLook? {
    switch self {
    case .text(_, let look), .formula(_, let look): look
    case .lineBreak: nil
    }
  }
}

/// Lines of a block as one flowing text: a line that ends at the margin goes on with the next one.
struct TextFlow {
  /// The pieces in order.
  private(set) var pieces: [FlowPiece] = []

  /// Joins lines.
  ///
  /// - Parameter keepsLines: True to begin a new line with each, as for the texts of a drawing.
  init(_ lines: [ExportLine], keepsLines: Bool = false) {
    let isMirrored = lines.isRightToLeft
    let ends = lines.map { LineExtent($0, isMirrored: isMirrored) }
    let start = ends.compactMap { $0?.start }.min()
    let end = ends.compactMap { $0?.end }.max()
    for (index, line) in lines.enumerated() where !line.words.isEmpty {
      if index > 0, !pieces.isEmpty {
        if keepsLines {
          pieces.append(.lineBreak)
        } else if let own = ends[index - 1], let next = ends[index], let start, let end,
          end - own.end > LineExtent.room * next.firstWidth, end > start
        {
          pieces.append(.lineBreak)
        } else {
          join(line)
        }
      }
      for (place, word) in line.words.enumerated() {
        if place > 0, word.followsSpace { append(" ", between: word.look) }
        if let formula = word.formula {
          pieces.append(.formula(formula, word.look))
        } else {
          append(word.text, word.look)
        }
      }
    }
  }

  /// The text without looks.
  var text: String {
    pieces.map { piece in
      switch piece {
      case .text(let text, _): text
      case .formula(let formula, _): formula.text
      case .lineBreak: "\n"
      }
    }.joined()
  }

  /// Puts a space between two lines, unless their script has none or a word goes on.
  private mutating func join(_ next: ExportLine) {
    guard let last = pieces.last?.text.last, let first = next.words.first?.text.first
    else { return }
    let isDivided = last == "-" && text.dropLast().last?.isLetter == true && first.isLetter
    guard !isDivided, last.isWrittenWithSpaces || first.isWrittenWithSpaces else { return }
    append(" ", between: next.words.first?.look ?? FlowLook())
  }

  private mutating func append(_ text: String, _ look: FlowLook) {
    if case .text(let before, look)? = pieces.last {
      pieces[pieces.count - 1] = .text(before + text, look)
    } else {
      pieces.append(.text(text, look))
    }
  }

  /// Adds a space, which has the looks that both of its neighbours have.
  private mutating func append(_ space: String, between next: FlowLook) {
    guard let before = pieces.last?.look else { return }
    var look = before
    if before != next {
      look.decorations = before.decorations.intersection(next.decorations)
      // A space between two looks of typed text has the plainer one.
      look.style =
        (before.style?.emphasis ?? 0) <= (next.style?.emphasis ?? 0) ? before.style : next.style
    }
    append(space, look)
  }
}

extension ExportWord {
  /// The look of the word.
  var look: FlowLook { FlowLook(decorations: decorations, style: style) }
}

extension Character {
  /// False for the signs of scripts without spaces between words.
  fileprivate var isWrittenWithSpaces: Bool {
    let scripts = unicodeScalars.compactMap { ScriptTraits(of: $0)?.script }
    guard let script = scripts.first else { return !"、。，．！？：；（）「」『』".contains(self) }
    return !["Hani", "Hira", "Kana", "Thai", "Laoo", "Khmr", "Mymr", "Tibt", "Bopo"].contains(
      script)
  }
}

extension [ExportLine] {
  /// True if most letters of the text are read from right to left.
  var isRightToLeft: Bool {
    direction == .rightToLeft
  }

  /// The direction of most letters; nil if there are none.
  fileprivate var direction: WritingDirection? {
    WritingDirection(of: map(\.text).joined(separator: " "))
  }
}

extension [[[ExportLine]]] {
  /// True if the first cell of each row of a table is the rightmost one: by most letters of the table, or
  /// else, as for a table of numbers, of its page.
  func isRightToLeft(on page: ExportPage) -> Bool {
    (flatMap { $0.flatMap(\.self) }.direction ?? page.lines.direction) == .rightToLeft
  }
}

extension String {
  /// The text in pieces of one direction. Numbers, signs and spaces go with the text before them.
  /// O(scalars).
  var directedPieces: [(text: String, isRightToLeft: Bool)] {
    var result: [(text: String, isRightToLeft: Bool)] = []
    var start = ""
    for sign in self {
      let own = sign.unicodeScalars.lazy.compactMap { WritingDirection(of: $0) }.first
      guard let own else {
        if result.isEmpty { start.append(sign) } else { result[result.count - 1].text.append(sign) }
        continue
      }
      let isRightToLeft = own == .rightToLeft
      if result.last?.isRightToLeft == isRightToLeft {
        result[result.count - 1].text.append(sign)
      } else {
        result.append((start + String(sign), isRightToLeft))
        start = ""
      }
    }
    return result.isEmpty && !start.isEmpty ? [(start, false)] : result
  }
}

extension ExportBlock {
  /// True for an item of a list.
  var isItem: Bool {
    if case .item = content { true } else { false }
  }
}

/// An item of a list with the items below it.
struct ListNode {
  var mark: ExportItemMark
  var lines: [ExportLine]
  var language: String?
  var children: [ListNode] = []

  /// Returns the trees of neighbouring items. Levels that are left out count as the next one.
  static func trees(of items: [ExportBlock]) -> [ListNode] {
    var index = 0
    return trees(of: items, &index, above: 0)
  }

  private static func trees(
    of items: [ExportBlock], _ index: inout Int, above parent: Int
  ) -> [ListNode] {
    var result: [ListNode] = []
    while index < items.count, case .item(let level, let mark, let lines) = items[index].content,
      level > parent
    {
      result.append(ListNode(mark: mark, lines: lines, language: items[index].language))
      index += 1
      result[result.count - 1].children = trees(of: items, &index, above: level)
    }
    return result
  }

  /// Returns neighbouring items that have the same sort of mark.
  ///
  /// - Parameter separatesBoxes: True if bullets and boxes are different sorts.
  static func groups(of nodes: [ListNode], separatesBoxes: Bool = false) -> [[ListNode]] {
    var result: [[ListNode]] = []
    for node in nodes {
      if let last = result.last?.last, last.mark.isOrdered == node.mark.isOrdered,
        !separatesBoxes || (last.mark == .box) == (node.mark == .box)
      {
        result[result.count - 1].append(node)
      } else {
        result.append([node])
      }
    }
    return result
  }
}

extension ExportItemMark {
  /// True for numbers and letters.
  var isOrdered: Bool {
    if case .number = self { true } else { false }
  }

  /// The number of an item, or the place of its letter in the alphabet; nil for others.
  var number: Int? {
    guard case .number(let text) = self else { return nil }
    let label = text.dropLast()
    if let number = Int(DigitSystem.folded(String(label))) { return number }
    guard let letter = label.first?.asciiValue, label.count == 1 else { return nil }
    return Int(letter) - Int(UInt8(ascii: "a")) + 1
  }

  /// True for a letter.
  var isLetter: Bool {
    guard case .number(let text) = self else { return false }
    return text.first?.isLetter == true
  }
}
