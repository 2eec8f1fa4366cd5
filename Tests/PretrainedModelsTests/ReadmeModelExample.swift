import DuctusKit
import PretrainedModels
import Testing

// The snippet of the README, so that it compiles as it is written there.
private func read(_ strokes: [Stroke], after text: String) async throws -> [RecognitionCandidate] {
  let recognizer = DigitalInkRecognizer(model: "en-US", provider: try PretrainedModels())
  let context = RecognitionContext(preContext: text)  // the last 20 characters count
  return try await recognizer.recognize(Ink(strokes: strokes), context: context).candidates
}

@Suite struct ReadmeModelExample {
  @Test func theExampleOfTheReadmeReads() async throws {
    let stroke = Stroke(points: (0..<20).map { StrokePoint(x: 5, y: 10 * Double($0)) })
    let candidates = try await read([stroke], after: "")
    #expect(!candidates.isEmpty)
  }
}
