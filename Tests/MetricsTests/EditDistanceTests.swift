import InkCore
import Metrics
import Testing

@Suite("EditDistance")
struct EditDistanceTests {
  private func edits(_ reference: String, _ hypothesis: String) -> [Int] {
    let distance = EditDistance(reference: reference, hypothesis: hypothesis)
    return [distance.substitutions, distance.insertions, distance.deletions]
  }

  @Test("Substitutions, insertions and deletions are told apart")
  func byHand() {
    #expect(edits("kitten", "sitting") == [2, 1, 0])
    #expect(edits("saturday", "sunday") == [1, 0, 2])
    #expect(edits("abc", "abc") == [0, 0, 0])
    #expect(edits("", "abc") == [0, 3, 0])
    #expect(edits("abc", "") == [0, 0, 3])
    #expect(edits("", "") == [0, 0, 0])
    #expect(edits("abcdef", "abXdef") == [1, 0, 0])
  }

  @Test("The alignment with the fewest edits and the most substitutions counts")
  func definite() {
    #expect(edits("ab", "ba") == [2, 0, 0])
    #expect(edits("abc", "bcd") == [0, 1, 1])
  }

  @Test("The rate is edits per element of the reference, and may pass 1")
  func rate() {
    #expect(EditDistance(reference: "ab", hypothesis: "abcde").rate == 1.5)
    #expect(EditDistance(reference: "", hypothesis: "a").rate == nil)
    #expect(EditDistance(reference: [1, 2, 3, 4], hypothesis: [1, 2, 3]).rate == 0.25)
  }

  @Test("Sums add up")
  func sum() {
    var total = EditDistance()
    total += EditDistance(reference: "abcd", hypothesis: "abc")
    total += EditDistance(reference: "abcd", hypothesis: "abcde")
    #expect(total.total == 2)
    #expect(total.referenceCount == 8)
    #expect(total.rate == 0.25)
  }

  @Test("Random pairs agree with the plain recursion, in both directions")
  func agreesWithRecursion() {
    let seed: UInt64 = 3
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let (left, right) = (random(&generator), random(&generator))
      let forward = EditDistance(reference: left, hypothesis: right)
      let backward = EditDistance(reference: right, hypothesis: left)
      let expected = recursion(left[...], right[...])
      let note: Comment = "seed \(seed), \(left), \(right)"
      #expect(forward.total == expected.edits, note)
      #expect(forward.insertions + forward.deletions == expected.gaps, note)
      #expect(forward.insertions - forward.deletions == right.count - left.count, note)
      #expect(forward.substitutions == backward.substitutions, note)
      #expect(forward.insertions == backward.deletions, note)
    }
  }

  private func random(_ generator: inout SeededGenerator) -> [Int] {
    (0..<generator.index(below: 7)).map { _ in generator.index(below: 3) }
  }

  private func recursion(
    _ left: ArraySlice<Int>, _ right: ArraySlice<Int>
  ) -> (edits: Int, gaps: Int) {
    guard let first = left.first else { return (right.count, right.count) }
    guard let second = right.first else { return (left.count, left.count) }
    let both = recursion(left.dropFirst(), right.dropFirst())
    let deleted = recursion(left.dropFirst(), right)
    let inserted = recursion(left, right.dropFirst())
    return [
      (edits: both.edits + (first == second ? 0 : 1), gaps: both.gaps),
      (edits: deleted.edits + 1, gaps: deleted.gaps + 1),
      (edits: inserted.edits + 1, gaps: inserted.gaps + 1),
    ].min { ($0.edits, $0.gaps) < ($1.edits, $1.gaps) } ?? (0, 0)
  }
}

@Suite("TextErrorRate")
struct TextErrorRateTests {
  @Test("Both rates are total edits over total reference units")
  func totals() {
    var rate = TextErrorRate()
    #expect(rate.characterErrorRate == nil)
    rate.add(reference: "the cat", hypothesis: "the cat")
    rate.add(reference: "sat", hypothesis: "sit")
    #expect(rate.characterErrorRate == 0.1)
    #expect(rate.wordErrorRate == 1.0 / 3.0)
    #expect(rate.exactCount == 1)
    #expect(rate.count == 2)
  }

  @Test("Spellings that are canonically equivalent are equal")
  func canonical() {
    var rate = TextErrorRate()
    rate.add(reference: "caf\u{E9}", hypothesis: "cafe\u{301}")
    #expect(rate.characters.total == 0)
    #expect(rate.characters.referenceCount == 4)
  }

  @Test("A character is a grapheme cluster")
  func graphemes() {
    var rate = TextErrorRate()
    rate.add(reference: "👩‍👩‍👧x", hypothesis: "x")
    #expect(rate.characters.deletions == 1)
    #expect(rate.characters.referenceCount == 2)
  }

  @Test("Runs of white space are one space; case and punctuation count")
  func spaces() {
    var rate = TextErrorRate()
    rate.add(reference: "a  b\t\nc", hypothesis: "a b c")
    #expect(rate.characters.total == 0)
    #expect(rate.characters.referenceCount == 5)
    rate.add(reference: "Ab.", hypothesis: "ab")
    #expect(rate.characters.substitutions == 1)
    #expect(rate.characters.deletions == 1)
    #expect(TextErrorRate.normalized("  a \u{A0} b  ") == " a b ")
  }

  @Test(
    "A reference has no marks of crossed-out ink, single spaces and no blank ends",
    arguments: [
      ("  a \u{A0} b  ", "a b"), ("# recognisable", "recognisable"), ("it #### is %%%.", "it is ."),
      ("e\u{301}#", "\u{E9}"), ("##", ""), ("", ""),
    ])
  func reference(text: String, expected: String) {
    let reference = TextErrorRate.reference(text)
    #expect(Array(reference.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("Marks of a reference can be kept")
  func referenceWithMarks() {
    #expect(TextErrorRate.reference(" 9 % ", without: []) == "9 %")
  }

  @Test("A refused ink counts as deletions only")
  func refused() {
    var rate = TextErrorRate()
    rate.add(reference: "a b", hypothesis: nil)
    #expect(rate.characters.deletions == 3)
    #expect(rate.words.deletions == 2)
    #expect(rate.wordErrorRate == 1)
  }

  @Test("a space before a closing mark can be left out of the count of words")
  func joinedMarks() {
    var rate = TextErrorRate()
    rate.add(reference: "the end .", hypothesis: "the end.")
    #expect(rate.wordErrorRate == 2.0 / 3.0)
    #expect(rate.joinedWordErrorRate == 0)
    rate.add(reference: "so , \" he said", hypothesis: "so, \" she said")
    #expect(rate.joinedWordErrorRate == 1.0 / 5.0)
    var marks = TextErrorRate()
    marks.add(reference: ". .", hypothesis: nil)
    #expect(marks.joinedWordErrorRate == 1)
  }

  @Test("Counts merged are counts of all")
  func merge() {
    var (all, left, right) = (TextErrorRate(), TextErrorRate(), TextErrorRate())
    all.add(reference: "ab", hypothesis: "a")
    left.add(reference: "ab", hypothesis: "a")
    all.add(reference: "c d", hypothesis: "c e")
    right.add(reference: "c d", hypothesis: "c e")
    left.merge(right)
    #expect(left == all)
  }
}
