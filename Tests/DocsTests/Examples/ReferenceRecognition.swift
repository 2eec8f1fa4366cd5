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

func exampleReferenceRecognition3(_ ink: Ink) async throws {
  let models = try PretrainedModels()
  let mark = try await DigitalInkRecognizer(model: "gestures", provider: models).recognize(ink)
  if let gesture = mark.candidates.first?.text {
    // For an app that knows the names of mobile handwriting APIs, such as arch:above.
    print(MobileGestureLabel(gesture, of: ink)?.rawValue ?? gesture)
  }
  let shape = try await DigitalInkRecognizer(model: "shapes", provider: models).recognize(ink)
  // Two shapes that are too close to decide between: ask, or leave the ink unchanged.
  if let best = shape.candidates.first, !shape.isAmbiguous() {
    print(MobileShapeLabel(best.text)?.rawValue ?? best.text)
  }
  _ = models
  _ = mark
  _ = shape
}
