import Foundation
import InkCore
import Testing

@Suite("Coarse ink")
struct CoarseInkTests {
  /// Loops so tall, of 60 samples each, as they were drawn.
  private func loops(height: Double) -> [StrokePoint] {
    (0..<300).map { step in
      let angle = 2 * Double.pi * Double(step) / 60
      return StrokePoint(
        x: height * (Double(step) / 60 + 0.4 * sin(angle)), y: height / 2 * cos(angle),
        t: Double(step))
    }
  }

  private func rounded(_ points: [StrokePoint], to step: Double) -> Ink {
    Ink(strokes: [
      Stroke(
        points: points.map {
          StrokePoint(
            x: ($0.x / step).rounded() * step, y: ($0.y / step).rounded() * step, t: $0.t)
        })
    ])
  }

  private func error(_ ink: Ink, _ drawn: [StrokePoint]) -> Double {
    let squares = zip(ink.strokes[0].points, drawn).map {
      pow($0.x - $1.x, 2) + pow($0.y - $1.y, 2)
    }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  @Test("Strokes of few steps come near to what was drawn", arguments: [1.0, 0.25, 40])
  func smoothed(step: Double) {
    let drawn = loops(height: 4 * step)
    let coarse = rounded(drawn, to: step)
    let cleaned = coarse.cleaned()
    #expect(cleaned.report.isSmoothed && !cleaned.report.isEmpty)
    #expect(cleaned.report.duplicates == 0)
    let points = cleaned.ink.strokes[0].points
    #expect(points.count == drawn.count)
    #expect(points.first == coarse.strokes[0].points.first)
    #expect(points.last == coarse.strokes[0].points.last)
    let (before, after) = (error(coarse, drawn), error(cleaned.ink, drawn))
    #expect(after < 0.7 * before, "\(before) \(after)")
  }

  @Test("Fine coordinates, few samples and tall strokes stay as they are")
  func unchanged() {
    let fine = Ink(strokes: [Stroke(points: loops(height: 4))])
    #expect(fine.cleaned().ink == fine)
    let tall = rounded(loops(height: 100), to: 1)
    #expect(!tall.cleaned().report.isSmoothed)
    let sparse = rounded(Array(loops(height: 4).prefix(40)), to: 1)
    #expect(!sparse.cleaned().report.isSmoothed)
    let resting = Ink(strokes: [
      Stroke(points: (0..<200).map { StrokePoint(x: 3, y: 5, t: Double($0)) })
    ])
    #expect(!resting.cleaned().report.isSmoothed)
  }
}
