import InkCore
import InkFormats

/// Puts the lines of each form of IAM-OnDB together to a page: their strokes in the order of the lines, their
/// texts with line breaks between.
///
/// All lines of a form were recorded on one whiteboard, so that their coordinates agree. The times of each line
/// start behind those of the line before. A failure of a line leaves the line out of its page and stands
/// before it.
struct PagesOfLines: IteratorProtocol {
  typealias Element = Result<InkRecord, InkFormatError>

  /// The pause between two lines in milliseconds: longer than any between two strokes of a word.
  private static let pause = 1000.0

  private var lines: AnyIterator<Element>
  private var ahead: InkRecord?

  init(_ lines: AnyIterator<Element>) {
    self.lines = lines
  }

  mutating func next() -> Element? {
    var page = ahead
    ahead = nil
    while let element = lines.next() {
      let line: InkRecord
      switch element {
      case .success(let record): line = record
      case .failure:
        // The page goes on after the failure.
        ahead = page
        return element
      }
      guard let whole = page else {
        page = line
        continue
      }
      guard whole.page != nil, whole.page == line.page else {
        ahead = line
        return finish(whole)
      }
      page = Self.joined(whole, line)
    }
    return page.map { finish($0) }
  }

  private func finish(_ page: InkRecord) -> Element {
    var page = page
    page.level = .text
    page.indexInSource = 0
    page.source = page.page ?? page.source
    page.id = page.source
    return .success(page)
  }

  private static func joined(_ page: InkRecord, _ line: InkRecord) -> InkRecord {
    var page = page
    page.labeled.label += "\n" + line.labeled.label
    // Kinds are known of all strokes or of none.
    page.labeled.kinds = page.labeled.kinds.flatMap { kinds in
      line.labeled.kinds.map { kinds + $0 }
    }
    page.notes.formUnion(line.notes)
    page.segmentation = nil
    page.labeled.writingArea = nil
    let last = page.labeled.ink.strokes.last?.points.last?.t
    let first = line.labeled.ink.strokes.first?.points.first?.t
    let delay = last.flatMap { last in first.map { last - $0 + pause } }
    page.labeled.ink.strokes += line.labeled.ink.strokes.map { stroke in
      var stroke = stroke
      guard let delay else { return stroke }
      for index in stroke.points.indices {
        stroke.points[index].t = stroke.points[index].t.map { $0 + delay }
      }
      return stroke
    }
    return page
  }
}
