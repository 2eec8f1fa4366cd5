import InkCore
import Recognition

// The items of lists. They follow from the texts of the lines and from the marks before them, so that
// they are always those of the present content, and are not stored.
extension Document {
  /// Returns the items of lists by the ids of the lines that begin them. O(lines²), and O(lines +
  /// blocks) on a page without items.
  func listItems() -> [Int: ListItem] {
    let texts = root.texts
    let frame = frame(of: root)
    // The place where the mark of each line begins, and its sign.
    var marks: [Int: (edge: Double, sign: String)] = [:]
    for block in blocks.values {
      guard let mark = block.mark, let sign = mark.listSign, let box = block.box else { continue }
      for text in texts {
        let line = text.lines.first { line in
          let place = frame.box(line.box)
          return RecognizedMark.isAbout(mark, at: frame.box(box), word: place, line: place)
        }
        guard let line else { continue }
        let edge = min(marks[line.id]?.edge ?? .infinity, frame.start(box))
        // The result must not depend on the order of the blocks.
        marks[line.id] = (edge, max(marks[line.id]?.sign ?? "", sign))
        break
      }
    }
    var (lines, groups): ([TextLine], [[Int]]) = ([], [])
    for text in texts {
      let own = text.lines.filter { $0.role.cell == nil && $0.role.heading == 0 }
      groups.append(Array(lines.count..<lines.count + own.count))
      lines += own
    }
    let found = ListItems.found(
      in: lines.map { ListItems.Line(text: $0.text, markEdge: marks[$0.id]?.edge) },
      blocks: groups
    ) { frame.box(lines[$0].box) }
    var result: [Int: ListItem] = [:]
    for (index, item) in found {
      let sign = marks[lines[index].id]?.sign
      guard let bullet = item.label ?? sign else { continue }
      result[lines[index].id] = ListItem(
        level: item.level, bullet: bullet, isInText: item.label != nil)
    }
    return result
  }

  /// The lines of a text, with the items that begin there.
  func readings(of block: BlockNode) -> [TextLineReading] {
    guard !block.lines.isEmpty else { return [] }
    let items = listItems()
    let direction = direction(of: block)
    return block.lines.map { line in
      var reading = line.reading(in: direction)
      reading.item = items[line.id]
      return reading
    }
  }
}

extension RecognizedMark.Kind {
  /// The sign of a mark that begins an item of a list; nil for other marks.
  fileprivate var listSign: String? {
    switch self {
    case .bullet: "•"
    case .tickBox: "☐"
    case .underline, .strikeThrough, .frame, .divider: nil
    }
  }
}
