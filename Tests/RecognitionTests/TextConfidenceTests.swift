import Foundation
import Recognition
import Testing

@Suite("Confidences of whole texts")
struct TextConfidenceTests {
  /// Candidates of two words, whose confidences are given for the best one.
  private static func candidates(_ words: [Double], _ probabilities: [Double])
    -> [RecognitionCandidate]
  {
    probabilities.enumerated().map { rank, probability in
      RecognitionCandidate(
        text: "text \(rank)", score: log(probability), characters: [],
        words: words.map { RecognizedWord(text: "word", characters: 0..<4, confidence: $0) })
    }
  }

  private static func weighed(_ words: [Double], _ probabilities: [Double]) -> [Double] {
    var candidates = candidates(words, probabilities)
    candidates.weighByWords()
    return candidates.map { exp($0.score) }
  }

  private static func equal(_ a: [Double], _ b: [Double]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 1e-9 }
  }

  @Test("Several words are all right with the product of their probabilities")
  func product() {
    // The other readings share what is left as before: 0.4 becomes 0.5, and 0.2 becomes 0.25.
    #expect(Self.equal(Self.weighed([0.8, 0.625], [0.6, 0.2, 0.1]), [0.5, 0.25, 0.125]))
    #expect(Self.equal(Self.weighed([0.9, 1, 0.9], [0.6, 0.2]), [0.81, 0.095]))
  }

  @Test("A single word keeps its probability")
  func single() {
    #expect(Self.equal(Self.weighed([0.9], [0.6, 0.3]), [0.6, 0.3]))
    #expect(Self.equal(Self.weighed([], [0.6, 0.3]), [0.6, 0.3]))
    #expect(Self.weighed([0.5, 0.5], []).isEmpty)
  }

  @Test("No reading becomes likelier than the best, and the sum stays at most 1")
  func order() {
    for words in [[0.1, 0.1], [0, 0.5], [1e-200, 1e-200], [1, 1], [0.999, 0.999]] {
      for probabilities in [[0.5, 0.5], [0.9, 0.05, 0.05], [1], [1, 0], [0.4, 0.3, 0.2]] {
        let found = Self.weighed(words, probabilities)
        #expect(found.allSatisfy { $0 >= 0 && $0 <= 1 }, "\(words) \(probabilities)")
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(found.reduce(0, +) <= 1 + 1e-9)
      }
    }
  }
}
