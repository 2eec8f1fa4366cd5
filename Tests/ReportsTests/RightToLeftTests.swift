import Evaluation
import InkCore
import Reports
import Testing

@Suite("Reports of scripts from right to left")
struct RightToLeftTests {
  private func page(_ texts: [String]) throws -> String {
    let section = InkSection(
      id: "errors", title: "Worst lines", note: "", isOfLines: true,
      cards: [
        InkSection.Card(
          ink: LabeledInk(
            ink: Ink(strokes: [Stroke(points: [StrokePoint(x: 9, y: 1), StrokePoint(x: 1, y: 2)])]),
            label: texts[0]), caption: "A line of handwriting",
          rows: texts.map { InkSection.Row(tag: "written", text: $0, isTrue: true) })
      ])
    let head = ReportHead(kind: "x", title: "x", links: [])
    return try ReportTemplates().render(.lines, head, ["errors": section.values])
  }

  @Test("Ink and texts from right to left say so, and start at the right edge")
  func rightToLeft() throws {
    let page = try page(["سلام ۱۲", "–"])
    #expect(page.contains("<figure class=\"line\" dir=\"rtl\">"))
    #expect(page.contains("<bdi class=\"truth\" dir=\"rtl\">سلام ۱۲</bdi>"))
    #expect(page.contains("<bdi class=\"truth\">–</bdi>"))
    // Ink is drawn where it was written: the path goes to the left.
    #expect(page.contains("l-"))
  }

  @Test("Pages of texts from left to right have no direction")
  func leftToRight() throws {
    // The style sheet names the attribute without quotes.
    #expect(try !page(["hello", "12"]).contains("dir=\""))
  }
}
