import Evaluation
import InkCore
import Layout
import Reports
import TestSamples
import Testing

@Suite("Reports of pages")
struct PageReportTests {
  private static let page = LabeledInk(
    ink: Ink(
      strokes: [
        Stroke(points: [StrokePoint(x: 0, y: 0), StrokePoint(x: 90, y: 0)]),
        Stroke(points: []),
        Stroke(points: [StrokePoint(x: 0, y: 50), StrokePoint(x: 90, y: 60)]),
        Stroke(points: [StrokePoint(x: 40, y: 90)]),
      ]),
    label: "two <words>\nab", kinds: ["text", "text", "frame", "bullet"])

  private func html(_ records: [LabeledInk]) throws -> String {
    let recognizer = try SmallModels.untrainedLines()
    let evaluation = try TemporaryInk.with(records) { data in
      try LineEvaluation(recognizer, on: [data], reading: .beam)
    }
    let summary = EvaluationSummary(
      evaluation, model: "m", data: ["d"], modelBytes: 1, languageBytes: nil,
      peakResidentBytes: nil)
    return try LineReport(evaluation, summary: summary).html()
  }

  @Test("A report of pages has figures, kinds and drawings of the worst")
  func pages() throws {
    let html = try html([Self.page])
    for text in [
      "<section id=\"pages\">", "<a href=\"#pages\">", "Phrases read whole", "Kinds of strokes",
      "<th scope=\"row\">bullet</th>", "Worst pages", "<ul class=\"legend\">",
      "two &lt;words&gt;</bdi>",
    ] {
      #expect(html.contains(text), "\(text)")
    }
    #expect(!html.contains("two <words>"))
    #expect(!html.contains("{{"))
  }

  @Test("A report of lines has no section on pages")
  func lines() throws {
    let html = try html([TemporaryInk.line(60, label: "an ink")])
    #expect(!html.contains("id=\"pages\"") && !html.contains("Phrases read whole"))
  }

  @Test("Strokes of a drawing have the class of their kind, and of a wrong one")
  func drawing() {
    let svg = InkDrawing(
      Self.page.ink, kinds: StrokeColors([.text, .formula, .frame, nil], wrong: [2, 3])
    ).svg
    let classes = svg.matches(of: /<(path|circle) class="([^"]+)"/).map {
      "\($0.output.1) \($0.output.2)"
    }
    // The stroke without points is not drawn, and takes no colour.
    #expect(classes == ["path k0", "path k4 x", "circle kn x"])
    #expect(InkDrawing(Self.page.ink).svg.contains("class=\"s0\""))
    for kind in StrokeKind.allCases {
      #expect(InkDrawing.styleSheet.contains(".ink path.k\(kind.index){stroke:#"))
      #expect(InkDrawing.styleSheet.contains(".legend .k\(kind.index){background:#"))
    }
  }
}
