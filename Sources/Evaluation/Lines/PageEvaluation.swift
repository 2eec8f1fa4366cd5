import InkCore
import Layout
import Metrics
import Recognition

/// The figures of pages: their text regardless of the order of lines and blocks, and the kinds of their
/// strokes.
///
/// Text is compared by ``PageTextError``. Kinds count for pages whose records have them: the kind of each
/// stroke of the reading (`RecognitionResult.strokeKinds(count:)`) against that of the record.
package struct PageEvaluation: Sendable {
  /// A page with errors.
  package struct Page: Hashable, Sendable {
    /// The ink.
    package var ink: Ink
    /// The writer, if the record names one.
    package var writer: String?
    /// The kind of each stroke in the reading; nil for strokes without one, and if it was read without
    /// kinds.
    package var kinds: [StrokeKind?]?
    /// The kind of each stroke in the record; nil if it has none.
    package var trueKinds: [StrokeKind]?
    /// The errors of its text.
    package var text: PageTextError
    /// The phrases that were not read whole.
    package var missingPhrases: [String]

    /// The strokes of another kind than in the record.
    package var wrongStrokes: [Int] {
      guard let kinds, let trueKinds else { return [] }
      return kinds.indices.filter { kinds[$0] != trueKinds[$0] }
    }
  }

  /// The errors of the text.
  package private(set) var text = PageTextError()
  /// The number of pages whose strokes have kinds in the record and in the reading.
  package private(set) var pagesWithKinds = 0
  /// The kinds of strokes in records and in readings, by name.
  package private(set) var kinds = ConfusionMatrix()
  /// The pages with the most edits and strokes of a wrong kind, worst first.
  package private(set) var worst: [Page] = []

  /// The number of pages to keep.
  package static let worstCount = 20

  /// Makes figures of no page.
  package init() {}

  /// Returns whether a record is a page: its label has several lines, its strokes have kinds, or it is
  /// read as a page.
  package static func isPage(_ labeled: LabeledInk, layout: InkLayout) -> Bool {
    layout == .page || labeled.kinds != nil
      || labeled.label.split(whereSeparator: \.isNewline).count { !$0.allSatisfy(\.isWhitespace) }
        > 1
  }

  /// Counts a page.
  ///
  /// - Parameters:
  ///   - labeled: The page.
  ///   - reference: The lines of its label, in the form that is compared.
  ///   - hypothesis: The lines of its reading, in the same form; none if it was refused.
  ///   - kinds: The kind of each stroke in the reading; nil if it was read without kinds.
  package mutating func add(
    _ labeled: LabeledInk, reference: [String], hypothesis: [String], kinds: [StrokeKind?]?
  ) {
    let text = PageTextError(reference: reference, hypothesis: hypothesis)
    self.text += text
    var page = Page(
      ink: labeled.ink, writer: labeled.writer, kinds: kinds, trueKinds: labeled.knownKinds,
      text: text, missingPhrases: [])
    if let kinds, let known = page.trueKinds {
      pagesWithKinds += 1
      for (known, kind) in zip(known, kinds) {
        self.kinds.add(label: known.rawValue, predicted: kind?.rawValue)
      }
    }
    let badness = Self.badness(page)
    guard badness > 0, worst.count < Self.worstCount || badness > worst.last.map(Self.badness) ?? 0
    else { return }
    page.missingPhrases = PageTextError.missingPhrases(reference, in: hypothesis)
    worst.insert(page, at: worst.firstIndex { Self.badness($0) < badness } ?? worst.count)
    if worst.count > Self.worstCount { worst.removeLast() }
  }

  private static func badness(_ page: Page) -> Int { page.text.edits + page.wrongStrokes.count }
}

extension LabeledInk {
  /// The kinds of the strokes; nil if there are none, or not one known name for each stroke.
  fileprivate var knownKinds: [StrokeKind]? {
    guard let kinds, kinds.count == ink.strokes.count else { return nil }
    let known = kinds.compactMap(StrokeKind.init)
    return known.count == kinds.count ? known : nil
  }
}

extension RecognitionResult {
  /// The kind of each stroke of the ink that was read.
  ///
  /// A stroke of a block is text, formula or drawing like the block; in a table those of the lines are
  /// text and all others rules. Edges are connectors, and marks have their kinds. If the ink was read
  /// as one line, every stroke is text. Nil for a stroke that is in none of them.
  ///
  /// - Parameter count: The number of strokes.
  package func strokeKinds(count: Int) -> [StrokeKind?] {
    guard !blocks.isEmpty || !edges.isEmpty || !marks.isEmpty else {
      var kinds = [StrokeKind?](repeating: candidates.isEmpty ? nil : .text, count: count)
      for stroke in drawing where kinds.indices.contains(stroke) { kinds[stroke] = .drawing }
      return kinds
    }
    var kinds = [StrokeKind?](repeating: nil, count: count)
    func set(_ strokes: [Int], _ kind: StrokeKind) {
      for stroke in strokes where kinds.indices.contains(stroke) { kinds[stroke] = kind }
    }
    for block in blocks {
      switch block.kind {
      case .text: set(block.strokes, .text)
      case .formula: set(block.strokes, .formula)
      case .drawing: set(block.strokes, .drawing)
      case .table:
        set(block.strokes, .tableRule)
        for line in block.lines where lines.indices.contains(line) {
          set(lines[line].strokes, .text)
        }
      }
    }
    for edge in edges { set(edge.strokes, .connector) }
    for mark in marks { set(mark.strokes, mark.kind.strokeKind) }
    return kinds
  }
}
