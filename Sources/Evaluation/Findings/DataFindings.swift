/// What is odd about labelled data, as the JSON that `ductus data doctor --json` writes. Records are
/// named by their index in the data, from 0, unreadable ones counted.
public struct DataFindings: Codable, Hashable, Sendable {
  /// A record whose label is probably wrong.
  public struct SuspectLabel: Codable, Hashable, Sendable {
    /// The record.
    public var index: Int
    /// Its label.
    public var label: String
    /// What it probably is.
    public var suggested: String
    /// How sure that is, 0 … 1: for glyphs the probability of the suggestion less that of the label,
    /// for texts the edits between them per character, at most 1.
    public var score: Double
    /// Its writer.
    @OrNull public var writer: String?

    /// Makes one.
    public init(index: Int, label: String, suggested: String, score: Double, writer: String?) {
      self.index = index
      self.label = label
      self.suggested = suggested
      self.score = score
      self.writer = writer
    }
  }

  /// A record with the same points as an earlier one.
  public struct Duplicate: Codable, Hashable, Sendable {
    /// The record.
    public var index: Int
    /// The earlier one.
    public var earlier: Int
    /// Whether they have the same label.
    public var hasSameLabel: Bool
    /// Whether they have the same writer: one ink of two writers spoils a split by writers.
    public var hasSameWriter: Bool
  }

  /// A class with too few inks or writers to be learned and tested.
  public struct ThinClass: Codable, Hashable, Sendable {
    /// The label.
    public var label: String
    /// Its records.
    public var samples: Int
    /// Its writers.
    public var writers: Int
  }

  /// An ink that is odd in itself.
  public struct OddInk: Codable, Hashable, Sendable {
    /// What is odd.
    public enum Problem: String, Codable, Hashable, Sendable, CaseIterable {
      /// No points.
      case empty
      /// A time within a stroke, or from one stroke to the next, before the one before it.
      case timeRunsBackward
      /// More than eight times larger than its label is beside the writer's other inks.
      case large
      /// Less than an eighth of that.
      case small

      /// In words.
      public var text: String {
        switch self {
        case .empty: "without points"
        case .timeRunsBackward: "with times that run backward"
        case .large: "more than eight times as large as their label elsewhere"
        case .small: "less than an eighth as large as their label elsewhere"
        }
      }
    }

    /// The record.
    public var index: Int
    /// Its label.
    public var label: String
    /// What is odd.
    public var problem: Problem
  }

  /// The data as it was named.
  public var data: [String]
  /// SHA-256 of the labelled records.
  public var dataHash = ""
  /// Records, unreadable ones among them.
  public var records = 0
  /// Records that could not be read.
  public var malformed = 0
  /// Why: the first of them, with file and line.
  public var malformedExamples: [String] = []
  /// Different labels.
  public var classes = 0
  /// Different writers.
  public var writers = 0
  /// Records without a writer: they cannot be divided by writers.
  public var withoutWriter = 0
  /// What judged the labels; null where nothing did.
  @OrNull public var judge: String?
  /// Why some labels were not judged; null where all were.
  @OrNull public var unjudged: String?
  /// Records whose labels were judged.
  public var judged = 0
  /// The share of judged labels that are just what the judge reads; null where none was judged.
  @OrNull public var agreement: Double?
  /// Labels that are probably wrong, the surest first.
  public var suspectLabels: [SuspectLabel] = []
  /// Records with the points of an earlier one.
  public var duplicates: [Duplicate] = []
  /// Classes with fewer inks than ``fewestSamples``, or one writer where others have more; none where
  /// labels are texts.
  public var thinClasses: [ThinClass] = []
  /// Labels that differ in nothing one can see: in blanks around them, which makes two classes, or in
  /// Unicode normal form, which is one here and two for programs that compare bytes.
  public var labelTwins: [[String]] = []
  /// Inks that are odd in themselves.
  public var oddInks: [OddInk] = []

  /// A class with fewer inks is thin.
  public static let fewestSamples = 10

  /// Whether labels are texts and not classes: most are there once or twice.
  public static func areTexts(labels: Int, records: Int) -> Bool { 2 * labels > records }

  /// Begins with nothing found.
  public init(data: [String]) { self.data = data }

  /// Whether there is something to look at.
  public var isClean: Bool {
    malformed == 0 && suspectLabels.isEmpty && duplicates.isEmpty && thinClasses.isEmpty
      && labelTwins.isEmpty && oddInks.isEmpty
  }
}
