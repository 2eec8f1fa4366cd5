import InkCore
import InkDatasets
import Recognition

/// How well a line recogniser tells which ink made which character, on ink of which that is known.
///
/// The recogniser aligns the true text, without a writing area. Texts that it cannot write are left
/// out.
public struct AlignmentEvaluation {
  /// Where it is known from.
  public enum Source: String, CaseIterable, Sendable {
    /// Words put together of characters that one writer wrote one after the other, each with its
    /// writing area. They have neither spaces nor letters that are joined.
    case words
    /// Texts that the starter set has made, with spaces, printed or joined-up: every point is of the
    /// movement that the pen's plan has for its time, and every movement of the letter whose knots it
    /// joins. Movements from one letter to the next are of both.
    case lines
  }

  /// Characters of a word that is put together.
  public static let wordLength = 5

  /// The scores of the sources that the data has.
  public private(set) var scores: [Source: AlignmentScore] = [:]

  /// The figures by name: `S.count`, texts of source S; `S.strokes` and `S.points`, the shares that
  /// went to the right character; `S.cer`, the character error rate.
  public var figures: [String: Double] {
    var figures: [String: Double] = [:]
    for (source, score) in scores {
      for (name, value) in score.figures { figures["\(source.rawValue).\(name)"] = value }
    }
    return figures
  }

  /// Scores all texts of the data that say which ink is of which character, and words put together of
  /// its characters that the recogniser knows.
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
        if let segmentation = record.segmentation {
          try add(
            SegmentedInk(ink: labeled.ink, text: labeled.label, segmentation: segmentation),
            from: .lines, recognizer)
        } else if let writer = labeled.writer, labeled.writingArea != nil, !labeled.ink.isEmpty,
          known.contains(labeled.label)
        {
          waiting[writer, default: []].append(labeled)
          guard let characters = waiting[writer], characters.count == Self.wordLength else {
            continue
          }
          waiting[writer] = []
          if let word = SegmentedInk(sideBySide: characters) {
            try add(word, from: .words, recognizer)
          }
        }
        progress(scores.values.reduce(0) { $0 + $1.texts })
      }
    }
  }

  private mutating func add(
    _ segmented: SegmentedInk, from source: Source, _ recognizer: LineRecognizer
  ) throws {
    guard let found = try recognizer.align(segmented.text, with: segmented.ink) else { return }
    let read = try recognizer.recognize(segmented.ink).candidates.first?.text ?? ""
    scores[source, default: AlignmentScore()].add(segmented, found: found, read: read)
  }
}
