import Foundation

/// The figures of an evaluation through the editor, as JSON. Rates are 0 … 1; what was not measured
/// is null.
public struct EditorFigures: Codable, Hashable, Sendable {
  /// Percentiles in milliseconds.
  public struct Latency: Codable, Hashable, Sendable {
    /// The median.
    public var p50: Double
    /// 95 of 100 took at most this.
    public var p95: Double
    /// 99 of 100 took at most this.
    public var p99: Double

    /// Nil where nothing was measured.
    init?(_ values: [Double]) {
      let sorted = values.sorted()
      guard !sorted.isEmpty else { return nil }
      func percentile(_ share: Double) -> Double {
        sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
      }
      (p50, p95, p99) = (percentile(0.5), percentile(0.95), percentile(0.99))
    }
  }

  /// What was done.
  public var scenario: EditorScenario
  /// How the ink was fed.
  public var events: EditorFeeding
  /// Where the guides were.
  public var guides: EditorGuides
  /// Pages written, each into a part of its own.
  public var pages = 0
  /// Strokes written.
  public var strokes = 0
  /// Strokes that the documents do not have.
  public var lostStrokes = 0
  /// Characters of the references.
  @OrNull public var characters: Int?
  /// Words of the references.
  @OrNull public var words: Int?
  /// Character error rate of what the documents say.
  @OrNull public var cer: Double?
  /// Word error rate of what the documents say.
  @OrNull public var wer: Double?
  /// Character error rate of the recogniser alone on the same lines.
  @OrNull public var recognizerCER: Double?
  /// Character error rate before words were replaced.
  @OrNull public var cerBefore: Double?
  /// Share of the strokes of text that are in the right line.
  @OrNull public var strokesInRightLine: Double?
  /// Share of the strokes that are text where text was written, and not where shapes were drawn.
  @OrNull public var strokesOfRightKind: Double?
  /// Strokes by what they are, then by what the documents say.
  @OrNull public var kinds: [String: [String: Int]]?
  /// From pen-up to the last change that was told.
  @OrNull public var penUpToCandidatesMs: Latency?
  /// From pen-up to idle.
  @OrNull public var penUpToIdleMs: Latency?
  /// Milliseconds from pen-up to idle in the last line of a page of 20 words.
  @OrNull public var smallPageMs: Double?
  /// Milliseconds from pen-up to idle in the last line of a page of 500 words.
  @OrNull public var largePageMs: Double?
  /// Resident bytes that a page of 500 words takes.
  @OrNull public var pageBytes: Int?

  init(scenario: EditorScenario, events: EditorFeeding, guides: EditorGuides) {
    self.scenario = scenario
    self.events = events
    self.guides = guides
  }

  /// What a stroke on a large page costs over one on a small page.
  public var growth: Double? {
    guard let smallPageMs, let largePageMs, smallPageMs > 0 else { return nil }
    return largePageMs / smallPageMs
  }
}

/// What is done with labelled ink.
public enum EditorScenario: String, Hashable, Sendable, Codable, CaseIterable {
  /// Each line into a part of its own.
  case lines
  /// The lines of each form, where they were written, into one part.
  case pages
  /// Pages of text and shapes, as raw content.
  case mixed
  /// A word in the middle of each line is removed and written again.
  case replace
  /// The last line of pages of 20 and of 500 words.
  case growth
}
