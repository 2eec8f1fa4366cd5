import Metrics

/// The figures of the letters beyond a to z, as the value of `letters` in the JSON of
/// `ductus evaluate --json`.
package struct LetterFigures: Codable, Hashable, Sendable {
  /// One letter.
  package struct Letter: Codable, Hashable, Sendable {
    /// The letter, in NFC.
    package var letter: String
    /// Its occurrences in the labels.
    package var count: Int
    /// The share of them that were read correctly.
    package var recall: Double
    /// Up to four of the most frequent wrong readings; `letter` is nil for one that was left out.
    package var readAs: [Reading]
  }

  /// A wrong reading of a letter.
  package struct Reading: Codable, Hashable, Sendable {
    /// The character that was read; null if none was.
    @OrNull package var character: String?
    /// How often.
    package var count: Int

    package init(character: String? = nil, count: Int) {
      self.character = character
      self.count = count
    }
  }

  /// One mark.
  package struct Mark: Codable, Hashable, Sendable {
    /// The name of the mark, such as `caron`.
    package var mark: String
    /// The letters of the labels with this mark.
    package var count: Int
    /// The share of them whose reading has this mark, on any letter.
    package var recall: Double
  }

  /// A mark that was read as another.
  package struct MarkConfusion: Codable, Hashable, Sendable {
    /// The mark of the label, several joined by ` + `, or `no mark`.
    package var mark: String
    /// The mark that was read, likewise; null if the letter was left out.
    @OrNull package var predicted: String?
    /// How often.
    package var count: Int

    package init(mark: String, predicted: String? = nil, count: Int) {
      self.mark = mark
      self.predicted = predicted
      self.count = count
    }
  }

  /// The number of letters beyond a to z in the labels, 1 or more.
  package var count: Int
  /// The share of them that were read correctly.
  package var recall: Double
  /// The mean recall over the distinct letters.
  package var meanRecall: Double
  /// The letters, the worst recall first.
  package var letters: [Letter]
  /// The marks, the worst recall first.
  package var marks: [Mark]
  /// Marks that were read as others, the most frequent first.
  package var markConfusions: [MarkConfusion]

  /// The largest number of confusions of marks.
  static let mostConfusions = 40

  /// Makes the figures of scores; nil if no label has a letter beyond a to z.
  package init?(_ scores: LetterScores) {
    let all = scores.beyondASCII
    guard let recall = all.rate else { return nil }
    count = all.total
    self.recall = recall
    let wrong = Dictionary(
      grouping: scores.letters.mostConfused(limit: .max), by: \.label)
    letters = scores.letters.labelStatistics().filter { $0.count > 0 }.map { one in
      var readings = (wrong[one.label] ?? []).map {
        Reading(character: $0.predicted, count: $0.count)
      }
      let missing = scores.letters.count(of: one.label, predictedAs: nil)
      if missing > 0 { readings.append(Reading(character: nil, count: missing)) }
      readings.sort { ($1.count, $0.character ?? "") < ($0.count, $1.character ?? "") }
      return Letter(
        letter: one.label, count: one.count, recall: one.recall ?? 0,
        readAs: Array(readings.prefix(4)))
    }.sorted { ($0.recall, $1.count, $0.letter) < ($1.recall, $0.count, $1.letter) }
    meanRecall = letters.reduce(0) { $0 + $1.recall } / Double(letters.count)
    marks = scores.markCounts.map { name, entry in
      Mark(mark: name, count: entry.total, recall: entry.rate ?? 0)
    }.sorted { ($0.recall, $1.count, $0.mark) < ($1.recall, $0.count, $1.mark) }
    var confusions = scores.marks.mostConfused(limit: Self.mostConfusions).map {
      MarkConfusion(mark: $0.label, predicted: $0.predicted, count: $0.count)
    }
    for one in scores.marks.labelStatistics() {
      let missing = scores.marks.count(of: one.label, predictedAs: nil)
      if missing > 0 {
        confusions.append(MarkConfusion(mark: one.label, predicted: nil, count: missing))
      }
    }
    markConfusions = Array(
      confusions.sorted {
        ($1.count, $0.mark, $0.predicted ?? "") < ($0.count, $1.mark, $1.predicted ?? "")
      }.prefix(Self.mostConfusions))
  }

  /// One line of text: the recall of all, and the letters that are read worst.
  package var line: String {
    var text =
      "\(Self.percent(recall)) of \(CountText.count(count)) are right, "
      + "\(Self.percent(meanRecall)) on average over \(CountText.count(letters.count, "letter"))"
    let worst = letters.prefix(5).filter { $0.recall < 1 }
    if !worst.isEmpty {
      text +=
        "; lowest: "
        + worst.map { "\($0.letter) \(Self.percent($0.recall))" }.joined(separator: ", ")
    }
    return text
  }

  private static func percent(_ rate: Double) -> String {
    let tenths = Int((1000 * rate).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
