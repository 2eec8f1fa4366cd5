import Foundation
import InkCore
import Layout

// What a page holds beside its lines. Every stroke of a page is in exactly one block, edge or mark.

/// Strokes of a page that belong together.
public struct RecognizedBlock: Hashable, Sendable {
  /// What a block is.
  public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
    /// Lines of text: a paragraph, a heading, a label, a node of a diagram.
    case text
    /// A formula.
    case formula
    /// Text in rows and columns.
    case table
    /// Anything that is drawn.
    case drawing
  }

  /// What it is.
  public var kind: Kind
  /// The box of its ink, in the unit of the ink; nil if its strokes have no points.
  public var bounds: BoundingBox?
  /// The angle of its lines in degrees, by which they are turned clockwise: 0 for level lines, 90 for
  /// lines downward, or upward if they are written from right to left.
  public var angle: Double
  /// The indices of its strokes, ascending.
  public var strokes: [Int]
  /// The indices of its lines in ``RecognitionResult/lines``, in reading order.
  public var lines: [Int]
  /// For a table the lines of each cell, row by row; empty for other blocks. All rows have as many
  /// cells.
  public var rows: [[[Int]]]
  /// The level of a heading by the size of its letters: 1 for the largest, 0 for other text.
  public var heading = 0
  /// The tag of the language of its text if that differs from the language of the page, else nil.
  public var language: String?
  /// The reading of a formula; nil for other blocks, and where no model of formulas was at hand.
  public var formula: RecognizedFormula?

  /// Makes a block.
  public init(
    kind: Kind, bounds: BoundingBox?, angle: Double = 0, strokes: [Int], lines: [Int] = [],
    rows: [[[Int]]] = []
  ) {
    self.kind = kind
    self.bounds = bounds
    self.angle = angle
    self.strokes = strokes
    self.lines = lines
    self.rows = rows
  }
}

/// A line or an arrow that joins two blocks of a page.
public struct RecognizedEdge: Hashable, Sendable {
  /// The ends with a head.
  public enum Arrow: String, CaseIterable, Hashable, Codable, Sendable {
    case none, end, both
  }

  /// The index of the block where it begins; nil if there is none.
  public var from: Int?
  /// The index of the block where it ends; nil if there is none.
  public var to: Int?
  /// The ends with a head.
  public var arrow: Arrow
  /// The indices of its strokes, ascending.
  public var strokes: [Int]

  /// Makes an edge.
  public init(from: Int?, to: Int?, arrow: Arrow, strokes: [Int]) {
    self.from = from
    self.to = to
    self.arrow = arrow
    self.strokes = strokes
  }
}

/// A mark that says something about words, or parts the page.
public struct RecognizedMark: Hashable, Sendable {
  /// What a mark is.
  public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
    case underline
    case strikeThrough = "strike-through"
    case frame
    case divider
    case bullet
    case tickBox = "tick-box"
  }

  /// A word of a line.
  public struct Word: Hashable, Sendable {
    /// The index of the line in ``RecognitionResult/lines``.
    public var line: Int
    /// The index of the word in the line's best candidate.
    public var word: Int

    /// Makes a reference to a word.
    public init(line: Int, word: Int) {
      self.line = line
      self.word = word
    }
  }

  /// What it is.
  public var kind: Kind
  /// The indices of its strokes, ascending.
  public var strokes: [Int]
  /// The words that are underlined, struck through, framed or listed, in reading order.
  public var words: [Word]

  /// Makes a mark.
  public init(kind: Kind, strokes: [Int], words: [Word]) {
    self.kind = kind
    self.strokes = strokes
    self.words = words
  }
}

extension RecognizedMark.Kind {
  /// The kind of its strokes.
  package var strokeKind: StrokeKind {
    switch self {
    case .underline: .underline
    case .strikeThrough: .strikeThrough
    case .frame: .frame
    case .divider: .divider
    case .bullet: .bullet
    case .tickBox: .tickBox
    }
  }

  /// The mark that a stroke of a kind is; nil for kinds that are none.
  package init?(_ kind: StrokeKind) {
    guard let mark = Self.allCases.first(where: { $0.strokeKind == kind }) else { return nil }
    self = mark
  }
}

extension RecognitionResult {
  /// Takes over the structure of a page whose lines were read.
  ///
  /// - Parameters:
  ///   - ink: The ink of the structure; the strokes of the lines are counted in it.
  ///   - angle: The direction of the lines, in degrees.
  ///   - direction: The direction of writing. Bullets are where lines begin.
  mutating func add(
    _ structure: PageStructure, of ink: Ink, angle: Int,
    direction: WritingDirection = .leftToRight
  ) {
    blocks = structure.blocks.map { block in
      var result = RecognizedBlock(
        kind: RecognizedBlock.Kind(block.kind), bounds: nil,
        angle: remainder(Double(angle + block.angle), 360), strokes: block.strokes,
        lines: block.lines, rows: block.rows)
      result.heading = block.heading
      return result
    }
    for (index, block) in blocks.enumerated() {
      for line in block.lines { lines[line].block = index }
    }
    edges = structure.edges.map { edge in
      RecognizedEdge(
        from: edge.from, to: edge.to, arrow: RecognizedEdge.Arrow(edge.arrow), strokes: edge.strokes
      )
    }
    let words = structure.marks.isEmpty ? [] : placedWords(ink)
    marks = structure.marks.compactMap { mark in
      RecognizedMark.Kind(mark.kind).map { kind in
        RecognizedMark(
          kind: kind, strokes: mark.strokes,
          words: words.filter {
            RecognizedMark.isAbout(
              kind, at: mark.box.turned(direction), word: $0.box.turned(direction),
              line: $0.line.turned(direction))
          }.map(\.word))
      }
    }
  }

  /// The words of all lines with their boxes.
  private func placedWords(_ ink: Ink) -> [PlacedWord] {
    lines.enumerated().flatMap { line, read -> [PlacedWord] in
      guard let best = read.candidates.first,
        let box = Ink(strokes: read.strokes.map { ink.strokes[$0] }).boundingBox
      else { return [] }
      return best.words.enumerated().compactMap { index, word in
        Ink(strokes: best.strokes(of: word).map { ink.strokes[$0] }).boundingBox.map {
          PlacedWord(
            word: RecognizedMark.Word(line: line, word: index), box: $0, line: box)
        }
      }
    }
  }

  /// The text of the best readings, line by line, as one would read the page aloud. The cells of a row
  /// of a table are on one line with tabs between them.
  ///
  /// - Parameter withStruckWords: False to leave out words that are struck through, and lines that are
  ///   empty without them.
  public func text(withStruckWords: Bool = true) -> String {
    let struck =
      withStruckWords
      ? [] : Set(marks.filter { $0.kind == .strikeThrough }.flatMap(\.words))
    let texts = lines.indices.map { line -> String in
      guard let best = lines[line].candidates.first,
        struck.contains(where: { $0.line == line })
      else { return lines[line].text }
      let words = best.words.indices.filter {
        !struck.contains(RecognizedMark.Word(line: line, word: $0))
      }
      return words.map { best.words[$0].text }.joined(separator: " ")
    }
    guard !blocks.isEmpty else { return texts.joined(separator: "\n") }
    return blocks.flatMap { block in
      block.rows.isEmpty
        ? block.lines.map { texts[$0] }
        : block.rows.map { row in
          row.map { $0.map { texts[$0] }.joined(separator: " ") }.joined(separator: "\t")
        }
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Sets the bounds of the blocks from the ink that was given.
  mutating func setBounds(from ink: Ink) {
    for index in blocks.indices {
      blocks[index].bounds =
        Ink(strokes: blocks[index].strokes.map { ink.strokes[$0] }).boundingBox
    }
  }
}

/// A word and where it stands.
private struct PlacedWord {
  var word: RecognizedMark.Word
  var box: BoundingBox
  /// The box of its line.
  var line: BoundingBox
}

extension RecognizedMark {
  /// A mark covers this share of the width of a word that it is about.
  private static let covered = 0.5
  /// An underline is below the middle of the word, and no farther below its line than this share of
  /// the line's height.
  private static let below = 0.6

  /// Returns whether a mark is about a word. All boxes are in the reading frame.
  ///
  /// - Parameters:
  ///   - kind: What the mark is.
  ///   - mark: Its box.
  ///   - box: The box of the word.
  ///   - line: The box of the word's line.
  package static func isAbout(
    _ kind: Kind, at mark: BoundingBox, word box: BoundingBox, line: BoundingBox
  ) -> Bool {
    let shared = min(mark.maxX, box.maxX) - max(mark.minX, box.minX)
    let isCovered = shared >= covered * box.width
    switch kind {
    case .underline:
      return isCovered && mark.midY > box.midY
        && mark.minY < max(box.maxY, line.midY) + below * line.height
    case .strikeThrough:
      return isCovered && mark.midY > box.minY && mark.midY < box.maxY
    case .frame:
      return isCovered && mark.contains(x: box.midX, y: box.midY)
    case .bullet, .tickBox:
      return mark.midX < line.minX + line.height && mark.midY > line.minY && mark.midY < line.maxY
    case .divider:
      return false
    }
  }
}

extension RecognizedBlock.Kind {
  fileprivate init(_ kind: PageStructure.Block.Kind) {
    switch kind {
    case .text: self = .text
    case .formula: self = .formula
    case .table: self = .table
    case .drawing: self = .drawing
    }
  }
}

extension RecognizedEdge.Arrow {
  fileprivate init(_ arrow: PageStructure.Edge.Arrow) {
    switch arrow {
    case .none: self = .none
    case .end: self = .end
    case .both: self = .both
    }
  }
}
