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

  /// The strokes of a case, in their own units.
  private static func strokes(of name: String) throws -> [Stroke] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Cases/words/\(name).jsonl")
    let line = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")[0]
    let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let strokes = try #require(json?["strokes"] as? [[String: Any]])
    return try strokes.map { stroke in
      let x = try #require(stroke["x"] as? [Double])
      let y = try #require(stroke["y"] as? [Double])
      return Stroke(points: zip(x, y).map { StrokePoint(x: $0, y: $1) })
    }
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

  @Test("A word of the user is read where the models alone read another one")
  func userWord() async throws {
    func read(knowing word: String?) async throws -> String {
      let engine = Engine(models: ProvidedModels(try PretrainedModels()))
      if let word { try engine.addUserWord(word) }
      let editor = engine.makeEditor()
      editor.viewTransform = .millimetres
      editor.fontMetrics = DefaultFontMetrics()
      try editor.setViewSize(width: 300, height: 200)
      try editor.configuration.set("text.guides.enable", to: false)
      try editor.setPart(engine.makePart(type: "Text"))
      for stroke in try Self.strokes(of: "covfefe") {
        for (index, point) in stroke.points.enumerated() {
          let (x, y) = (20 + point.x / 5, 20 + point.y / 5)
          if index == 0 {
            try editor.pointerDown(x: x, y: y)
          } else {
            try editor.pointerMove(x: x, y: y)
          }
        }
        if let last = stroke.points.last {
          try editor.pointerUp(x: 20 + last.x / 5, y: 20 + last.y / 5)
        }
      }
      try await editor.becomeIdle()
      return try editor.export(as: .text)
    }
    let alone = try await read(knowing: nil)
    #expect(alone != "covfefe")
    let known = try await read(knowing: "covfefe")
    #expect(known == "covfefe")
  }
}
