import Metrics
import Testing

@Suite("LetterRecall")
struct LetterRecallTests {
  @Test("Letters are counted by the reference, other signs are not")
  func counts() {
    var recall = LetterRecall()
    recall.add(reference: "žluťoučký kůň!", hypothesis: "zluťoučký kun!")
    #expect(recall.counts["ž"]?.total == 1 && recall.counts["ž"]?.right == 0)
    #expect(recall.counts["ť"]?.right == 1)
    #expect(recall.counts["!"] == nil && recall.counts[" "] == nil)
    #expect(recall.beyondASCII.total == 6)
    #expect(recall.beyondASCII.right == 3)
    #expect(recall.beyondASCII.rate == 0.5)
  }

  @Test("A refused ink has no right letter, and the form of Unicode does not matter")
  func refusedAndDecomposed() {
    var recall = LetterRecall()
    recall.add(reference: "é", hypothesis: nil)
    recall.add(reference: "é", hypothesis: "e\u{301}")
    #expect(recall.beyondASCII.total == 2)
    #expect(recall.beyondASCII.right == 1)
    #expect(LetterRecall().beyondASCII.rate == nil)
  }
}
