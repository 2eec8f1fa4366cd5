import InkCore
import Testing

@testable import Recognition

@Suite struct StrokeStartsTests {
  /// An "a", and behind a gap a "t" of a stem and a bar: ten points each.
  private let starts = StrokeStarts(
    Ink(
      strokes: [(0.0, 1.0), (3.0, 3.0), (2.8, 3.3)].map { from, to in
        Stroke(
          points: (0..<10).map { StrokePoint(x: from + (to - from) * Double($0) / 9, y: 0) })
      }))

  private func begins(_ ranges: [Range<Int>], spaces: Set<Int> = []) -> [Int] {
    starts.begins(of: ranges, isSpace: ranges.indices.map(spaces.contains)) { $0 }
  }

  @Test func aWordBeginsAtTheStrokeBehindTheWidestGapHoweverLateItsSpaceIsRead() {
    #expect(begins([5..<8, 24..<26, 26..<29], spaces: [1]) == [0, 10, 10])
  }

  @Test func aLetterInAWordBeginsAtTheStrokeNearestTheMiddle() {
    #expect(begins([5..<8, 26..<29]) == [0, 20])
    #expect(begins([5..<8, 12..<14]) == [0, 10])
  }

  @Test func withoutAStrokeBetweenThemALetterBeginsInTheMiddle() {
    #expect(begins([1..<2, 6..<8]) == [0, 4])
    #expect(begins([1..<2, 3..<4, 6..<8], spaces: [1]) == [0, 4, 4])
  }

  @Test func spacesBeginWithWhatFollowsAndLastOnesAtTheEnd() {
    #expect(begins([0..<1, 5..<8, 26..<27], spaces: [0, 2]) == [0, 0, 30])
    #expect(begins([0..<1], spaces: [0]) == [30])
  }
}
