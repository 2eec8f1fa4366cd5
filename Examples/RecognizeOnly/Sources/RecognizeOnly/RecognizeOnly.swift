import DuctusKit
import Foundation

/// The smallest app: opens the bundle named by its argument and reads one ink, a vertical stroke.
@main
struct RecognizeOnly {
  static func main() throws {
    guard let bundle = CommandLine.arguments.dropFirst().first else {
      print("usage: RecognizeOnly NAME.ductus")
      return
    }
    let classifier = try GlyphClassifier(contentsOf: URL(fileURLWithPath: bundle))
    let points = (0..<30).map { StrokePoint(x: 100, y: 20 + 2 * Double($0), t: 10 * Double($0)) }
    let area = try WritingArea(width: 300, height: 100)
    let result = try classifier.recognize(
      Ink(strokes: [Stroke(points: points)]), context: RecognitionContext(writingArea: area))
    for candidate in result.candidates.prefix(3) {
      print(candidate.text, String(format: "%.3f", exp(candidate.score)))
    }
  }
}
