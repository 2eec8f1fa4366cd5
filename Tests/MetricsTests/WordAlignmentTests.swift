import Testing

@testable import Metrics

@Suite("Words that an alignment keeps")
struct WordAlignmentTests {
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
    // What is not kept was substituted or inserted.
    #expect(kept.count { !$0 } == edits.substitutions + edits.insertions)
  }
}
