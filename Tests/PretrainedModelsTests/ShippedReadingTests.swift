import DuctusKit
import Foundation
import InkCore
import PretrainedModels
import Recognition
import Testing

/// Settings of an app, with the models that ship.
@Suite("Settings with the models that ship")
struct ShippedReadingTests {
  private static func circle(height: Double) -> Ink {
    Ink(strokes: [
      Stroke(
        points: (0...32).map { step in
          let angle = Double(step) / 32 * 2 * .pi
          return StrokePoint(
            x: 50 - height * 0.4 * sin(angle), y: 50 - height / 2 * cos(angle),
            t: Double(step * 12))
        })
    ])
  }

  @Test("The size of the writing area tells a small circle from a large one")
  func size() throws {
    let recognizer = DigitalInkRecognizer(
      model: "latin-characters", provider: try PretrainedModels())
    func best(_ height: Double) throws -> String? {
      try recognizer.recognizeNow(
        Self.circle(height: height),
        context: RecognitionContext(writingSize: WritingSize(width: 100, height: 40))
      ).candidates.first?.text
    }
    let (small, large) = (try best(13), try best(32))
    #expect(small == "o")
    #expect(large == "O" || large == "0", "read \(large ?? "nothing")")
  }

  @Test("Words of the user are read more often than without them")
  func userWords() async throws {
    let words = ["fremont", "wexlit", "brenlo", "dralka"]
    var right = (alone: 0, known: 0)
    for word in words {
      for ink in try Ink.printed(word) {
        if try await read(ink, knowing: []) == word { right.alone += 1 }
        if try await read(ink, knowing: words) == word { right.known += 1 }
      }
    }
    #expect(right.known > right.alone, "\(right) of \(words.count * 4)")
  }

  /// Reads ink in an editor whose engine has words of the user.
  private func read(_ ink: Ink, knowing words: [String]) async throws -> String {
    let engine = Engine(models: ProvidedModels(try PretrainedModels()))
    for word in words { try engine.addUserWord(word) }
    let editor = engine.makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 300, height: 200)
    try editor.configuration.set("text.guides.enable", to: false)
    try editor.setPart(engine.makePart(type: "Text"))
    let box = try #require(ink.boundingBox)
    let scale = 10 / max(box.height, 1e-6)
    for stroke in ink.strokes {
      let points = stroke.points.map {
        (20 + ($0.x - box.minX) * scale, 20 + ($0.y - box.minY) * scale)
      }
      guard let first = points.first, let last = points.last else { continue }
      try editor.pointerDown(x: first.0, y: first.1)
      for point in points.dropFirst() { try editor.pointerMove(x: point.0, y: point.1) }
      try editor.pointerUp(x: last.0, y: last.1)
    }
    try await editor.becomeIdle()
    return try editor.export(as: .text)
  }
}
