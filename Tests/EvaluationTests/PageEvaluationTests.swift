import Evaluation
import Foundation
import InkCore
import InkDatasets
import Layout
import Metrics
import Recognition
import TestSamples
import Testing

@Suite("The evaluation of pages")
struct PageEvaluationTests {
  private static func page(
    _ label: String, strokes: Int, kinds: [StrokeKind]? = nil
  ) -> LabeledInk {
    let all = (0..<strokes).map { stroke in
      let points = (0..<20).map { (step: Int) -> StrokePoint in
        let y = 100 * stroke + (step % 2 == 0 ? 0 : 30)
        return StrokePoint(x: Double(5 * step), y: Double(y))
      }
      return Stroke(points: points)
    }
    return LabeledInk(
      ink: Ink(strokes: all), label: label, writer: "w", kinds: kinds?.map(\.rawValue))
  }

  // MARK: - Kinds of a reading

  @Test("Each stroke of a reading has the kind of what it is in")
  func strokeKinds() {
    var result = RecognitionResult(
      candidates: [RecognitionCandidate(text: "a\nb\nc", score: 0)],
      lines: [
        RecognizedLine(block: 0, strokes: [1, 0], candidates: []),
        RecognizedLine(block: 1, strokes: [4], candidates: []),
      ])
    result.blocks = [
      RecognizedBlock(kind: .text, bounds: nil, strokes: [0, 1], lines: [0]),
      RecognizedBlock(kind: .table, bounds: nil, strokes: [2, 3, 4], lines: [1], rows: [[[1]]]),
      RecognizedBlock(kind: .formula, bounds: nil, strokes: [5]),
      RecognizedBlock(kind: .drawing, bounds: nil, strokes: [6]),
    ]
    result.edges = [RecognizedEdge(from: 0, to: 1, arrow: .end, strokes: [7, 8])]
    result.marks = zip(RecognizedMark.Kind.allCases, 9...).map {
      RecognizedMark(kind: $0, strokes: [$1], words: [])
    }
    #expect(
      result.strokeKinds(count: 16) == [
        .text, .text, .tableRule, .tableRule, .text, .formula, .drawing, .connector, .connector,
        .underline, .strikeThrough, .frame, .divider, .bullet, .tickBox, nil,
      ])
    // Strokes beyond the ink are left out.
    #expect(result.strokeKinds(count: 2) == [.text, .text])
  }

  @Test("Ink that was read as a line is text")
  func line() {
    let read = RecognitionResult(
      candidates: [RecognitionCandidate(text: "a", score: 0)], drawing: [1])
    #expect(read.strokeKinds(count: 3) == [.text, .drawing, .text])
    #expect(RecognitionResult(candidates: []).strokeKinds(count: 2) == [nil, nil])
  }

  // MARK: - Figures

  @Test("Precision and recall of kinds, by hand")
  func kinds() throws {
    var evaluation = PageEvaluation()
    evaluation.add(
      Self.page("a\nb", strokes: 5, kinds: [.text, .text, .text, .frame, .connector]),
      reference: ["a", "b"], hypothesis: ["b", "a"],
      kinds: [.text, .text, .connector, .text, .connector])
    evaluation.add(
      Self.page("a\nb", strokes: 2, kinds: [.frame, .frame]), reference: ["a", "b"],
      hypothesis: ["a", "b"], kinds: [.frame, nil])
    // Without kinds in the record or in the reading, only the text counts.
    evaluation.add(
      Self.page("a", strokes: 1), reference: ["a"], hypothesis: [], kinds: [.text])
    evaluation.add(
      Self.page("a", strokes: 1, kinds: [.text]), reference: ["a"], hypothesis: ["a"], kinds: nil)
    let pages = try #require(EvaluationSummary.Pages(evaluation))
    #expect(pages.pages == 4 && pages.pagesWithKinds == 2)
    #expect(pages.cer == 1.0 / 6 && pages.characters == 6)
    #expect(pages.phrases == 6 && pages.wholePhrases == 5.0 / 6)
    #expect(pages.kindAccuracy == 4.0 / 7)
    let kinds: [EvaluationSummary.LabelFigures] = [
      .init(label: "text", samples: 3, recall: 2.0 / 3, precision: 2.0 / 3),
      .init(label: "connector", samples: 1, recall: 1, precision: 0.5),
      .init(label: "frame", samples: 3, recall: 1.0 / 3, precision: 1),
    ]
    #expect(pages.kinds == kinds)
    let confusions: [EvaluationSummary.Confusion] = [
      .init(label: "frame", predicted: "text", count: 1),
      .init(label: "text", predicted: "connector", count: 1),
    ]
    #expect(pages.kindConfusions == confusions)
  }

  @Test("The worst pages have the most edits and wrong strokes, and the phrases that are missing")
  func worst() {
    var evaluation = PageEvaluation()
    for length in [3, 0, 9, 6] {
      let text = String(repeating: "x", count: length)
      evaluation.add(
        Self.page("a", strokes: 1), reference: ["a", text], hypothesis: ["a"], kinds: nil)
    }
    evaluation.add(
      Self.page("a", strokes: 2, kinds: [.text, .frame]), reference: ["a"], hypothesis: ["a"],
      kinds: [.frame, .frame])
    #expect(evaluation.worst.map(\.text.edits) == [9, 6, 3, 0])
    #expect(evaluation.worst.map(\.wrongStrokes) == [[], [], [], [0]])
    #expect(evaluation.worst.map(\.missingPhrases) == [["xxxxxxxxx"], ["xxxxxx"], ["xxx"], []])
    for _ in 0..<30 {
      evaluation.add(
        Self.page("abcd", strokes: 1), reference: ["abcd"], hypothesis: [], kinds: nil)
    }
    #expect(evaluation.worst.count == PageEvaluation.worstCount)
    #expect(evaluation.worst.map(\.text.edits) == [9, 6] + Array(repeating: 4, count: 18))
  }

  @Test("A record is a page if its label has lines, its strokes have kinds, or it is read as one")
  func pages() {
    func isPage(_ label: String, _ layout: InkLayout, _ kinds: [StrokeKind]? = nil) -> Bool {
      PageEvaluation.isPage(Self.page(label, strokes: 1, kinds: kinds), layout: layout)
    }
    #expect(!isPage("a b", .auto) && !isPage("a\n \n", .auto) && !isPage("a", .line))
    #expect(isPage("a\nb", .auto) && isPage("a\r\nb", .line))
    #expect(isPage("a", .page) && isPage("", .auto, [.text]))
  }

  // MARK: - Through a recogniser

  @Test("Pages of data are measured beside their lines, with all strokes")
  func evaluation() throws {
    let recognizer = try SmallModels.untrainedLines()
    let kinds: [StrokeKind] = [.text, .text, .frame]
    let records = [
      Self.page("ab\ncd", strokes: 3, kinds: kinds), Self.page("ab", strokes: 1),
      Self.page("ab\nc", strokes: 2),
    ]
    for reading in [LineEvaluation.Reading.greedy, .beam] {
      let evaluation = try TemporaryInk.with(records) { data in
        try LineEvaluation(recognizer, on: [data], reading: reading)
      }
      #expect(evaluation.samples == 3)
      let pages = evaluation.pages
      #expect(pages.text.pages == 2 && pages.text.characters == 4 + 3 && pages.text.phrases == 4)
      #expect(pages.pagesWithKinds == (reading == .beam ? 1 : 0))
      #expect(pages.kinds.count == (reading == .beam ? 3 : 0))
      let summary = EvaluationSummary(
        evaluation, model: "m", data: ["d"], modelBytes: 1, languageBytes: nil,
        peakResidentBytes: nil)
      #expect(summary.pages?.pages == 2)
      let json = try JSONEncoder().encode(summary)
      #expect(try JSONDecoder().decode(EvaluationSummary.self, from: json) == summary)
    }
  }

  @Test("Data without pages has no figures of pages")
  func noPages() throws {
    let recognizer = try SmallModels.untrainedLines()
    let evaluation = try TemporaryInk.with([Self.page("ab", strokes: 1)]) { data in
      try LineEvaluation(recognizer, on: [data], reading: .beam)
    }
    let summary = EvaluationSummary(
      evaluation, model: "m", data: ["d"], modelBytes: 1, languageBytes: nil,
      peakResidentBytes: nil)
    #expect(summary.pages == nil)
    let whole = try TemporaryInk.with([Self.page("ab", strokes: 1)]) { data in
      try LineEvaluation(recognizer, on: [data], reading: .beam, layout: .page)
    }
    #expect(whole.pages.text.pages == 1)
  }
}
