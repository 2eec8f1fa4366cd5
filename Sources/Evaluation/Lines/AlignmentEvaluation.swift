import InkCore
import InkDatasets
import Recognition

/// Scores a line recogniser's assignment of ink to characters, on ink with known assignments.
///
/// The recogniser aligns the true text, without a writing area. Texts that it cannot write are left
/// out.
package struct AlignmentEvaluation {
  /// The source of the known assignments.
  package enum Source: String, CaseIterable, Sendable {
    /// Words composed of single characters that one writer wrote, each with its writing area. They
    /// have no spaces and no joined letters.
    case words
    /// Texts made by the starter set, with spaces, printed or cursive. The pen's plan gives the
    /// movement of each point, and the knots of a movement give its letter. Movements from one
    /// letter to the next belong to both.
    case lines
  }

  /// The number of characters of a composed word.
  package static let wordLength = 5

  /// The scores of each source in the data.
  package private(set) var scores: [Source: AlignmentScore] = [:]

  /// The figures by name. For source S: `S.count`, the number of texts; `S.strokes` and `S.points`,
  /// the shares assigned to the correct character; `S.cer`, the character error rate.
  package var figures: [String: Double] {
    var figures: [String: Double] = [:]
    for (source, score) in scores {
      for (name, value) in score.figures { figures["\(source.rawValue).\(name)"] = value }
    }
    return figures
  }

  /// Scores all texts of the data with known assignments, and words composed of its characters that
  /// the recogniser knows.
  ///
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  package init(
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
