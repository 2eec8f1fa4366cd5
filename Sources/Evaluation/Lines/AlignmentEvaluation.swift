import InkCore
import InkDatasets
import Metrics
import Recognition

/// How well a line recogniser tells which ink made which character, on words put together from
/// characters whose strokes are known.
///
/// Each word is five characters that one writer wrote one after the other, each with its writing
/// area, set side by side at their size and place in it. The recogniser aligns the true text.
public struct AlignmentEvaluation {
  /// Characters of a word.
  public static let wordLength = 5

  /// Words.
  public private(set) var words = 0
  /// Strokes whose points mostly went to the character that they are of, and all strokes.
  public private(set) var strokes = (right: 0, total: 0)
  /// Points that went to the character that they are of, and all points.
  public private(set) var points = (right: 0, total: 0)
  /// Edits of what is read.
  public private(set) var edits = EditDistance()

  /// The figures by name, rates 0 ... 1.
  public var figures: [String: Double] {
    guard points.total > 0 else { return [:] }
    return [
      "words": Double(words), "strokes": Double(strokes.right) / Double(strokes.total),
      "points": Double(points.right) / Double(points.total), "cer": edits.rate ?? 0,
    ]
  }

  /// Puts words together of all characters of the data that the recogniser knows.
  ///
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened.
  public init(
    _ recognizer: LineRecognizer, on data: [DataSpecification],
    progress: (Int) -> Void = { _ in }
  ) throws {
    let known = Set(recognizer.model.labels)
    var waiting: [String: [LabeledInk]] = [:]
    for specification in data {
      for case .success(let record) in try specification.records() {
        let labeled = record.labeled
        guard let writer = labeled.writer, labeled.writingArea != nil, !labeled.ink.isEmpty,
          known.contains(labeled.label)
        else { continue }
        waiting[writer, default: []].append(labeled)
        if let word = waiting[writer], word.count == Self.wordLength {
          waiting[writer] = []
          try add(word, recognizer)
          progress(words)
        }
      }
    }
  }

  private mutating func add(_ characters: [LabeledInk], _ recognizer: LineRecognizer) throws {
    let text = characters.map(\.label).joined()
    var strokes: [Stroke] = []
    /// For each stroke its character.
    var owners: [Int] = []
    var edge = 0.0
    for (index, character) in characters.enumerated() {
      guard let area = character.writingArea, let box = character.ink.boundingBox else { return }
      let scale = 1 / area.height
      for stroke in character.ink.strokes where !stroke.points.isEmpty {
        strokes.append(
          Stroke(
            points: stroke.points.map { point in
              StrokePoint(
                x: edge + (point.x - box.minX) * scale, y: (point.y - area.y) * scale)
            }))
        owners.append(index)
      }
      edge += box.width * scale + 0.15
    }
    let ink = Ink(strokes: strokes)
    guard let alignment = try recognizer.align(text, with: ink) else { return }
    words += 1
    score(alignment, ink, owners)
    edits += EditDistance(
      reference: text, hypothesis: try recognizer.recognize(ink).candidates.first?.text ?? "")
  }

  private mutating func score(_ alignment: [CharacterInk], _ ink: Ink, _ owners: [Int]) {
    var right = [Int](repeating: 0, count: owners.count)
    for (character, found) in alignment.enumerated() {
      for part in found.parts where owners[part.stroke] == character {
        right[part.stroke] += part.points.count
      }
    }
    for (stroke, count) in right.enumerated() {
      let total = ink.strokes[stroke].points.count
      points.right += min(count, total)
      points.total += total
      strokes.right += 2 * count > total ? 1 : 0
      strokes.total += 1
    }
  }
}
