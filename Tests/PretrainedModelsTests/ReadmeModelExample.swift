import DuctusKit
import PretrainedModels

func read(_ strokes: [Stroke], after text: String) async throws -> [RecognitionCandidate] {
  let recognizer = DigitalInkRecognizer(model: "en-US", provider: try PretrainedModels())
  let context = RecognitionContext(preContext: text)  // the last 20 characters count
  return try await recognizer.recognize(Ink(strokes: strokes), context: context).candidates
}
