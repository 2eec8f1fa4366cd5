import Foundation
import InkCore
import InkDatasets
import ModelFormat
import PretrainedModels
import Recognition
import Testing

@Suite("Models of sketches, emoji and gestures by their tags")
struct SketchModelTests {
  private func ink(_ strokes: [[(Double, Double)]]) -> Ink {
    Ink(
      strokes: strokes.map { stroke in
        Stroke(points: stroke.map { StrokePoint(x: $0.0, y: $0.1) })
      })
  }

  /// A curve with an equation in 0 ... 1.
  private func curve(
    _ count: Int = 48, _ point: (Double) -> (Double, Double)
  ) -> [(Double, Double)] {
    (0...count).map { point(Double($0) / Double(count)) }
  }

  private func best(_ tag: String, _ ink: Ink) throws -> [String] {
    let recognizer = try PretrainedModels().recognizer(for: tag)
    return try recognizer.recognize(
      ink, context: RecognitionContext(), maximumCandidates: 3
    ).candidates.map(\.text)
  }

  @Test("A heart gives U+2764, from equations and from virtual writers")
  func heart() throws {
    // Two well-known equations of hearts; y grows downward.
    let first = curve { part in
      let t = 2 * Double.pi * part
      return (
        16 * pow(sin(t), 3), -(13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t))
      )
    }
    let second = curve { part in
      let t = Double.pi * (2 * part - 1)
      return (100 * sin(t), -80 * (cos(t) + 0.8 * abs(sin(t)).squareRoot()))
    }
    for heart in [first, second] {
      let drawn = ink([heart.map { ($0.0 * 8 + 300, $0.1 * 8 + 200) }])
      #expect(try best("zxx-Zsye-x-emoji", drawn).contains("\u{2764}"))
    }
    let made = try DataSpecification(parsing: "starter:sketches?seed=5&split=all&count=40")
    var found = 0
    for record in try made.records() {
      if try best("zxx-Zsye-x-emoji", record.get().labeled.ink).contains("\u{2764}") { found += 1 }
    }
    #expect(found >= 36, "\(found) of 40")
  }

  /// A line through corners, with points between them as a pen gives them.
  private func line(_ corners: (Double, Double)...) -> [(Double, Double)] {
    var points = [corners[0]]
    for (from, to) in zip(corners, corners.dropFirst()) {
      points += (1...8).map { step in
        let part = Double(step) / 8
        return (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
      }
    }
    return points
  }

  private func circle(_ x: Double, _ y: Double, _ radius: Double) -> [(Double, Double)] {
    curve(radius > 9 ? 40 : 10) { part in
      let angle = 2 * Double.pi * part - 2.2
      return (x + radius * cos(angle), y + radius * sin(angle))
    }
  }

  @Test("A cat gives its name and its emoji among the first three")
  func cat() throws {
    let eyes = [circle(38, 48, 3), circle(62, 48, 3)]
    let nose = line((46, 60), (54, 60), (50, 65), (46, 60))
    let whiskers = [
      line((34, 62), (0, 56)), line((34, 66), (0, 68)), line((66, 62), (100, 56)),
      line((66, 66), (100, 68)),
    ]
    let ears = [line((22, 35), (18, 2), (42, 20)), line((58, 20), (82, 2), (78, 35))]
    let outline = line(
      (20, 40), (16, 8), (38, 24), (50, 22), (62, 24), (84, 8), (80, 40), (86, 60), (76, 82),
      (50, 92), (24, 82), (14, 60), (20, 40))
    // A round head with two ears, and a head with ears in one stroke.
    for head in [[circle(50, 55, 35)] + ears, [outline]] {
      let cat = ink(head + eyes + [nose] + whiskers)
      #expect(try best("zxx-Zsym-x-autodraw", cat).contains("cat"))
      #expect(try best("zxx-Zsye-x-emoji", cat).contains("🐈"))
    }
  }

  @Test("Tags open their models: gestures in any language, the others exactly")
  func tags() throws {
    let shipped = try PretrainedModels()
    for (tag, identifier) in [
      ("zxx-Zsym-x-autodraw", "sketches"), ("zxx-Zsye-x-emoji", "emoji"),
      ("zxx-Zsym-x-shapes", "shapes"), ("en-x-gesture", "gestures"),
      ("fr-FR-x-gesture", "gestures"),
      ("x-gesture", "gestures"), ("en_x_GESTURE", "gestures"),
    ] {
      #expect(try shipped.model(for: tag)?.identifier == identifier, "\(tag)")
      let url = try PretrainedModels.shippedBundle(for: tag)
      #expect(url?.lastPathComponent == "\(identifier).ductus", "\(tag)")
    }
    #expect(try shipped.model(for: "en")?.identifier == "latin-lines")
    #expect(try shipped.model(for: "en-x-other") == nil)
    #expect(try PretrainedModels.shippedBundle(for: "none at all") == nil)
    let labels = try #require(shipped.openRecognizer(identifier: "sketches").labels)
    #expect(labels.contains("cat") && labels.contains("heart") && labels.count > 300)
  }

  @Test("Every emoji of the model is one character that is no letter")
  func emoji() throws {
    let labels = try #require(PretrainedModels().openRecognizer(identifier: "emoji").labels)
    #expect(labels.count > 200)
    for label in labels {
      #expect(
        label.count == 1 && label.unicodeScalars.count == 1 && !label.contains(where: \.isLetter))
    }
  }
}
