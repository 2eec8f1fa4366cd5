import InkCore
import InkEditor

/// The place of an item of a list, which tells whether the next line goes on with it.
struct ItemExtent {
  /// The left edges of its mark and of its text in the direction of reading.
  private let markStart: Double
  private let textStart: Double
  /// The last line so far.
  private var last: LineExtent
  /// True if the block is read from right to left.
  private let isMirrored: Bool

  /// The indent of a mark that is drawn and no word, as a share of the height of its line.
  private static let drawnMark = 1.5
  /// A line is indented if it begins behind this share of the way from the mark to the text.
  private static let indent = 0.6
  /// A gap of this many heights between two lines ends an item.
  private static let gap = 1.6

  /// Measures the first line of an item; nil if its place is not known.
  ///
  /// - Parameters:
  ///   - line: The line without its mark.
  ///   - mark: The mark, if it is a word of the line.
  ///   - isMirrored: True if the block is read from right to left.
  init?(_ line: ExportLine, mark: ExportWord?, isMirrored: Bool) {
    guard let extent = LineExtent(line, isMirrored: isMirrored) else { return nil }
    last = extent
    self.isMirrored = isMirrored
    textStart = extent.start
    if let mark = mark.flatMap({ LineExtent(ExportLine([$0]), isMirrored: isMirrored) }) {
      markStart = mark.start
    } else {
      markStart = extent.start - Self.drawnMark * extent.height
    }
  }

  /// Returns true if a line without a mark goes on with the item: it is indented, or the line above had
  /// no room for its first word.
  ///
  /// - Parameter end: The end of the longest line of the block.
  mutating func takes(_ line: ExportLine, end: Double) -> Bool {
    guard let next = LineExtent(line, isMirrored: isMirrored) else { return true }
    guard next.top - last.bottom < Self.gap * max(last.height, next.height) else { return false }
    let isIndented = next.start > markStart + Self.indent * (textStart - markStart)
    guard isIndented || end - last.end < LineExtent.room * next.firstWidth else { return false }
    last = next
    return true
  }
}

/// The beginning and the end of a line in the direction of reading.
struct LineExtent {
  var start: Double
  var end: Double
  var top: Double
  var bottom: Double
  var firstWidth: Double

  /// A line is short if the first word of the next one, this many times, would have found room.
  static let room = 1.5

  /// The height of the line.
  var height: Double { bottom - top }

  /// Measures a line; nil if its words have no places.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - isMirrored: True if its block is read from right to left.
  init?(_ line: ExportLine, isMirrored: Bool) {
    let boxes = line.words.compactMap(\.place?.box)
    guard let first = boxes.first, let all = BoundingBox(holding: boxes) else { return nil }
    start = isMirrored ? -all.maxX : all.minX
    end = isMirrored ? -all.minX : all.maxX
    (top, bottom) = (all.minY, all.maxY)
    firstWidth = first.width
  }
}
