import Foundation
import InkCore
import InkEditor
import Testing

@Suite("Outlines of strokes")
struct OutlineTests {
  private func style(
    _ brush: InkBrush = .pen, width: Double = 1, leastShare: Double? = nil
  ) throws -> StrokeStyle {
    try StrokeStyle(color: "#000000", width: width, brush: brush, leastShare: leastShare)
  }

  /// The height of an outline at a place of a level stroke.
  private func width(_ polygon: [PlanePoint], x: Double) -> Double {
    var heights: [Double] = []
    guard var from = polygon.last else { return 0 }
    for to in polygon {
      if (from.x < x) != (to.x < x) {
        heights.append(from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x))
      }
      from = to
    }
    return (heights.max() ?? 0) - (heights.min() ?? 0)
  }

  private func level(_ force: (Double) -> Double?) -> [StrokePoint] {
    (0...20).map { StrokePoint(x: Double($0), y: 5, force: force(Double($0) / 20)) }
  }

  @Test("One force has one width and round ends; from 0.2 to 1 the width grows steadily")
  func force() throws {
    let style = try style()
    let even = StrokeOutline(points: level { _ in 0.5 }, style: style).polygon
    for x in stride(from: 0.5, through: 19.5, by: 0.25) {
      #expect(abs(width(even, x: x) - 1) < 1e-9)
    }
    // A rectangle and two half discs.
    #expect(abs(Flat.area(even) - (20 + .pi / 4)) < 0.03)
    #expect(abs((even.map(\.x).min() ?? 0) + 0.5) < 0.01)
    #expect(abs((even.map(\.x).max() ?? 0) - 20.5) < 0.01)
    let growing = StrokeOutline(points: level { 0.2 + 0.8 * $0 }, style: style).polygon
    let widths = stride(from: 0.5, through: 19.5, by: 0.25).map { width(growing, x: $0) }
    #expect(zip(widths, widths.dropFirst()).allSatisfy { $0 < $1 })
    #expect(abs((widths.first ?? 0) - style.law.width(force: 0.22)) < 0.02)
  }

  @Test("A point, and a stroke of no length, are discs")
  func disc() throws {
    let style = try style(width: 3)
    for count in [1, 5] {
      let points = (0..<count).map { _ in StrokePoint(x: 4, y: 7, force: 0.5) }
      let polygon = StrokeOutline(points: points, style: style).polygon
      #expect(abs(Flat.area(polygon) / (.pi * 1.5 * 1.5) - 1) < 0.01)
      let command = try #require(DrawCommand.ink(points, style: style))
      guard case .fill(let path, _) = command else {
        Issue.record("no disc")
        return
      }
      #expect(abs(abs(Flat.area(Flat.polylines(path)[0])) / (.pi * 1.5 * 1.5) - 1) < 0.01)
    }
    #expect(StrokeOutline(points: [], style: style).polygon.isEmpty)
    #expect(DrawCommand.ink([], style: style) == nil)
  }

  @Test("The width law grows with the force; unknown forces count as 0.5")
  func law() throws {
    let law = WidthLaw(base: 0.6, leastShare: 0.45)
    let table = [(0.0, 0.27), (0.25, 0.435), (0.5, 0.6), (0.75, 0.765), (1, 0.93), (4, 0.93)]
    for (force, width) in table { #expect(abs(law.width(force: force) - width) < 1e-12) }
    #expect(law.width(force: nil) == law.width(force: 0.5))
    #expect(law.width(force: -1) == law.width(force: 0))
    for share in [0, 0.3, 1] {
      let widths = (0...50).map {
        WidthLaw(base: 2, leastShare: share).width(force: Double($0) / 50)
      }
      #expect(zip(widths, widths.dropFirst()).allSatisfy { $0 <= $1 })
    }
    #expect(WidthLaw(base: 2, leastShare: 1).greatest == 2)
    for (share, base) in [(-0.1, 1), (1.1, 1), (.nan, 1), (0.5, 0), (0.5, .infinity)] {
      #expect(throws: EditorError.self) { try style(width: base, leastShare: share) }
    }
  }

  @Test("A flat marker is wider, an upright one is as without tilt; roll turns a nib")
  func tilt() throws {
    func marker(_ altitude: Double?) throws -> [PlanePoint] {
      let points = (0...20).map { StrokePoint(x: Double($0), y: 5, altitude: altitude) }
      return StrokeOutline(points: points, style: try style(.marker)).polygon
    }
    let plain = width(try marker(nil), x: 10)
    #expect(abs(width(try marker(.pi / 2), x: 10) - plain) < 1e-9)
    #expect(width(try marker(.pi / 6), x: 10) > 1.5 * plain)
    #expect(width(try marker(.pi / 6), x: 10) <= (try style(.marker)).greatestWidth + 1e-9)
    let points = level { _ in nil }
    func nib(_ roll: Double) throws -> Double {
      width(
        StrokeOutline(
          points: points.map { StrokePoint(x: $0.x, y: $0.y, roll: roll) }, style: try style(.nib)
        ).polygon, x: 10)
    }
    // The edge of the nib without a roll, in radians, and its thickness in widths.
    let (angle, thickness) = (0.7, 0.2)
    #expect(abs(try nib(angle) - thickness) < 1e-9)
    #expect(abs(try nib(angle + .pi / 2) - 1) < 1e-9)
    #expect(try nib(0) > 0.3 && nib(0) < 0.9)
  }

  @Test("A stroke that grows sample by sample has the curve of the whole")
  func curve() {
    var generator = SystemRandomNumberGenerator()
    let samples = (0..<30).map { _ in
      PlanePoint(
        x: Double.random(in: 0...50, using: &generator),
        y: Double.random(in: 0...50, using: &generator))
    }
    var grown = InkCurve()
    for (index, sample) in samples.enumerated() {
      let before = grown.segments
      let changed = grown.append(sample)
      #expect(grown == InkCurve(samples.prefix(index + 1)))
      #expect(changed.count <= 2)
      let kept = min(changed.lowerBound, before.count)
      #expect(Array(grown.segments.prefix(kept)) == Array(before.prefix(kept)))
    }
    #expect(grown.segments.first?.from == samples.first)
    #expect(grown.segments.last?.to == samples.last)
    for (left, right) in zip(grown.segments, grown.segments.dropFirst()) {
      #expect(abs(left.to.x - right.from.x) + abs(left.to.y - right.from.y) < 1e-9)
    }
    let xs = samples.map(\.x)
    for segment in grown.segments {
      for step in 0...8 {
        let x = segment.point(at: Double(step) / 8).x
        #expect(x >= (xs.min() ?? 0) - 1e-9 && x <= (xs.max() ?? 0) + 1e-9)
      }
    }
  }

  @Test("However tight a stroke bends, its outline has no holes and nothing outside of its width")
  func noHoles() throws {
    let seed = UInt64.random(in: 1...1_000_000)
    var generator = SeededRandom(seed)
    for round in 0..<40 {
      let size = [0.3, 1, 4, 12][round % 4]
      let points = (0..<12).map { _ in
        StrokePoint(
          x: Double.random(in: 0...size, using: &generator),
          y: Double.random(in: 0...size, using: &generator),
          force: Double.random(in: 0...1, using: &generator))
      }
      let style = try style(round % 3 == 0 ? .nib : .pen)
      let polygon = StrokeOutline(points: points, style: style).polygon
      let line = Flat.polylines(InkCurve(points).path)[0]
      // The line of the test has 16 pieces for each curve.
      let most = style.greatestWidth / 2 + 0.08
      #expect(polygon.allSatisfy { Flat.distance($0, line) <= most }, "seed \(seed)")
      for point in line {
        #expect(Flat.winding(polygon, point) > 0, "seed \(seed), round \(round)")
      }
      // Nothing is counted out where the stroke crosses itself.
      for _ in 0..<40 {
        let point = PlanePoint(
          x: Double.random(in: -1...size + 1, using: &generator),
          y: Double.random(in: -1...size + 1, using: &generator))
        #expect(Flat.winding(polygon, point) >= 0, "seed \(seed), round \(round)")
      }
    }
  }
}

/// A small generator with a seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
