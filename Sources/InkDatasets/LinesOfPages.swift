import InkCore
import InkFormats
import Layout

/// Cuts labelled pages into their lines, for `unit=line` of formats whose records are pages.
///
/// The lines of the ink are found by `PageLayout`, in the direction of the label's script. They
/// belong to the lines of the label, in order, if there are as many. If there are not, small lines
/// are joined and distant strokes split (`CountedLines`), and the result is used if every line has
/// about as much ink for its text as the others. All lines of a page keep its source and index, so
/// that they are in one part of a split.
enum LinesOfPages {
  /// The largest factor between the ink per letter of a line and the median of its page, if lines
  /// were joined or split. Words of few letters differ by up to two.
  private static let inkPerLetter = 3.5

  /// The lines of a page.
  ///
  /// - Returns: The record itself if it is one line; lines without labels if it has no label. A
  ///   failure if the ink has a different number of lines than the label.
  static func lines(of page: InkRecord) -> Result<[InkRecord], InkFormatError> {
    let texts = page.labeled.label.split(whereSeparator: \.isNewline)
      .map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    let ink = page.labeled.ink
    let direction = ScriptTraits(of: page.labeled.label).direction
    let found = PageLayout(ink, direction: direction).linesWithDrawing(of: ink)
    guard let lines = matched(found, with: texts, of: ink, direction) else {
      return .failure(
        InkFormatError(
          .unmatchedLines, at: page.location,
          expected: "as many lines of ink as the label has, \(texts.count)",
          found: "\(found.count)",
          advice: "cut the page with a model: ductus data cut --into lines"))
    }
    guard lines.count > 1 else { return .success([page]) }
    return .success(
      lines.enumerated().map { number, strokes in
        var record = page
        record.labeled.takeStrokes(strokes)
        record.labeled.label = texts.isEmpty ? "" : texts[number]
        record.labeled.writingArea = nil
        record.segmentation = nil
        record.level = .text
        record.id = page.id.map { "\($0)/\(number + 1)" }
        record.warnings = number == 0 ? page.warnings : []
        return record
      })
  }

  /// The lines of ink that belong to the lines of a label; nil if they do not match.
  private static func matched(
    _ found: [[Int]], with texts: [String], of ink: Ink, _ direction: WritingDirection
  ) -> [[Int]]? {
    if texts.isEmpty || found.count == texts.count { return found }
    // A label without line breaks may be of any number of lines.
    guard texts.count > 1 else { return nil }
    var counted = CountedLines(found, of: ink, direction: direction)
    guard counted.adjust(to: texts.count) else { return nil }
    let shares = zip(counted.lines, texts).map { line, text in
      line.length / Double(max(1, text.count { !$0.isWhitespace }))
    }
    let median = shares.sorted()[shares.count / 2]
    let isPlausible = shares.allSatisfy {
      $0 < inkPerLetter * median && inkPerLetter * $0 > median
    }
    return isPlausible ? counted.lines.map(\.strokes) : nil
  }
}

extension StringProtocol {
  /// The text without spaces at its ends.
  fileprivate var trimmingSpaces: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
