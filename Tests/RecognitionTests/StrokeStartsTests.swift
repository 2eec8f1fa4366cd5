import InkCore
import Recognition
import Testing

@Suite struct StrokeStartsTests {
  /// An "a", then a gap and a "t" of a stem and a bar, with ten points each.
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

  @Test func aLetterInAWordBeginsAtTheStrokeNearestToWhereLettersBegin() {
    #expect(begins([5..<8, 26..<29]) == [0, 20])
    #expect(begins([5..<8, 12..<14]) == [0, 10])
  }

  @Test func withoutAStrokeBetweenThemALetterBeginsShortlyBeforeItIsRead() {
    #expect(begins([1..<2, 6..<8]) == [0, 5])
    #expect(begins([1..<2, 3..<4, 6..<8], spaces: [1]) == [0, 5, 5])
  }

  @Test func strokesThatAreReadEarlierBelongToWhatTheyStandOver() {
    // Two letters, and finally a dot over the first, which is read after it.
    let ink = Ink(
      strokes: [(0.0, 1.0), (8.0, 9.0), (0.4, 0.5)].map { from, to in
        Stroke(
          points: (0..<10).map { StrokePoint(x: from + (to - from) * Double($0) / 9, y: 0) })
      })
    let starts = StrokeStarts(ink, order: [0, 2, 1])
    #expect([0, 9, 10, 20, 29].map(starts.place) == [0, 9, 20, 10, 19])
    #expect(starts.begins(of: [4..<12, 24..<26], isSpace: [false, false]) { $0 } == [0, 20])
    #expect(starts.parts(from: 0, through: 19).map(\.stroke) == [0, 2])
    #expect(starts.parts(from: 20, through: 29).map(\.stroke) == [1])
  }

  @Test func spacesBeginWithWhatFollowsAndLastOnesAtTheEnd() {
    #expect(begins([0..<1, 5..<8, 26..<27], spaces: [0, 2]) == [0, 0, 30])
    #expect(begins([0..<1], spaces: [0]) == [30])
  }

  @Test func manyStrokesInAnotherOrderAreFoundAsOneByOne() {
    let seed: UInt64 = 5
    var generator = SeededGenerator(seed: seed)
    let counts = (0..<300).map { _ in 1 + generator.index(below: 9) }
    let ink = Ink(
      strokes: counts.map { count in
        Stroke(points: (0..<count).map { StrokePoint(x: Double($0), y: 0) })
      })
    let order = counts.indices.sorted { ($0 * 7919 % 300, $0) < ($1 * 7919 % 300, $1) }
    let starts = StrokeStarts(ink, order: order)
    var (drawn, first) = ([Int](), 0)
    for count in counts {
      drawn.append(first)
      first += count
    }
    var place = 0
    for stroke in order {
      for point in 0..<counts[stroke] {
        #expect(starts.place(ofDrawn: drawn[stroke] + point) == place, "seed \(seed)")
        #expect(
          starts.parts(from: place, through: place)
            == [CharacterInk.Part(stroke: stroke, points: point..<(point + 1))], "seed \(seed)")
        place += 1
      }
    }
    let whole = starts.parts(from: 0, through: place - 1)
    #expect(whole.map(\.stroke) == Array(counts.indices))
  }
}
