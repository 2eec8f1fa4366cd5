// swift-format-ignore-file
// The examples of README.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation
import PretrainedModels

func exampleREADME1() async throws {
  let recognizer = DigitalInkRecognizer(model: "en-US", provider: try PretrainedModels())
  let points = [(10.0, 10.0), (60, 10), (40, 50), (25, 90)].map { StrokePoint(x: $0.0, y: $0.1) }
  let ink = Ink(strokes: [Stroke(points: points)])
  let result = try await recognizer.recognize(ink)
  print(result.candidates.first?.text ?? "nothing to read")  // 7
  _ = recognizer
  _ = points
  _ = ink
  _ = result
}

func exampleREADME3(_ ink: Ink) async throws {
  let classifier = try GlyphClassifier(contentsOf: URL(fileURLWithPath: "mine.ductus"))
  let result = try classifier.recognize(ink)
  _ = classifier
  _ = result
}
