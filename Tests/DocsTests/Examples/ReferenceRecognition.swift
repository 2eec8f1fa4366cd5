// swift-format-ignore-file
// The examples of Sources/Recognition/Recognition.docc/Recognition.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation
import PretrainedModels

func exampleReferenceRecognition1(_ ink: Ink) async throws {
  let recognizer = DigitalInkRecognizer(model: "en-US", provider: try PretrainedModels())
  let result = try await recognizer.recognize(ink)
  for candidate in result.candidates {
    print(candidate.text, exp(candidate.score))
  }
  _ = recognizer
  _ = result
}

func exampleReferenceRecognition2(_ ink: Ink) async throws {
  let classifier = try GlyphClassifier(contentsOf: URL(fileURLWithPath: "mine.ductus"))
  let result = try classifier.recognize(ink)
  _ = classifier
  _ = result
}
