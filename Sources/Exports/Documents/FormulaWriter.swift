import Recognition

/// Writes the formulas alone, one in a line, in reading order.
enum FormulaWriter {
  /// - Throws: ``ExportError/nothing(format:needs:)`` if no formula was read.
  static func latex(of document: ExportDocument) throws(ExportError) -> String {
    try lines(of: document, \.latex, format: "LaTeX")
  }

  /// - Throws: ``ExportError/nothing(format:needs:)`` if no formula was read.
  static func mathML(of document: ExportDocument) throws(ExportError) -> String {
    try lines(of: document, \.mathML, format: "MathML")
  }

  private static func lines(
    of document: ExportDocument, _ text: (RecognizedFormula) -> String, format: String
  ) throws(ExportError) -> String {
    let formulas = document.pages.flatMap { page in
      page.sections.flatMap { section -> [RecognizedFormula] in
        switch section {
        case .block(let block): block.readFormulas
        case .list(let nodes): nodes.flatMap(Self.formulas)
        case .diagram(let diagram): diagram.blocks.flatMap(\.readFormulas)
        }
      }
    }
    guard !formulas.isEmpty else {
      throw .nothing(format: format, needs: "formulas that were read")
    }
    return formulas.map { text($0) + "\n" }.joined()
  }

  /// The formulas in the lines of an item and of the items below it.
  private static func formulas(of node: ListNode) -> [RecognizedFormula] {
    node.lines.flatMap(\.formulas) + node.children.flatMap(formulas)
  }
}

extension ExportBlock {
  /// The formula of the block if it was read, and those in its lines.
  fileprivate var readFormulas: [RecognizedFormula] {
    guard case .formula(let reading) = content else { return content.lines.flatMap(\.formulas) }
    return [reading].compactMap(\.self)
  }
}

extension ExportLine {
  /// The formulas between its words.
  fileprivate var formulas: [RecognizedFormula] { words.compactMap(\.formula) }
}
