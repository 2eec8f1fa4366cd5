import Metrics
import Testing

@Suite("Words that an alignment keeps")
struct WordAlignmentTests {
  @Test(
    "Each character of the reference is aligned with one of the hypothesis, or with none",
    arguments: [
      ("cat", "cat", [0, 1, 2]), ("cat", "Cat", [0, 1, 2]), ("cat", "ct", [0, nil, 1]),
      ("it's", "it,s", [0, 1, 2, 3]), ("ab", "xxab", [2, 3]), ("ab", "", [nil, nil]), ("", "a", []),
    ] as [(String, String, [Int?])])
  func counterparts(reference: String, hypothesis: String, expected: [Int?]) {
    let found = EditAlignment.counterparts(of: Array(reference), in: Array(hypothesis))
    #expect(found == expected)
  }

  @Test(
    "Each word of the hypothesis is kept or not",
    arguments: [
      ("the cat sat", "the cat sat", [true, true, true]),
      ("the cat sat", "the cut sat", [true, false, true]),
      ("the cat sat", "the sat", [true, true]),
      ("the sat", "the cat sat", [true, false, true]),
      ("", "a b", [false, false]), ("a b", "", []), ("", "", []),
      ("a a b", "a b", [true, true]),
    ])
  func kept(reference: String, hypothesis: String, expected: [Bool]) {
    let words = { (text: String) in text.split(separator: " ").map(String.init) }
    let kept = WordAlignment.kept(reference: words(reference), hypothesis: words(hypothesis))
    #expect(kept == expected)
    let edits = EditDistance(reference: words(reference), hypothesis: words(hypothesis))
    // Words that are not kept were substituted or inserted.
    #expect(kept.count { !$0 } == edits.substitutions + edits.insertions)
  }
}
