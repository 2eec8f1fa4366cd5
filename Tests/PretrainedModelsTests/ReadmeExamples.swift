import DuctusKit
import Foundation
import PretrainedModels

/// The Swift of the README's first screen.
func readmeFirstScreen() async throws -> String? {
  let recognizer = DigitalInkRecognizer(model: "en-US", provider: try PretrainedModels())
  let points = [(10.0, 10.0), (60, 10), (40, 50), (25, 90)].map { StrokePoint(x: $0.0, y: $0.1) }
  let ink = Ink(strokes: [Stroke(points: points)])
  let result = try await recognizer.recognize(ink)
  print(result.candidates.first?.text ?? "nothing to read")  // 7
  return result.candidates.first?.text
}

/// The README's use of a model that somebody trained.
func readmeOwnModel(_ ink: Ink) throws -> RecognitionResult {
  let classifier = try GlyphClassifier(contentsOf: URL(fileURLWithPath: "mine.ductus"))
  let result = try classifier.recognize(ink)
  return result
}
