import Foundation
import InkCore
import PretrainedModels
import Recognition
import Testing

/// A model of Latin script reads writing in unknown scripts: it returns an answer
/// like any other.
@Suite("Ink of other scripts")
struct OtherScriptTests {
  enum Script: CaseIterable {
    case chinese, chineseColumn, arabic
  }

  @Test("Other scripts are read as something, with finite confidences", arguments: Script.allCases)
  func reading(script: Script) throws {
    let recognizer = try PretrainedModels().openRecognizer(identifier: "latin-lines")
    for seed in 1...4 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let ink = Self.ink(of: script, using: &generator)
      let area = try WritingArea(x: 0, y: 0, width: 1000, height: 120)
      for context in [RecognitionContext(), RecognitionContext(writingArea: area)] {
        let candidates = try recognizer.recognize(ink, context: context, maximumCandidates: 10)
          .candidates
        #expect(!candidates.isEmpty, "seed \(seed)")
        #expect(candidates.allSatisfy { $0.score.isFinite && $0.score <= 0 }, "seed \(seed)")
        // Scores are logarithms of probabilities, rounded to single precision.
        #expect(candidates.reduce(0) { $0 + exp($1.score) } < 1.0001, "seed \(seed)")
        let confidences = candidates.flatMap { $0.words.map(\.confidence) }
        #expect(confidences.allSatisfy { (0...1).contains($0) }, "seed \(seed)")
      }
    }
  }

  private static func ink(of script: Script, using generator: inout SeededGenerator) -> Ink {
    switch script {
    case .chinese:
      return Ink(
        strokes: (0..<7).flatMap { character(x: 110 * Double($0), y: 10, using: &generator) })
    case .chineseColumn:
      return Ink(
        strokes: (0..<6).flatMap { character(x: 40, y: 110 * Double($0), using: &generator) })
    case .arabic:
      return Ink(
        strokes: (0..<4).flatMap { word(right: 900 - 220 * Double($0), using: &generator) })
    }
  }

  /// Bars across, down and slanted in a square: 8 to 14 strokes.
  private static func character(
    x: Double, y: Double, using generator: inout SeededGenerator
  ) -> [Stroke] {
    (0..<8 + generator.index(below: 7)).map { number in
      let (from, to) = (Double(generator.uniform(0...30)), Double(generator.uniform(60...100)))
      let across = Double(generator.uniform(5...95))
      let end = number % 3 == 2 ? Double(generator.uniform(5...95)) : across
      return Stroke(
        points: (0...12).map { step in
          let part = Double(step) / 12
          let along = from + (to - from) * part
          let beside = across + (end - across) * part
          return number % 3 == 0
            ? StrokePoint(x: x + along, y: y + beside) : StrokePoint(x: x + beside, y: y + along)
        })
    }
  }

  /// One stroke along the baseline from right to left, with teeth, a loop and a bowl below it, then
  /// its dots.
  private static func word(
    right: Double, using generator: inout SeededGenerator
  ) -> [Stroke] {
    let (tooth, loop) = (Double(generator.uniform(15...35)), Double(generator.uniform(10...20)))
    let body = Stroke(
      points: (0...120).map { step in
        let part = Double(step) / 120
        let x = right - 180 * part
        switch part {
        case ..<0.4: return StrokePoint(x: x, y: 60 - tooth * abs(sin(30 * part)))
        case ..<0.6:
          let angle = (part - 0.4) / 0.2 * 2 * Double.pi
          return StrokePoint(x: x + loop * sin(angle), y: 60 - loop + loop * cos(angle))
        default: return StrokePoint(x: x, y: 60 + 40 * sin((part - 0.6) / 0.4 * Double.pi))
        }
      })
    let dots = (0..<1 + generator.index(below: 3)).map { dot in
      let x = right - 40 - 12 * Double(dot)
      return Stroke(points: [StrokePoint(x: x, y: 20), StrokePoint(x: x - 2, y: 22)])
    }
    return [body] + dots
  }
}
