import Features
import InkCore
import InkDatasets
import Metrics
import Recognition

/// Cuts ink with a known text into its lines, words or characters. Ink of lines then also trains
/// models of words, and ink of words models of characters.
///
/// A line model finds the ink of each character of the text (`LineRecognizer`). Pieces that
/// consist of whole strokes are kept. Cursive writing gives few characters.
///
///     let cutter = InkCutter(recognizer: try LineRecognizer(model: model))
///     for word in try cutter.cut(line, into: .words) { print(word.label) }
public struct InkCutter: Sendable {
  /// The pieces that ink is cut into.
  package enum Piece: String, CaseIterable, Sendable {
    /// Single characters other than the space.
    case characters
    /// The words between spaces.
    case words
    /// The rows of ink that has several rows; other ink is one line.
    case lines
  }

  private let recognizer: LineRecognizer

  /// The share of a stroke's points that must be aligned with a piece for the stroke to belong to
  /// it. The same share of a piece must lie on its strokes.
  private static let share = 0.85
  /// The most edits per character between the reading and the label; with more, the label is not
  /// trusted.
  private static let mostErrors = 1.0 / 3

  /// Makes a cutter that aligns with a recogniser's model.
  public init(recognizer: LineRecognizer) {
    self.recognizer = recognizer
  }

  /// The pieces of an ink that are whole strokes, in the order of the text, with its writer,
  /// writing area and quality. None if the model reads a different text than the label.
  ///
  /// Characters of an ink without a writing area get the area estimated from the other characters
  /// of their text (`FormAreaEstimator`), if there are at least three others.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`.
  package func cut(_ labeled: LabeledInk, into piece: Piece) throws -> [LabeledInk] {
    if piece == .lines, let lines = try PageCutter(recognizer: recognizer).lines(of: labeled) {
      return lines
    }
    let text = labeled.label
    let read = try recognizer.readGreedily(labeled.ink, area: labeled.writingArea)
    guard let rate = EditDistance(reference: text, hypothesis: read).rate, rate <= Self.mostErrors,
      let alignment = try recognizer.align(text, with: labeled.ink, area: labeled.writingArea)
    else { return [] }
    let direction = recognizer.model.pipeline.direction
    let rows = try StrokeRows(of: labeled.ink.turned(direction))
    // The area of several rows is not the area of one row.
    let area = rows.areSeveral ? nil : labeled.writingArea
    let pieces = Self.pieces(of: Array(zip(text, alignment)), piece, rows: rows)
    let areas =
      piece == .characters && area == nil
      ? FormAreaEstimator.areas(
        for: pieces.map { $0.ink(of: labeled.ink).boundingBox }, labels: pieces.map(\.text))
      : Array(repeating: area, count: pieces.count)
    let owners = labeled.ink.strokes.indices.map { stroke in
      pieces.firstIndex { piece in
        let aligned = piece.points(on: stroke)
        return aligned > 0
          && Double(aligned) >= Self.share * Double(labeled.ink.strokes[stroke].points.count)
      }
    }
    return pieces.enumerated().compactMap { index, piece in
      let own = owners.indices.filter { owners[$0] == index }
      let points = own.reduce(0) { $0 + piece.points(on: $1) }
      guard !own.isEmpty, Double(points) >= Self.share * Double(piece.pointCount) else {
        return nil
      }
      var cut = labeled
      cut.takeStrokes(own)
      cut.label = piece.text
      cut.writingArea = areas[index]
      return cut
    }
  }

  private static func pieces(
    of characters: [(Character, CharacterInk)], _ piece: Piece, rows: StrokeRows
  ) -> [AlignedText] {
    switch piece {
    case .characters:
      characters.filter { $0.0 != " " }.map { AlignedText([$0]) }
    case .words:
      characters.split { $0.0 == " " }.map { AlignedText(Array($0)) }
    case .lines:
      rows.lines(of: characters).map(AlignedText.init)
    }
  }
}

/// The row of each stroke of an ink, in reading order.
private struct StrokeRows {
  private var row: [Int]
  let areSeveral: Bool

  init(of ink: Ink) throws {
    var line = NormalizedLine()
    line.load(try Trajectory(ink), area: nil)
    row = [Int](repeating: 0, count: ink.strokes.count)
    areSeveral = line.rows != nil
    let written = ink.strokes.indices.filter { !ink.strokes[$0].points.isEmpty }
    for (index, strokes) in (line.rows ?? []).enumerated() {
      for stroke in strokes { row[written[stroke]] = index }
    }
  }

  /// Groups characters by row, without the spaces between. A word belongs to the row with most of
  /// its ink.
  func lines(of characters: [(Character, CharacterInk)]) -> [[(Character, CharacterInk)]] {
    var lines: [(row: Int, characters: [(Character, CharacterInk)])] = []
    for word in characters.split(whereSeparator: { $0.0 == " " }) {
      var points: [Int: Int] = [:]
      for part in word.lazy.flatMap(\.1.parts) {
        points[row[part.stroke], default: 0] += part.points.count
      }
      let own = points.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      if let last = lines.indices.last, own == nil || own == lines[last].row {
        lines[last].characters += characters[word.startIndex - 1..<word.endIndex]
      } else {
        lines.append((own ?? 0, Array(word)))
      }
    }
    return lines.map(\.characters)
  }
}

/// Some characters and the ink that they were aligned with.
private struct AlignedText {
  let text: String
  private let parts: [CharacterInk.Part]

  init(_ characters: [(Character, CharacterInk)]) {
    text = String(characters.map(\.0))
    parts = characters.flatMap(\.1.parts)
  }

  /// The points that were aligned with the text.
  func ink(of ink: Ink) -> Ink {
    Ink(strokes: parts.map { Stroke(points: Array(ink.strokes[$0.stroke].points[$0.points])) })
  }

  var pointCount: Int { parts.reduce(0) { $0 + $1.points.count } }

  func points(on stroke: Int) -> Int {
    parts.reduce(0) { $0 + ($1.stroke == stroke ? $1.points.count : 0) }
  }
}
