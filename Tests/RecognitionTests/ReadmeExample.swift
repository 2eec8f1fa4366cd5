import DuctusKit
import Foundation

func read(_ strokes: [Stroke], with bundle: URL) throws -> String? {
  let classifier = try GlyphClassifier(contentsOf: bundle)  // thread-safe; open it once
  let line = try WritingArea(x: 0, y: 0, width: 300, height: 80)  // optional: tells o from O
  let result = try classifier.recognize(
    Ink(strokes: strokes), context: RecognitionContext(writingArea: line))
  for candidate in result.candidates { print(candidate.text, exp(candidate.score)) }
  return result.candidates.first?.text
}
