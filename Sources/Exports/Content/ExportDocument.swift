import InkCore
import InkEditor
import Recognition

/// Pages in the form that every writer takes: pictures of the ink, and what was read in it.
///
/// All lengths are in millimetres of the page, and y grows downward.
package struct ExportDocument: Hashable, Sendable {
  /// The name of the document; empty for none.
  package var title: String
  /// The tag of the language of the text; nil if it is not known.
  package var language: String?
  /// The pages in order.
  package var pages: [ExportPage]

  /// Makes a document.
  package init(title: String = "", language: String? = nil, pages: [ExportPage] = []) {
    (self.title, self.language, self.pages) = (title, language, pages)
  }
}

/// A page of a document.
package struct ExportPage: Hashable, Sendable {
  /// The sheet.
  package var box: BoundingBox
  /// The ink and its decorations, from back to front.
  package var drawing: [DrawCommand]
  /// The blocks that were read, in reading order.
  package var blocks: [ExportBlock]
  /// The lines and arrows that join blocks.
  package var edges: [ExportEdge]
  /// The ink with its looks, for notes; nil for formats without it.
  package var ink: PageInk?
  /// The ink with its text, for formats of ink; nil for others.
  package var labeled: LabeledInk?
  /// The file of the page, if an editor wrote it: JIIX and SVG.
  package var written: [UInt8]?

  /// Makes a page.
  package init(
    box: BoundingBox, drawing: [DrawCommand] = [], blocks: [ExportBlock] = [],
    edges: [ExportEdge] = []
  ) {
    (self.box, self.drawing, self.blocks, self.edges) = (box, drawing, blocks, edges)
  }

  /// The lines of all blocks in reading order. O(lines).
  package var lines: [ExportLine] { blocks.flatMap(\.content.lines) }

  /// The lines that can be searched: those of all blocks, and formulas as plain text. O(lines).
  package var searchableLines: [ExportLine] {
    blocks.flatMap { block -> [ExportLine] in
      guard case .formula(let reading?) = block.content, let box = block.box else {
        return block.content.lines
      }
      // The signs of a typed formula are single letters of the page; together they are found here.
      return reading.text.split(separator: "\n").map {
        ExportLine([ExportWord(String($0), place: ExportPlace(box))])
      }
    }
  }
}

/// A part of a page.
package struct ExportBlock: Hashable, Sendable {
  /// The content of a block.
  package enum Content: Hashable, Sendable {
    /// Lines of text.
    case paragraph([ExportLine])
    /// A heading of a level: 1 for the largest.
    case heading(level: Int, [ExportLine])
    /// An item of a list, at a level: 1 at the left edge.
    case item(level: Int, mark: ExportItemMark, [ExportLine])
    /// The lines of each cell, row by row. All rows have as many cells.
    case table([[[ExportLine]]])
    /// Anything that is drawn, with the text inside of it.
    case figure([ExportLine])
    /// A formula with its reading; nil if it was not read.
    case formula(RecognizedFormula?)
    /// A picture that was put into the document, and a text for those who do not see it.
    case picture(DrawImage, String)

    /// The lines in reading order.
    package var lines: [ExportLine] {
      switch self {
      case .paragraph(let lines), .heading(_, let lines), .item(_, _, let lines),
        .figure(let lines):
        lines
      case .table(let rows): rows.flatMap { $0.flatMap { $0 } }
      case .formula, .picture: []
      }
    }
  }

  /// The number of the block that edges name. The items of one list have the number of the first.
  package var id: Int
  /// The content.
  package var content: Content
  /// The box of its ink; nil if there is none.
  package var box: BoundingBox?
  /// The picture of its ink, with the frames around it.
  package var drawing: [DrawCommand]
  /// The tag of its language if that is not the one of the document.
  package var language: String?

  /// Makes a block.
  package init(
    id: Int, _ content: Content, box: BoundingBox? = nil, drawing: [DrawCommand] = [],
    language: String? = nil
  ) {
    (self.id, self.content, self.box) = (id, content, box)
    (self.drawing, self.language) = (drawing, language)
  }
}

/// The sign before an item of a list.
package enum ExportItemMark: Hashable, Sendable {
  /// A bullet or a dash.
  case bullet
  /// A number or a letter with its sign, such as `3.` or `b)`.
  case number(String)
  /// A box to be ticked.
  case box
}

/// A line of text.
package struct ExportLine: Hashable, Sendable {
  /// The words in the order of reading.
  package var words: [ExportWord]

  /// Makes a line.
  package init(_ words: [ExportWord]) { self.words = words }

  /// The words with the spaces between them.
  package var text: String {
    words.enumerated().map { index, word in
      index > 0 && word.followsSpace ? " " + word.text : word.text
    }.joined()
  }
}

/// A word of a line.
package struct ExportWord: Hashable, Sendable {
  /// The text, without spaces at its ends.
  package var text: String
  /// True if a space is before it, unless it is the first of its line.
  package var followsSpace: Bool
  /// The place of its ink; nil if it has none.
  package var place: ExportPlace?
  /// The marks on it.
  package var decorations: Set<DecorationKind>
  /// The formula that is this word; nil for plain words. Its plain text is ``text``.
  package var formula: RecognizedFormula?
  /// The look of typed text; nil for handwriting.
  ///
  /// Typed words are also among the commands that draw the page: what is drawn is found and copied,
  /// so that the invisible text of a PDF leaves them out.
  package var style: ExportTextStyle?

  /// Makes a word.
  package init(
    _ text: String, followsSpace: Bool = true, place: ExportPlace? = nil,
    decorations: Set<DecorationKind> = [], style: ExportTextStyle? = nil,
    formula: RecognizedFormula? = nil
  ) {
    (self.text, self.followsSpace, self.formula) = (text, followsSpace, formula)
    (self.place, self.decorations, self.style) = (place, decorations, style)
  }
}

/// The look of typed text.
package struct ExportTextStyle: Hashable, Sendable {
  /// The size of the font, millimetres.
  package var size: Double
  /// The name of the font; empty for that of the program that shows it.
  package var family: String
  package var isBold: Bool
  package var isItalic: Bool
  package var isUnderlined: Bool
  package var isStruckThrough: Bool
  /// The colour; nil for that of text.
  package var color: InkColor?

  /// Makes a look.
  package init(
    size: Double, family: String = "", isBold: Bool = false, isItalic: Bool = false,
    isUnderlined: Bool = false, isStruckThrough: Bool = false, color: InkColor? = nil
  ) {
    (self.size, self.family, self.color) = (size, family, color)
    (self.isBold, self.isItalic) = (isBold, isItalic)
    (self.isUnderlined, self.isStruckThrough) = (isUnderlined, isStruckThrough)
  }

  /// The number of marks that set it apart.
  var emphasis: Int { [isBold, isItalic, isUnderlined, isStruckThrough].count { $0 } }

  /// The size in points.
  var points: Double { (size * 72 / 25.4 * 10).rounded() / 10 }
}

/// A box that may be turned.
package struct ExportPlace: Hashable, Sendable {
  /// The box in the frame of its line: x grows along the line, y from line to line.
  package var box: BoundingBox
  /// The direction of the line on the page in degrees: 0 to the right, 90 down.
  package var angle: Double

  /// Makes a place.
  package init(_ box: BoundingBox, angle: Double = 0) {
    (self.box, self.angle) = (box, angle)
  }

  /// The map from the frame of the line to the page.
  package var transform: PlaneTransform { .rotation(angle * .pi / 180) }

  /// The upright box on the page that holds it.
  package var pageBox: BoundingBox { transform.applied(box) }
}

/// A line or an arrow between two blocks.
package struct ExportEdge: Hashable, Sendable {
  /// The numbers of the blocks at its ends; nil where there is none.
  package var from: Int?
  package var to: Int?
  /// The ends with a head.
  package var startArrow: Bool
  package var endArrow: Bool
  /// The text beside it; empty for none.
  package var label: String
  /// The picture of its ink.
  package var drawing: [DrawCommand]

  /// Makes an edge.
  package init(
    from: Int?, to: Int?, startArrow: Bool = false, endArrow: Bool = false, label: String = "",
    drawing: [DrawCommand] = []
  ) {
    (self.from, self.to, self.label, self.drawing) = (from, to, label, drawing)
    (self.startArrow, self.endArrow) = (startArrow, endArrow)
  }
}
