import Foundation
import InkCore
import Recognition
import Testing

@Suite("Labels and rules of drawings")
struct DrawingRulesTests {
  private func ink(_ points: [(Double, Double)]) -> Ink {
    Ink(strokes: [Stroke(points: points.map { StrokePoint(x: $0.0, y: $0.1) })])
  }

  private func result(_ candidates: [(String, Double)]) -> RecognitionResult {
    RecognitionResult(
      candidates: candidates.map { RecognitionCandidate(text: $0.0, score: log($0.1)) })
  }

  @Test("Every mobile gesture has one of our labels, or none for a line break")
  func gestureLabels() {
    let names = [
      "arch:above", "arch:below", "caret:above", "caret:below", "circle", "corner:downleft",
      "scribble", "strike", "verticalbar", "writing",
    ]
    #expect(MobileGestureLabel.allCases.map(\.rawValue) == names)
    let ours = MobileGestureLabel.allCases.map(\.label)
    #expect(
      ours == [
        "join", "join", "caret", "caret", "surround", nil, "scratch-out", "strike-through",
        "insert", "writing",
      ])
  }

  @Test("The ink decides between above and below")
  func sides() {
    let over = ink([(0, 20), (10, 5), (20, 0), (30, 5), (40, 20)])
    let under = ink([(0, 0), (10, 15), (20, 20), (30, 15), (40, 0)])
    #expect(MobileGestureLabel("join", of: over) == .archAbove)
    #expect(MobileGestureLabel("join", of: under) == .archBelow)
    #expect(MobileGestureLabel("caret", of: over) == .caretBelow)
    #expect(MobileGestureLabel("caret", of: under) == .caretAbove)
    #expect(MobileGestureLabel("scratch-out", of: over) == .scribble)
    #expect(MobileGestureLabel("underline", of: over) == nil)
    #expect(MobileGestureLabel("join", of: Ink()) == .archBelow)
    for label in MobileGestureLabel.allCases {
      guard let ours = label.label else { continue }
      #expect(MobileGestureLabel(ours, of: over)?.label == ours)
    }
  }

  @Test("Shapes map to four mobile labels and back")
  func shapeLabels() {
    #expect(
      MobileShapeLabel.allCases.map(\.rawValue) == ["RECTANGLE", "TRIANGLE", "ARROW", "ELLIPSE"])
    for label in MobileShapeLabel.allCases {
      for ours in label.labels { #expect(MobileShapeLabel(ours) == label) }
    }
    #expect(MobileShapeLabel("cloud") == nil)
  }

  @Test("Two close candidates are ambiguous, and the limit is a number")
  func ambiguity() {
    #expect(result([("rectangle", 0.6), ("ellipse", 0.4)]).isAmbiguous())
    #expect(!result([("rectangle", 0.9), ("ellipse", 0.1)]).isAmbiguous())
    #expect(result([("rectangle", 0.9), ("ellipse", 0.1)]).isAmbiguous(margin: 0.9))
    #expect(!result([("rectangle", 0.2)]).isAmbiguous())
    #expect(result([]).isAmbiguous() && result([]).margin == 0)
    #expect(RecognitionResult.leastSureMargin > 0 && RecognitionResult.leastSureMargin < 1)
  }
}
