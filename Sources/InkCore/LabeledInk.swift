/// One record of a dataset: an ink, its label, and its writer.
public struct LabeledInk: Hashable, Sendable {
  /// The collector's judgement of the match between writing and label.
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
  /// The collector's judgement, or nil if the data has none.
  public var quality: Quality?
  /// The kind of each stroke, in the order of the strokes, or nil if the data has none: `text`,
  /// `formula`, `drawing`, `connector`, `frame`, `divider`, `underline`, `strikeThrough`, `bullet`,
  /// `tickBox` or `tableRule`.
  public var kinds: [String]?

  /// Makes a record.
  public init(
    ink: Ink, label: String, writer: String? = nil, writingArea: WritingArea? = nil,
    quality: Quality? = nil, kinds: [String]? = nil
  ) {
    self.ink = ink
    self.label = label
    self.writer = writer
    self.writingArea = writingArea
    self.quality = quality
    self.kinds = kinds
  }
}

extension LabeledInk {
  /// Replaces the strokes by those with these indices, in this order; an index may occur twice. The
  /// kinds go with their strokes; kinds that are not as many as the strokes are dropped. O(strokes).
  package mutating func takeStrokes(_ indices: [Int]) {
    if let kinds {
      self.kinds = kinds.count == ink.strokes.count ? indices.map { kinds[$0] } : nil
    }
    ink = Ink(strokes: indices.map { ink.strokes[$0] })
  }
}

/// The characters of the text that each point of an ink was drawn for. It is known for ink that was
/// synthesised or composed, not for ink that a recogniser has cut.
public struct CharacterSegmentation: Hashable, Sendable {
  /// Consecutive points of one stroke.
  public struct Run: Hashable, Sendable {
    /// The points, at least one.
    public var points: Range<Int>
    /// Characters of the text, from 0: one, or the two that the pen moved between.
    public var characters: ClosedRange<Int>

    /// Makes a run.
    public init(points: Range<Int>, characters: ClosedRange<Int>) {
      self.points = points
      self.characters = characters
    }
  }

  /// The runs of each stroke, in the order drawn. Together they hold all of its points. Spaces have
  /// no runs.
  public var strokes: [[Run]]

  /// Makes a segmentation from the characters of each point. O(points).
  ///
  /// - Parameter characters: For each point of each stroke, its characters of the text.
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
