import Features
import InkCore
import Testing

@Suite("Direction maps")
struct DirectionMapTests {
  private let seed: UInt64 = 64
  private let maps = DirectionMaps(grid: 4)
  /// Square roots of shares that were summed in another order.
  private let tolerance: Float = 1e-3

  private func encode(_ trajectory: Trajectory) -> [Float] {
    var result = [Float](repeating: .nan, count: maps.count)
    maps.encode(trajectory, into: &result)
    return result
  }

  /// The sum of squares in each direction: shares of the path times 4.
  private func byDirection(_ features: [Float]) -> [Float] {
    (0..<8).map { direction in
      stride(from: direction, to: features.count, by: 8).reduce(0) {
        $0 + features[$1] * features[$1]
      }
    }
  }

  @Test("A line along each of the eight directions fills that direction only")
  func lines() {
    let steps: [(x: Float, y: Float)] = [
      (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1),
    ]
    for (direction, step) in steps.enumerated() {
      let line = (0...16).map { index -> (x: Float, y: Float) in
        (step.x * (Float(index) / 16 - 0.5), step.y * (Float(index) / 16 - 0.5))
      }
      let shares = byDirection(encode(Trajectory(local: [line])))
      for other in 0..<8 {
        let expected: Float = other == direction ? 4 : 0
        #expect(abs(shares[other] - expected) < tolerance, "\(direction), \(other)")
      }
    }
  }

  @Test("A step between two directions is shared out by the parallelogram of the two")
  func between() {
    // (2, 1) is (1, 0) + (1, 1): lengths 1 and √2. Two of them make a square box.
    let shares = byDirection(
      encode(Trajectory(local: [[(0, 0), (0.8, 0.4)], [(0, 0.4), (0.8, 0.8)]])))
    let root = Float(2).squareRoot()
    #expect(abs(shares[0] - 4 / (1 + root)) < tolerance)
    #expect(abs(shares[1] - 4 * root / (1 + root)) < tolerance)
  }

  @Test("The squares sum to 4 for any ink")
  func total() throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let ink = randomInk(strokes: 3, points: 40, &generator)
      let sum = byDirection(encode(try Trajectory(ink))).reduce(0, +)
      #expect(abs(sum - 4) < tolerance, "seed \(seed)")
    }
  }

  @Test("The order of the strokes does not matter")
  func order() throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let ink = randomInk(strokes: 4, points: 40, &generator)
      let features = encode(try Trajectory(ink))
      let other = encode(try Trajectory(Ink(strokes: ink.strokes.reversed())))
      #expect(largestDifference(features, other) < tolerance, "seed \(seed)")
    }
  }

  @Test("Drawing every stroke backwards exchanges opposite directions in each cell")
  func reversal() throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let ink = randomInk(strokes: 3, points: 40, &generator)
      let features = encode(try Trajectory(ink))
      let strokes = ink.strokes.map { Stroke(points: $0.points.reversed()) }
      let backwards = encode(try Trajectory(Ink(strokes: strokes)))
      let swapped = features.indices.map { features[$0 / 8 * 8 + ($0 + 4) % 8] }
      #expect(largestDifference(backwards, swapped) < tolerance, "seed \(seed)")
    }
  }

  @Test("Ink in one corner of its box is found in that corner's cells")
  func place() {
    // A long vertical on the left, a short bar at the foot on the right.
    let features = encode(
      Trajectory(local: [[(-0.5, -0.5), (-0.5, 0), (-0.5, 0.5)], [(0.3, 0.5), (0.5, 0.5)]]))
    func cell(_ row: Int, _ column: Int, _ direction: Int) -> Float {
      features[(row * 4 + column) * 8 + direction]
    }
    #expect(cell(0, 0, 2) + cell(1, 0, 2) > 0.5)
    #expect(cell(3, 3, 0) > 0.3)
    #expect((0..<4).allSatisfy { cell($0, 3, 2) == 0 && cell($0, 0, 0) == 0 })
  }

  @Test("Ink without a path gives zeros")
  func dot() {
    #expect(encode(Trajectory(local: [[(0, 0)], [(0, 0), (0, 0)]])).allSatisfy { $0 == 0 })
    #expect(encode(Trajectory()).allSatisfy { $0 == 0 })
  }
}
