import Foundation
import InkCore
import ModelFormat
import Recognition
import Testing

@Suite("The writing area as a size")
struct WritingSizeTests {
  /// Notes the areas and the texts before the ink, and reads the number of strokes.
  private final class Noting: Recognizer, @unchecked Sendable {
    // Unchecked because the lock guards the log.
    private let lock = NSLock()
    private var log: [RecognitionContext] = []
    var labels: [String]? { nil }
    var contexts: [RecognitionContext] { lock.withLock { log } }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      lock.withLock { log.append(context) }
      return RecognitionResult(candidates: [
        RecognitionCandidate(text: "\(ink.strokes.count)", score: -0.1)
      ])
    }
  }

  private struct One: ModelProvider {
    let recognizer: Noting
    var models: [ModelDescription] {
      [ModelDescription(identifier: "m", name: "m", kind: .line, version: 1, languages: [])]
    }
    func bundleURL(of identifier: String) -> URL? { nil }
    func openRecognizer(identifier: String) throws -> any Recognizer { recognizer }
  }

  private func ink(dx: Double = 0, dy: Double = 0) -> Ink {
    Ink(
      strokes: (0..<4).map { letter in
        Stroke(
          points: (0..<12).map { step in
            let angle = Double(step)
            return StrokePoint(
              x: dx + 12 * Double(letter) + 4 * cos(angle), y: dy + 30 + 6 * sin(angle))
          })
      })
  }

  @Test("Ink that is moved is read the same, and no finite size fails")
  func size() throws {
    let noting = Noting()
    let recognizer = DigitalInkRecognizer(model: "m", provider: One(recognizer: noting))
    let context = RecognitionContext(writingSize: WritingSize(width: 300, height: 40))
    let here = try recognizer.recognizeNow(ink(), context: context)
    let there = try recognizer.recognizeNow(ink(dx: 500, dy: 300), context: context)
    #expect(here.candidates.map(\.text) == there.candidates.map(\.text))
    let areas = noting.contexts.compactMap(\.writingArea)
    #expect(areas.count == 2 && areas.allSatisfy { $0.width == 300 && $0.height == 40 })
    #expect(abs(areas[1].x - areas[0].x - 500) < 1e-6)
    #expect(abs(areas[1].y - areas[0].y - 300) < 1e-6)
    for (width, height) in [(0.0, 0.0), (-1, 5), (1e308, 1e308), (.infinity, 1), (.nan, .nan)] {
      let odd = RecognitionContext(writingSize: WritingSize(width: width, height: height))
      #expect(throws: Never.self) { try recognizer.recognizeNow(ink(), context: odd) }
    }
    #expect(throws: Never.self) { try recognizer.recognizeNow(Ink(), context: context) }
  }

  @Test("Async code can call the blocking recognition and the other, by their names")
  func names() async throws {
    let recognizer = DigitalInkRecognizer(model: "m", provider: One(recognizer: Noting()))
    let blocking = try recognizer.recognizeNow(ink())
    let other = try await recognizer.recognize(ink())
    #expect(blocking == other)
  }

  @Test("A word that is replaced is read alone, after the text before it, and put into its place")
  func replacedWord() throws {
    let noting = Noting()
    let recognizer = DigitalInkRecognizer(model: "m", provider: One(recognizer: noting))
    var words = ["alpha", "beta", "gamma"]
    let before = words[..<1].joined(separator: " ") + " "
    let result = try recognizer.recognizeNow(
      ink(), context: RecognitionContext(preContext: before))
    words[1] = result.candidates[0].text
    #expect(words.joined(separator: " ") == "alpha 4 gamma")
    #expect(noting.contexts.map(\.preContext) == ["alpha "])
  }
}
