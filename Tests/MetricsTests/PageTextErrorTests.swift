import InkCore
import Metrics
import Testing

@Suite("Errors of the text of pages")
struct PageTextErrorTests {
  private func edits(_ reference: [String], _ hypothesis: [String]) -> Int {
    PageTextError(reference: reference, hypothesis: hypothesis).edits
  }

  @Test("The order of lines does not count")
  func order() {
    let page = ["plan for today", "buy bread", "call Ann", "x"]
    #expect(edits(page, page.reversed()) == 0)
    #expect(edits(page, ["x", "buy bred", "plan for today", "call Amm"]) == 3)
    let result = PageTextError(reference: page, hypothesis: ["buy bred"])
    #expect(result.characters == 14 + 9 + 8 + 1)
    // One character of the line that was read, and all of the others.
    #expect(result.edits == 1 + 14 + 8 + 1)
  }

  @Test("Lines without a counterpart are deletions or insertions")
  func alone() {
    #expect(edits(["abc", "de"], []) == 5)
    #expect(edits([], ["abc", "de"]) == 5)
    #expect(edits([], []) == 0)
    #expect(edits(["abc"], ["abc", "..", " ", ""]) == 2)
    #expect(PageTextError(reference: [], hypothesis: ["a"]).characterErrorRate == nil)
    #expect(PageTextError(reference: ["abcd"], hypothesis: ["abc"]).characterErrorRate == 0.25)
  }

  @Test("The pairs have the fewest edits in all, not the fewest one after the other")
  func pairs() {
    // Both lines are nearest to the first reading, 1 edit; the second costs less with the other.
    #expect(edits(["aaaa", "aaab"], ["aaac", "bbbb"]) == 4)
    #expect(edits(["aaaa", "abbb"], ["aabb", "aaab"]) == 2)
  }

  @Test("Lines that were read as one count by their text")
  func joined() {
    #expect(edits(["foo", "bar"], ["foo bar"]) == 0)
    #expect(edits(["bar", "foo"], ["foo bar"]) == 0)
    #expect(edits(["one", "two", "three"], ["two three one"]) == 0)
    // The l of `vocal` and the space.
    #expect(edits(["vocal cords", "larynx"], ["voca cordslarynx"]) == 2)
    #expect(edits(["foo", "bar", "quux"], ["foo bar", "zz"]) == 4)
  }

  @Test("A line that was read as several counts by its text")
  func parted() {
    #expect(edits(["foo bar"], ["bar", "foo"]) == 0)
    #expect(edits(["the second law", "heat"], ["heat", "law", "the", "secund"]) == 1)
  }

  @Test("What was read beside the text counts with each of its characters")
  func rubbish() {
    #expect(edits(["a mind map", "node"], ["a mind map", ".", "node", ". ."]) == 4)
  }

  @Test("White space and the form of characters do not count")
  func normalized() {
    #expect(edits([" caf\u{E9}  noir "], ["cafe\u{301} noir"]) == 0)
  }

  @Test("A phrase is whole within one line, but not as a part of words")
  func phrases() {
    func whole(_ reference: [String], _ hypothesis: [String]) -> Int {
      PageTextError(reference: reference, hypothesis: hypothesis).wholePhrases
    }
    #expect(whole(["heat"], ["what heat is"]) == 1)
    #expect(whole(["heat"], ["wheat"]) == 0)
    #expect(whole(["heat"], ["heat, or work"]) == 1)
    #expect(whole(["-> x"], ["a-> x"]) == 1)
    #expect(whole(["two words"], ["two", "words"]) == 0)
    #expect(whole(["two  words"], ["these two words"]) == 1)
    #expect(whole(["Heat"], ["heat"]) == 0)
    #expect(whole(["a", "a", "a"], ["a b a", "ab"]) == 2)
    #expect(
      PageTextError.missingPhrases(["a", "b", "a", "c d"], in: ["a c d"]) == ["b", "a"])
    let page = PageTextError(reference: ["a", "b", " "], hypothesis: ["a"])
    #expect(page.phrases == 2 && page.wholeShare == 0.5)
    #expect(PageTextError(reference: [], hypothesis: ["a"]).wholeShare == nil)
  }

  @Test("Sums add up")
  func sum() {
    var all = PageTextError()
    all += PageTextError(reference: ["abcd"], hypothesis: ["abc"])
    all += PageTextError(reference: ["ab", "cd"], hypothesis: ["cd", "ab"])
    #expect(all.pages == 2 && all.characters == 8 && all.edits == 1)
    #expect(all.phrases == 3 && all.wholePhrases == 2)
    #expect(all.characterErrorRate == 0.125)
  }

  @Test("Random pages have at most the edits of the best pairs, and none if shuffled")
  func random() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    func page() -> [String] {
      (0..<generator.index(below: 5)).map { _ in
        String((0...generator.index(below: 4)).map { _ in Array("ab ")[generator.index(below: 3)] })
      }
    }
    for _ in 0..<300 {
      let (reference, hypothesis) = (page(), page())
      let lines = { (texts: [String]) in
        texts.map { TextErrorRate.reference($0, without: []) }.filter { !$0.isEmpty }
      }
      let best = leastOfPairs(lines(reference), lines(hypothesis))
      #expect(edits(reference, hypothesis) <= best, "seed \(seed) \(reference) \(hypothesis)")
      #expect(edits(reference, reference.shuffled(using: &generator)) == 0, "seed \(seed)")
      let fewest = abs(
        lines(reference).joined().count { $0 != " " }
          - lines(hypothesis).joined().count { $0 != " " })
      #expect(edits(reference, hypothesis) >= fewest, "seed \(seed) \(reference) \(hypothesis)")
    }
  }

  /// Tries every pairing.
  private func leastOfPairs(_ reference: [String], _ hypothesis: [String]) -> Int {
    guard let first = reference.first else { return hypothesis.reduce(0) { $0 + $1.count } }
    let rest = Array(reference.dropFirst())
    var least = first.count + leastOfPairs(rest, hypothesis)
    for place in hypothesis.indices {
      var others = hypothesis
      let other = others.remove(at: place)
      least = min(
        least,
        EditDistance(reference: first, hypothesis: other).total + leastOfPairs(rest, others))
    }
    return least
  }

  @Test("An assignment has the least costs")
  func assignment() {
    #expect(Assignment.columns([[4, 1, 3], [2, 0, 5], [3, 2, 2]]) == [1, 0, 2])
    #expect(Assignment.columns([[1, 2], [0, 5], [-3, -2]]) == [nil, 0, 1])
    #expect(Assignment.columns([]) == [])
    #expect(Assignment.columns([[], []]) == [nil, nil])
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let (rows, columns) = (1 + generator.index(below: 5), 1 + generator.index(below: 5))
      let costs = (0..<rows).map { _ in
        (0..<columns).map { _ in generator.index(below: 20) - 10 }
      }
      let found = Assignment.columns(costs)
      let taken = found.compactMap(\.self)
      #expect(taken.count == min(rows, columns) && Set(taken).count == taken.count)
      var sum = 0
      for (row, column) in found.enumerated() { sum += column.map { costs[row][$0] } ?? 0 }
      #expect(sum == least(costs[...], free: Set(0..<columns), min(rows, columns)), "seed \(seed)")
    }
  }

  /// Tries every assignment of a number of rows.
  private func least(_ costs: ArraySlice<[Int]>, free: Set<Int>, _ count: Int) -> Int {
    guard count > 0, let row = costs.first else { return 0 }
    var best = costs.count > count ? least(costs.dropFirst(), free: free, count) : Int.max
    for column in free {
      let rest = least(costs.dropFirst(), free: free.subtracting([column]), count - 1)
      best = min(best, row[column] + rest)
    }
    return best
  }
}
