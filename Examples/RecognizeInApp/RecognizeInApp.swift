import DuctusKit
import Foundation
import PretrainedModels

/// Reads strokes as an app does: with the models that ship, by language, and by name.
///
///     swift run RecognizeInApp
@main
struct RecognizeInApp {
  static func main() async throws {
    let models = try PretrainedModels()

    // A 7 in one stroke. y grows downward; times, pressure and tilt are optional.
    let points = [(10, 10), (35, 10), (60, 10), (50, 30), (40, 50), (32, 70), (25, 90)]
      .map { StrokePoint(x: Double($0.0), y: Double($0.1)) }
    let seven = Ink(strokes: [Stroke(points: points)])

    // Text: words and lines of a language. Open the recogniser once and keep it; it is thread-safe.
    let text = DigitalInkRecognizer(model: "en-US", provider: models)
    try print("as text:   ", best(await text.recognize(seven)))

    // A form field that holds a number: the alphabet is a constraint inside the search.
    let digits = DigitalInkRecognizer(
      options: .init(model: "en-US", alphabet: try Alphabet(pattern: "\\p{Nd}")), provider: models)
    try print("as digits: ", best(await digits.recognize(seven)))

    // The text before the ink and the line that it is written on are optional, and help.
    let context = RecognitionContext(
      preContext: "chapter ", writingArea: try WritingArea(x: 0, y: 0, width: 400, height: 110))
    try print("in a line: ", best(await text.recognize(seven, context: context)))

    // Shapes: another model, by its identifier.
    let shapes = DigitalInkRecognizer(model: "shapes", provider: models)
    let circle = (0...40).map { step in
      let angle = Double(step) / 40 * 2 * Double.pi
      return StrokePoint(x: 50 + 40 * cos(angle), y: 50 + 40 * sin(angle))
    }
    try print("as a shape:", best(await shapes.recognize(Ink(strokes: [Stroke(points: circle)]))))
  }

  /// The best three candidates with their probabilities. Scores are natural logarithms.
  static func best(_ result: RecognitionResult) -> String {
    result.candidates.prefix(3)
      .map { "\($0.text) " + String(format: "%.1f %%", 100 * exp($0.score)) }
      .joined(separator: "   ")
  }
}
