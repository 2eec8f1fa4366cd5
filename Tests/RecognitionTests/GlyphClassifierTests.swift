import Dispatch
import Features
import Foundation
import InkCore
import Recognition
import Testing

@Suite("Glyph classifier")
struct GlyphClassifierTests {
  let classifier = GlyphClassifier(model: Samples.model())

  /// Sums of five exponentials in double of scores computed in single precision.
  static let probabilityTolerance = 1e-5

  @Test("Ink without strokes, or without points, has no candidates")
  func emptyInk() throws {
    #expect(try classifier.recognize(Ink()).candidates.isEmpty)
    let withoutPoints = Ink(strokes: [Stroke(points: []), Stroke(points: [])])
    #expect(try classifier.recognize(withoutPoints).candidates.isEmpty)
  }

  @Test(
    "A coordinate that is not finite is an error that names it", arguments: [Double.nan, .infinity])
  func nonFinite(value: Double) throws {
    for point in [StrokePoint(x: value, y: 0), StrokePoint(x: 0, y: -value)] {
      let ink = Ink(strokes: [
        Stroke(points: [StrokePoint(x: 0, y: 0)]),
        Stroke(points: [StrokePoint(x: 1, y: 1), point]),
      ])
      #expect(throws: InkError.nonFiniteCoordinate(stroke: 1, point: 1)) {
        try classifier.recognize(ink)
      }
      // The memory of the refused call can be used by the next.
      #expect(try classifier.recognize(Samples.ink(seed: 3)).candidates.count == 5)
    }
  }

  @Test("Candidates are all labels once, best first, and their probabilities sum to 1")
  func sorted() throws {
    for seed in 0..<50 as Range<UInt64> {
      let candidates = try classifier.recognize(
        Samples.ink(seed: seed), context: Samples.context(), maximumCandidates: 100
      ).candidates
      #expect(Set(candidates.map(\.text)) == Set(Samples.labels), "seed \(seed)")
      #expect(candidates.count == Samples.labels.count, "seed \(seed)")
      #expect(candidates.map(\.score) == candidates.map(\.score).sorted(by: >), "seed \(seed)")
      #expect(candidates.allSatisfy { $0.score <= 0 && $0.score.isFinite }, "seed \(seed)")
      let sum = candidates.reduce(0) { $0 + exp($1.score) }
      #expect(abs(sum - 1) < Self.probabilityTolerance, "seed \(seed)")
    }
  }

  @Test("Fewer candidates are the best ones, with the same scores; less than 1 counts as 1")
  func maximumCandidates() throws {
    for seed in 0..<20 as Range<UInt64> {
      let ink = Samples.ink(seed: seed)
      let all = try classifier.recognize(ink).candidates
      for count in [-3, 0, 1, 2, 4, 5, 6, .max] {
        let some = try classifier.recognize(
          ink, context: RecognitionContext(), maximumCandidates: count
        ).candidates
        #expect(some == Array(all.prefix(max(1, count))), "seed \(seed), count \(count)")
      }
    }
  }

  @Test("A higher temperature lowers the confidence and keeps the order")
  func temperature() throws {
    let cool = GlyphClassifier(model: Samples.model(temperature: 0.5))
    let warm = GlyphClassifier(model: Samples.model(temperature: 4))
    for seed in 0..<10 as Range<UInt64> {
      let sharp = try cool.recognize(Samples.ink(seed: seed)).candidates
      let flat = try warm.recognize(Samples.ink(seed: seed)).candidates
      #expect(sharp.map(\.text) == flat.map(\.text), "seed \(seed)")
      #expect(sharp[0].score > flat[0].score, "seed \(seed)")
    }
  }

  @Test("Calls from many threads give the same as sequential calls")
  func threadSafety() throws {
    let inks = (0..<64 as Range<UInt64>).map(Samples.ink)
    let serial = try inks.map { try GlyphClassifier(model: Samples.model()).recognize($0) }
    let results = Results(count: 20 * inks.count)
    DispatchQueue.concurrentPerform(iterations: results.count) { index in
      results.set(index, try? classifier.recognize(inks[index % inks.count]))
    }
    for index in 0..<results.count {
      #expect(results[index] == serial[index % inks.count], "ink \(index % inks.count)")
    }
  }

  /// Results that threads fill in.
  private final class Results: @unchecked Sendable {
    // Unchecked because the lock guards the values.
    private let lock = NSLock()
    private var values: [RecognitionResult?]
    let count: Int

    init(count: Int) {
      self.count = count
      values = Array(repeating: nil, count: count)
    }

    func set(_ index: Int, _ value: RecognitionResult?) { lock.withLock { values[index] = value } }

    subscript(_ index: Int) -> RecognitionResult? { lock.withLock { values[index] } }
  }

  /// Scaling by a power of two is exact; others round coordinates in their last bits, which moves
  /// scores of random networks by far less than this.
  static let invarianceTolerance = 1e-3

  @Test(
    "Scaling ink and area together does not change the answer",
    arguments: [1e-3, 0.01, 0.125, 0.7, 2, 10, 1e3])
  func scaling(factor: Double) throws {
    for seed in 0..<25 as Range<UInt64> {
      let ink = Samples.ink(seed: seed)
      let area = try WritingArea(x: -10, y: -20, width: 400, height: 120)
      let scaledArea = try WritingArea(
        x: factor * area.x, y: factor * area.y, width: factor * area.width,
        height: factor * area.height)
      try expectEqual(ink, area, ink.mapped(scale: factor), scaledArea, "seed \(seed)")
      try expectEqual(ink, nil, ink.mapped(scale: factor), nil, "seed \(seed), no area")
    }
  }

  @Test("Moving ink and area together does not change the answer", arguments: [-5000.0, 37.5, 1e5])
  func moving(distance: Double) throws {
    for seed in 0..<25 as Range<UInt64> {
      let ink = Samples.ink(seed: seed)
      let area = try WritingArea(x: -10, y: -20, width: 400, height: 120)
      let movedArea = try WritingArea(
        x: area.x + distance, y: area.y - 2 * distance, width: area.width, height: area.height)
      let moved = ink.mapped(scale: 1, dx: distance, dy: -2 * distance)
      try expectEqual(ink, area, moved, movedArea, "seed \(seed)")
      try expectEqual(ink, nil, moved, nil, "seed \(seed), no area")
    }
  }

  private func expectEqual(
    _ ink: Ink, _ area: WritingArea?, _ other: Ink, _ otherArea: WritingArea?, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try classifier.recognize(ink, context: RecognitionContext(writingArea: area))
    let after = try classifier.recognize(other, context: RecognitionContext(writingArea: otherArea))
    let comment = Comment(rawValue: what)
    #expect(
      before.candidates.map(\.text) == after.candidates.map(\.text), comment,
      sourceLocation: sourceLocation)
    for (one, two) in zip(before.candidates, after.candidates) {
      #expect(
        abs(one.score - two.score) < Self.invarianceTolerance, comment,
        sourceLocation: sourceLocation)
    }
  }

  @Test("A writing area is used if there is one")
  func area() throws {
    var differences = 0
    for seed in 0..<20 as Range<UInt64> {
      let ink = Samples.ink(seed: seed)
      let without = try classifier.recognize(ink)
      let small = try classifier.recognize(ink, context: Samples.context(height: 120))
      let large = try classifier.recognize(ink, context: Samples.context(height: 600))
      #expect(without.candidates.count == 5)
      if without != small, small != large { differences += 1 }
    }
    // Ink of one point has the same size in any area.
    #expect(differences >= 15)
  }

  @Test(
    "Unusual ink has finite scores",
    arguments: [
      Ink(strokes: [Stroke(points: [StrokePoint(x: 5, y: 5)])]),
      Ink(strokes: [Stroke(points: Array(repeating: StrokePoint(x: 1, y: 2, t: 3), count: 20))]),
      Ink(strokes: [
        Stroke(points: []),
        Stroke(points: [StrokePoint(x: 1e9, y: -1e9), StrokePoint(x: -1e9, y: 0)]),
      ]),
      Ink(strokes: [
        Stroke(
          points: (0..<100_000).map {
            StrokePoint(x: sin(Double($0)), y: Double($0 % 977), t: -Double($0))
          })
      ]),
      Ink(strokes: [
        Stroke(points: [
          StrokePoint(x: 0, y: 0, t: 1e308), StrokePoint(x: 1, y: 1, t: -1e308),
          StrokePoint(x: 2, y: 0, t: .infinity),
        ])
      ]),
      Ink(strokes: [
        Stroke(points: [
          StrokePoint(x: -1.7e308, y: -1.7e308), StrokePoint(x: 1.7e308, y: 1.7e308),
        ])
      ]),
      Ink(strokes: [
        Stroke(points: [
          StrokePoint(x: 0, y: 0),
          StrokePoint(x: .leastNonzeroMagnitude, y: .leastNonzeroMagnitude),
        ])
      ]),
      Ink(strokes: (0..<500).map { Stroke(points: [StrokePoint(x: Double($0), y: 0)]) }),
    ])
  func unusualInk(ink: Ink) throws {
    for context in [
      RecognitionContext(), try Samples.context(), try Samples.context(height: 1e-300),
    ] {
      let candidates = try classifier.recognize(ink, context: context).candidates
      #expect(candidates.count == 5)
      #expect(candidates.allSatisfy { $0.score.isFinite && $0.score <= 0 })
    }
  }
}
