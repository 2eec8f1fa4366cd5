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
        case .block(let block): [block.readFormula].compactMap(\.self)
        case .list: []
        case .diagram(let diagram): diagram.blocks.compactMap(\.readFormula)
        }
      }
    }
    guard !formulas.isEmpty else {
      throw .nothing(format: format, needs: "formulas that were read")
    }
    return formulas.map { text($0) + "\n" }.joined()
  }
}

extension ExportBlock {
  /// The formula of the block, if it was read.
  fileprivate var readFormula: RecognizedFormula? {
    guard case .formula(let reading) = content else { return nil }
    return reading
  }
}
