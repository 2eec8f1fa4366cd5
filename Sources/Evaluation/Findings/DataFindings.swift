/// The problems found in labelled data, as the JSON of `ductus data doctor --json`. Records are
/// identified by their index in the data, from 0, including unreadable records.
package struct DataFindings: Codable, Hashable, Sendable {
  /// A record whose label is probably wrong.
  package struct SuspectLabel: Codable, Hashable, Sendable {
    /// The index of the record.
    package var index: Int
    /// Its label.
    package var label: String
    /// The probable label.
    package var suggested: String
    /// The certainty, 0 … 1. For glyphs, the probability of the suggestion minus that of the label;
    /// for texts, the edits between them per character, at most 1.
    package var score: Double
    /// Its writer.
    @OrNull package var writer: String?

    /// Makes a suspect label.
    package init(index: Int, label: String, suggested: String, score: Double, writer: String?) {
      self.index = index
      self.label = label
      self.suggested = suggested
      self.score = score
      self.writer = writer
    }
  }

  /// A record with the same points as an earlier one.
  package struct Duplicate: Codable, Hashable, Sendable {
    /// The index of the record.
    package var index: Int
    /// The index of the earlier record.
    package var earlier: Int
    /// True if they have the same label.
    package var hasSameLabel: Bool
    /// True if they have the same writer. The same ink under two writers spoils a split by writers.
    package var hasSameWriter: Bool
  }

  /// A class with too few inks or writers for training and testing.
  package struct ThinClass: Codable, Hashable, Sendable {
    /// The label.
    package var label: String
    /// The number of its records.
    package var samples: Int
    /// The number of its writers.
    package var writers: Int
  }

  /// An ink with unusual properties.
  package struct OddInk: Codable, Hashable, Sendable {
    /// The kind of problem.
    package enum Problem: String, Codable, Hashable, Sendable, CaseIterable {
      /// No points.
      case empty
      /// A time that is earlier than the previous one, within a stroke or from one stroke to the
      /// next.
      case timeRunsBackward
      /// The ink is more than eight times larger, relative to the writer's other inks, than is
      /// normal for its label.
      case large
      /// The ink is less than an eighth as large, by the same measure.
      case small

      /// A description.
      package var text: String {
        switch self {
        case .empty: "without points"
        case .timeRunsBackward: "with decreasing times"
        case .large: "more than eight times as large as their label elsewhere"
        case .small: "less than an eighth as large as their label elsewhere"
        }
      }
    }

    /// The index of the record.
    package var index: Int
    /// Its label.
    package var label: String
    /// The kind of problem.
    package var problem: Problem
  }

  /// The data, as named on the command line.
  package var data: [String]
  /// SHA-256 of the labelled records.
  package var dataHash = ""
  /// The number of records, including unreadable ones.
  package var records = 0
  /// The number of records that could not be read.
  package var malformed = 0
  /// The errors of the first such records, with file and line.
  package var malformedExamples: [String] = []
  /// The number of different labels.
  package var classes = 0
  /// The number of different writers.
  package var writers = 0
  /// The number of records without a writer, which cannot be split by writer.
  package var withoutWriter = 0
  /// The judge of the labels; null if there was none.
  @OrNull package var judge: String?
  /// The reason why some labels were not judged; null if all were.
  @OrNull package var unjudged: String?
  /// The number of records with judged labels.
  package var judged = 0
  /// The share of judged labels that the judge confirms; null if none was judged.
  @OrNull package var agreement: Double?
  /// Labels that are probably wrong, the most certain first.
  package var suspectLabels: [SuspectLabel] = []
  /// Records with the points of an earlier record.
  package var duplicates: [Duplicate] = []
  /// Classes with fewer inks than ``fewestSamples``, or with one writer if others have more. Empty
  /// if labels are texts.
  package var thinClasses: [ThinClass] = []
  /// Labels without a visible difference. They differ in surrounding spaces, which makes two
  /// classes, or in Unicode normal form, which makes one class here but two in programs that
  /// compare bytes.
  package var labelTwins: [[String]] = []
  /// Inks with unusual properties.
  package var oddInks: [OddInk] = []

  /// The fewest inks of a class that is not thin.
  package static let fewestSamples = 10

  /// Returns whether labels are texts rather than classes: most of them occur once or twice.
  package static func areTexts(labels: Int, records: Int) -> Bool { 2 * labels > records }

  /// Makes empty findings.
  package init(data: [String]) { self.data = data }

  /// True if nothing was found.
  package var isClean: Bool {
    malformed == 0 && suspectLabels.isEmpty && duplicates.isEmpty && thinClasses.isEmpty
      && labelTwins.isEmpty && oddInks.isEmpty
  }
}
