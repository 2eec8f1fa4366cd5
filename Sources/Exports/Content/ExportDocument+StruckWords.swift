import InkCore
import InkEditor

extension ExportDocument {
  /// The document without words that are struck through, and without what is empty then.
  var withoutStruckWords: ExportDocument {
    var result = self
    result.pages = pages.map(\.withoutStruckWords)
    return result
  }
}

extension ExportPage {
  /// The page without words that are struck through, and without what is empty then. The ink stays.
  var withoutStruckWords: ExportPage {
    var result = self
    result.blocks = blocks.compactMap { block in
      var block = block
      let before = block.content.lines.count
      block.content = block.content.mappingLines { line in
        let words = line.words.filter { !$0.decorations.contains(.strikeThrough) }
        return words.isEmpty ? nil : ExportLine(words)
      }
      let isEmpty = before > 0 && block.content.lines.isEmpty && block.drawing.isEmpty
      return isEmpty ? nil : block
    }
    return result
  }
}

extension ExportBlock.Content {
  /// Returns the content with other lines; those that become nil are left out.
  func mappingLines(_ map: (ExportLine) -> ExportLine?) -> ExportBlock.Content {
    switch self {
    case .paragraph(let lines): .paragraph(lines.compactMap(map))
    case .heading(let level, let lines): .heading(level: level, lines.compactMap(map))
    case .item(let level, let mark, let lines):
      .item(level: level, mark: mark, lines.compactMap(map))
    case .table(let rows): .table(rows.map { $0.map { $0.compactMap(map) } })
    case .figure(let lines): .figure(lines.compactMap(map))
    case .formula(let reading): .formula(reading)
    case .picture(let image, let label): .picture(image, label)
    }
  }
}
