import Foundation
import InkEditor
import Recognition

/// Writes CommonMark: headings, paragraphs, lists, and the tables and struck words of GitHub's dialect.
/// Blocks that edges join are a diagram of Mermaid.
enum MarkdownWriter {
  static func text(of document: ExportDocument, _ options: ExportOptions) -> String {
    var parts: [String] = []
    for page in document.pages {
      for section in page.sections {
        switch section {
        case .block(let block): parts += text(of: block, options)
        case .list(let nodes):
          for group in ListNode.groups(of: nodes) {
            // Two lists in a row are one without something between them.
            if let last = parts.last, isList(last) { parts.append("<!-- -->") }
            parts.append(list(group, indent: ""))
          }
        case .diagram(let diagram):
          parts += picture(diagram.figure, "diagram", options)
          if let text = try? MermaidWriter.text(of: diagram.document) {
            parts.append("```mermaid\n" + text + "```")
          }
        }
      }
    }
    let all = parts.filter { !$0.isEmpty }
    return all.isEmpty ? "" : all.joined(separator: "\n\n") + "\n"
  }

  private static func text(of block: ExportBlock, _ options: ExportOptions) -> [String] {
    switch block.content {
    case .paragraph(let lines): return [inline(lines, isAtStart: true)]
    case .heading(let level, let lines):
      let text = inline(lines, isAtStart: false).replacing("\\\n", with: " ")
      return [String(repeating: "#", count: min(max(level, 1), 6)) + " " + text]
    case .item: return []
    case .table(let rows): return [table(rows)]
    case .figure(let lines):
      return picture(block, "drawing", options)
        + (lines.isEmpty ? [] : [inline(lines, isAtStart: true)])
    case .formula(let reading):
      return picture(block, "formula", options) + (reading.map { ["$$\n\($0.latex)\n$$"] } ?? [])
    case .picture(let image, let label):
      guard let kind = PictureKind(of: image.bytes) else { return [] }
      let name = escaped(label, isAtStart: false)
      return [
        "![\(name)](data:\(kind.mediaType);base64,\(Data(image.bytes).base64EncodedString()))"
      ]
    }
  }

  private static func picture(
    _ block: ExportBlock, _ name: String, _ options: ExportOptions
  ) -> [String] {
    guard options.drawsInk, let svg = FigurePicture(block)?.svg else { return [] }
    return ["![\(name)](data:image/svg+xml;base64,\(Data(svg.utf8).base64EncodedString()))"]
  }

  // MARK: - Lists

  private static func isList(_ text: String) -> Bool {
    let line = text.prefix { $0 != "\n" }
    if line.hasPrefix("- ") { return true }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && [". ", ") "].contains(line.dropFirst(digits.count).prefix(2))
  }

  private static func list(_ nodes: [ListNode], indent: String) -> String {
    var next = nodes.first?.mark.number ?? 1
    return nodes.map { node in
      let sign: String
      switch node.mark {
      case .bullet: sign = "- "
      case .box: sign = "- [ ] "
      case .number(let label):
        // Markdown has no letters as numbers.
        sign = "\(max(0, node.mark.number ?? next))\(label.last == ")" ? ")" : ".") "
        next += 1
      }
      let inner = indent + String(repeating: " ", count: node.mark == .box ? 2 : sign.count)
      let text = inline(node.lines, isAtStart: true).replacing("\n", with: "\n" + inner)
      let children = ListNode.groups(of: node.children).map { "\n" + list($0, indent: inner) }
      return indent + sign + text + children.joined()
    }.joined(separator: "\n")
  }

  // MARK: - Tables

  private static func table(_ rows: [[[ExportLine]]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    guard columns > 0 else { return "" }
    func line(_ row: [[ExportLine]]) -> String {
      let cells = (0..<columns).map { column in
        column < row.count
          ? inline(row[column], isAtStart: false).replacing("\\\n", with: "<br>") : ""
      }
      return "| " + cells.joined(separator: " | ") + " |"
    }
    let rule = "|" + String(repeating: " --- |", count: columns)
    return ([line(rows[0]), rule] + rows.dropFirst().map(line)).joined(separator: "\n")
  }

  // MARK: - Words

  /// Returns lines as flowing text with its looks.
  ///
  /// - Parameter isAtStart: True if signs of blocks must be escaped at the beginning of a line.
  private static func inline(_ lines: [ExportLine], isAtStart: Bool) -> String {
    let pieces = TextFlow(lines).pieces
    var result = ""
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .lineBreak: result += "\\\n"
      case .text(let text, let look):
        let isFirst = result.isEmpty || result.last == "\n"
        let escaped = escaped(text, isAtStart: isAtStart && isFirst)
        let isFree = isFree(before: result.last) && isFree(after: pieces, index)
        result += decorated(escaped, look, isFree: isFree)
      case .formula(let formula, let look):
        let isFree = isFree(before: result.last) && isFree(after: pieces, index)
        result += decorated(inline(formula), look, isFree: isFree)
      }
    }
    return result
  }

  /// Returns a formula between words. A bar would end the cell of a table.
  private static func inline(_ formula: RecognizedFormula) -> String {
    "$" + formula.latex.replacing("\\|", with: "\\Vert ").replacing("|", with: "\\vert ") + "$"
  }

  private static func isFree(before last: Character?) -> Bool {
    last.map(\.isWhitespace) ?? true
  }

  /// Returns true if a piece ends the line or a space is after it.
  private static func isFree(after pieces: [FlowPiece], _ index: Int) -> Bool {
    guard index + 1 < pieces.count, case .text(let next, _) = pieces[index + 1] else { return true }
    return next.first.map(\.isWhitespace) ?? true
  }

  /// Puts the signs of looks around a text. Spaces at its ends stay outside.
  ///
  /// - Parameter isFree: True if spaces are around it. Stars that touch words are not always signs.
  private static func decorated(
    _ text: String, _ look: FlowLook, isFree: Bool
  ) -> String {
    let (looks, style) = (look.decorations, look.style)
    guard !look.isPlain, let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return text }
    var inner = String(text[first...last])
    if style?.isItalic == true { inner = isFree ? "*\(inner)*" : "<em>\(inner)</em>" }
    if looks.contains(.underline) || looks.contains(.doubleUnderline) || looks.contains(.surround)
      || style?.isBold == true || style?.isUnderlined == true
    {
      inner = isFree ? "**\(inner)**" : "<strong>\(inner)</strong>"
    }
    if looks.contains(.strikeThrough) || style?.isStruckThrough == true {
      inner = isFree ? "~~\(inner)~~" : "<del>\(inner)</del>"
    }
    if looks.contains(.highlight) { inner = "<mark>\(inner)</mark>" }
    return text[..<first] + inner + text[text.index(after: last)...]
  }

  /// Returns a text in which no sign has a meaning.
  ///
  /// - Parameter isAtStart: True if the text begins a line.
  static func escaped(_ text: String, isAtStart: Bool) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "~", "&", "$": result += "\\\(character)"
      case "\n", "\r", "\r\n": result += " "
      default: result.append(character)
      }
    }
    guard isAtStart, let first = result.first else { return result }
    if "#+-=".contains(first) { return "\\" + result }
    let digits = result.prefix { $0.isASCII && $0.isNumber }
    let rest = result.dropFirst(digits.count)
    if !digits.isEmpty, let sign = rest.first, sign == "." || sign == ")" {
      return digits + "\\" + rest
    }
    return result
  }
}
