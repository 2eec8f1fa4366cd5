import InkCore
import InkEditor
import Recognition

/// A block of a page in the form that clients get. Lengths are millimetres.
package struct PageBlock: Hashable, Sendable {
  /// The id, unique in the page while it is open.
  var id: String
  /// The type, such as `Text`, `Node`, `Edge` or `Drawing`.
  package var type: String
  /// The box of the ink: left, top, right, bottom.
  var box: [Double]
  /// The lines of a text, from top to bottom.
  package var lines: [PageLine]
  /// The shape of a node or an edge.
  package var shape: PageShape?
  /// What a drawing is on the page, such as `underline`; nil for all else.
  package var mark: String?
  /// What was read of a formula; nil for all else.
  package var formula: PageFormula?
  /// The strokes of a shape or drawing; empty for a text, whose lines have them.
  var items: [Int]
  /// The revision of the page in which the block changed last.
  var version = 0

  /// Reads a block of an editor; nil if it is gone or without ink.
  init?(_ block: ContentBlock) {
    guard let box = block.box else { return nil }
    id = block.id
    type = block.type.rawValue
    self.box = Self.numbers(box)
    if block.type == .text {
      lines = block.lines.map(PageLine.init)
      items = []
    } else {
      lines = []
      items = block.items
    }
    shape = block.shape.map(PageShape.init)
    mark = block.mark?.rawValue
    formula = block.type == .math ? PageFormula(block.formulas) : nil
  }

  /// Returns the edges of a box, rounded to hundredths of a millimetre.
  static func numbers(_ box: BoundingBox) -> [Double] {
    [box.minX, box.minY, box.maxX, box.maxY].map(rounded)
  }

  /// Rounds to hundredths of a millimetre.
  static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

/// A line of text of a page.
package struct PageLine: Hashable, Sendable, Encodable {
  /// The box of the ink.
  var box: [Double]
  /// The words; empty before the line is read.
  var words: [PageWord]
  /// The strokes, read or not.
  var items: [Int]
  /// The level of a heading; nil for other lines.
  package var heading: Int?
  /// The level of an item of a list that begins with the line; nil for other lines.
  package var level: Int?
  /// True if the line is read from right to left; nil for other lines.
  package var isLeftward: Bool?

  /// Reads a line of a block.
  init(_ line: TextLineReading) {
    box = PageBlock.numbers(line.box)
    words = line.words.map(PageWord.init)
    items = line.items
    heading = line.heading > 0 ? line.heading : nil
    level = line.item?.level
    isLeftward = line.direction == .rightToLeft ? true : nil
  }
}

/// A word of a page with its candidates.
struct PageWord: Hashable, Sendable, Encodable {
  /// The id, which is kept when the same ink is read again.
  var id: Int
  var text: String
  /// The candidates, best first, including the text.
  var candidates: [Candidate]
  /// The strokes.
  var items: [Int]
  /// The box of the ink.
  var box: [Double]
  /// True if the text was chosen.
  var isChosen: Bool
  /// The readings of its ink as a formula; nil for plain words.
  var formula: PageFormula?
  /// False if the word has readings as a formula, but is a text; nil for all others.
  var isFormula: Bool?

  /// A reading of a word with its probability.
  struct Candidate: Hashable, Sendable, Encodable {
    var text: String
    /// 0 ... 1, in thousandths.
    var probability: Double
  }

  /// Reads a word of a line.
  init(_ word: TextWord) {
    id = word.id
    text = word.label
    candidates = word.candidates.map {
      Candidate(text: $0.text, probability: ($0.probability * 1000).rounded() / 1000)
    }
    items = word.items
    box = PageBlock.numbers(word.box)
    isChosen = word.isChosen
    // The symbols of a word that is a text cannot be chosen.
    formula = PageFormula(
      [word.formula].compactMap { $0 } + word.formulas.filter { $0.latex != word.formula?.latex })
    guard formula != nil, word.formula == nil else { return }
    formula?.symbols = []
    isFormula = false
  }
}

/// The readings of a formula of a page.
package struct PageFormula: Hashable, Sendable, Encodable {
  /// The best reading as plain text, LaTeX and presentation MathML.
  package var text: String
  package var latex: String
  var mathml: String
  /// The value of a formula of numbers.
  package var result: String?
  /// Whether an equation of numbers holds; nil for other formulas.
  var isTrue: Bool?
  /// All readings, best first.
  package var candidates: [Candidate]
  /// The symbols that may be another one.
  package var symbols: [Symbol]

  /// A reading as plain text and as LaTeX.
  package struct Candidate: Hashable, Sendable, Encodable {
    package var text: String
    package var latex: String
  }

  /// A symbol with its candidates, which are LaTeX.
  package struct Symbol: Hashable, Sendable, Encodable {
    package var symbol: String
    package var candidates: [Candidate]
    package var items: [Int]
  }

  /// Takes readings, best first; nil if there are none.
  init?(_ formulas: [RecognizedFormula]) {
    guard let best = formulas.first else { return nil }
    (text, latex, mathml) = (best.text, best.latex, best.mathML)
    (result, isTrue) = (best.result?.text, best.isTrue)
    candidates = formulas.map { Candidate(text: $0.text, latex: $0.latex) }
    symbols = best.symbols.filter { $0.candidates.count > 1 }.map { symbol in
      Symbol(
        symbol: symbol.symbol,
        candidates: symbol.candidates.map {
          Candidate(text: RecognizedFormula(latex: $0)?.text ?? $0, latex: $0)
        }, items: symbol.strokes)
    }
  }
}

/// The ideal form of a shape of a page.
package struct PageShape: Hashable, Sendable, Encodable {
  /// The name, such as `rectangle` or `arrow`.
  package var label: String
  /// The corners of a polygon or polyline, or the ends of a line, each as x and y.
  var points: [[Double]] = []
  /// True if the last corner is connected to the first.
  var isClosed = false
  /// The centre and the radii of an ellipse: x, y, rx, ry.
  var ellipse: [Double]?
  /// True for each end of a line that has an arrow head.
  var heads: [Bool] = []

  /// Reads a shape of a block.
  init(_ shape: RecognizedShape) {
    label = shape.label
    func point(_ point: RecognizedShape.Point) -> [Double] {
      [PageBlock.rounded(point.x), PageBlock.rounded(point.y)]
    }
    switch shape.form {
    case .rectangle(let box):
      points = [
        [box.minX, box.minY], [box.maxX, box.minY], [box.maxX, box.maxY], [box.minX, box.maxY],
      ].map { $0.map(PageBlock.rounded) }
      isClosed = true
    case .circle(let center, let radius):
      ellipse = point(center) + [radius, radius].map(PageBlock.rounded)
    case .ellipse(let center, let radiusX, let radiusY):
      ellipse = point(center) + [radiusX, radiusY].map(PageBlock.rounded)
    case .polygon(_, let corners):
      points = corners.map(point)
      isClosed = true
    case .line(let from, let to, let startArrow, let endArrow):
      points = [point(from), point(to)]
      heads = [startArrow, endArrow]
    case .polyline(let corners): points = corners.map(point)
    }
  }
}
