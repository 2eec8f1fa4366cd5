import InkCore
import InkFormats
import Layout

/// Cuts labelled pages into their lines, for `unit=line` of formats whose records are pages.
///
/// The lines of the ink are found by `PageLayout`, in the direction of the label's script. They
/// belong to the lines of the label, in order, if there are as many. All lines of a page keep its
/// source and index, so that they are in one part of a split.
enum LinesOfPages {
  /// The lines of a page.
  ///
  /// - Returns: The record itself if it is one line; lines without labels if it has no label. A
  ///   failure if the ink has a different number of lines than the label.
  static func lines(of page: InkRecord) -> Result<[InkRecord], InkFormatError> {
    let texts = page.labeled.label.split(whereSeparator: \.isNewline)
      .map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    let ink = page.labeled.ink
    let direction = ScriptTraits(of: page.labeled.label).direction
    let layout = PageLayout(ink, direction: direction)
    let lines = layout.linesWithDrawing(of: ink).fewest(atLeast: texts.count, in: ink)
    guard lines.count == texts.count || texts.isEmpty else {
      return .failure(
        InkFormatError(
          .unmatchedLines, at: page.location,
          expected: "\(texts.count) lines of ink, as many as the label has",
          found: "\(lines.count)",
          advice: "cut the page with a model: ductus data cut --into lines"))
    }
    guard lines.count > 1 else { return .success([page]) }
    return .success(
      lines.enumerated().map { number, strokes in
        var record = page
        record.labeled.ink = Ink(strokes: strokes.map { ink.strokes[$0] })
        record.labeled.label = texts.isEmpty ? "" : texts[number]
        record.labeled.writingArea = nil
        record.segmentation = nil
        record.level = .text
        record.id = page.id.map { "\($0)/\(number + 1)" }
        record.warnings = number == 0 ? page.warnings : []
        return record
      })
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
