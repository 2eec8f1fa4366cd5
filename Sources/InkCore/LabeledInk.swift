/// An ink, what it says, and who wrote it: one record of a dataset.
public struct LabeledInk: Hashable, Sendable {
  /// How well the collector judged the writing to match its label.
  public enum Quality: String, Hashable, Sendable, CaseIterable {
    case good
    case ok
    case bad
  }

  /// The pen strokes.
  public var ink: Ink
  /// The text, class or symbol written.
  public var label: String
  /// An identifier of the writer, unique within the dataset, or nil.
  public var writer: String?
  /// The line the ink was written on, or nil.
  public var writingArea: WritingArea?
  /// The collector's judgement, or nil where the data has none.
  public var quality: Quality?

  /// Makes a record.
  public init(
    ink: Ink, label: String, writer: String? = nil, writingArea: WritingArea? = nil,
    quality: Quality? = nil
  ) {
    self.ink = ink
    self.label = label
    self.writer = writer
    self.writingArea = writingArea
    self.quality = quality
  }
}
