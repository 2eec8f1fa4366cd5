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

/// Which character of its text each point of an ink was drawn for, where that is known: of ink that
/// was made or put together, not of ink that a recogniser has cut.
public struct CharacterSegmentation: Hashable, Sendable {
  /// Points of one stroke that follow each other.
  public struct Run: Hashable, Sendable {
    /// The points, at least one.
    public var points: Range<Int>
    /// Characters of the text, from 0: one, or the two that the pen was on its way between.
    public var characters: ClosedRange<Int>

    /// Makes a run.
    public init(points: Range<Int>, characters: ClosedRange<Int>) {
      self.points = points
      self.characters = characters
    }
  }

  /// For each stroke of the ink its runs, in the order drawn: together all of its points. Spaces
  /// have none.
  public var strokes: [[Run]]

  /// Makes a segmentation of what each point was drawn for. O(points).
  ///
  /// - Parameter characters: For each stroke, for each point, characters of the text.
  public init(of characters: [[ClosedRange<Int>]]) {
    strokes = characters.map { stroke in
      var runs: [Run] = []
      for (point, characters) in stroke.enumerated() {
        if let last = runs.indices.last, runs[last].characters == characters {
          runs[last].points = runs[last].points.lowerBound..<(point + 1)
        } else {
          runs.append(Run(points: point..<(point + 1), characters: characters))
        }
      }
      return runs
    }
  }
}
