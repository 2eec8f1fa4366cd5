/// Writes the text alone: the lines as they were written, a blank line between blocks and pages, tabs
/// between the cells of a table.
enum PlainTextWriter {
  static func text(of document: ExportDocument) -> String {
    let pages = document.pages.map { page in
      page.sections.map { section in
        let blocks: [String] =
          switch section {
          case .block(let block): [text(of: block)]
          case .list(let nodes): nodes.map { text(of: $0, level: 0) }
          case .diagram(let diagram): diagram.blocks.map(text)
          }
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n")
      }
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
    }.filter { !$0.isEmpty }
    return pages.isEmpty ? "" : pages.joined(separator: "\n\n") + "\n"
  }

  private static func text(of block: ExportBlock) -> String {
    switch block.content {
    case .paragraph(let lines), .heading(_, let lines), .figure(let lines):
      return lines.map(\.text).joined(separator: "\n")
    case .item(_, let mark, let lines):
      return text(of: ListNode(mark: mark, lines: lines), level: 0)
    case .table(let rows):
      return rows.map { row in
        row.map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\t")
      }.joined(separator: "\n")
    case .formula(let reading): return reading?.text ?? ""
    case .picture: return ""
    }
  }

  private static func text(of node: ListNode, level: Int) -> String {
    let indent = String(repeating: "  ", count: level)
    let sign =
      switch node.mark {
      case .bullet: "- "
      case .box: "☐ "
      case .number(let label): label + " "
      }
    let rest = indent + String(repeating: " ", count: sign.count)
    let own = node.lines.enumerated().map { ($0 == 0 ? indent + sign : rest) + $1.text }
    return (own + node.children.map { text(of: $0, level: level + 1) }).joined(separator: "\n")
  }
}
