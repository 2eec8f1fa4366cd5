import Foundation
import InkCore
import LanguageModels
import Recognition
import Testing

/// A recogniser of single labels within an alphabet and a vocabulary.
@Suite("Confined labels")
struct ConfinedLabelsTests {
  /// A recogniser with fixed probabilities.
  struct Fixed: Recognizer {
    var probabilities: [(String, Double)] = [("0", 0.6), ("O", 0.25), ("o", 0.1), ("b", 0.05)]
    var labels: [String]? { probabilities.map(\.0) }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      RecognitionResult(
        candidates: probabilities.prefix(maximumCandidates).map {
          RecognitionCandidate(text: $0.0, score: log($0.1))
        })
    }
  }

  private func candidates(_ recognizer: any Recognizer) throws -> [(String, Double)] {
    try recognizer.recognize(Ink(), context: RecognitionContext(), maximumCandidates: 2)
      .candidates.map { ($0.text, exp($0.score)) }
  }

  @Test("An alphabet leaves the labels within it, with probabilities of sum 1")
  func alphabet() throws {
    let letters = try Fixed().confined(to: Alphabet("Oob"), vocabulary: nil)
    #expect(letters.labels == ["O", "o", "b"])
    let found = try candidates(letters)
    #expect(found.map(\.0) == ["O", "o"])
    #expect(abs(found[0].1 - 0.625) < 1e-9 && abs(found[1].1 - 0.25) < 1e-9)
  }

  @Test("A closed vocabulary leaves its words, and a bonus prefers them")
  func vocabulary() throws {
    let closed = try Fixed().confined(to: nil, vocabulary: .closed(Lexicon(words: ["b", "x"])))
    #expect(closed.labels == ["b"])
    #expect(try candidates(closed).map(\.0) == ["b"])
    // e^2 · 0.25 = 1.847 against 0.6.
    let boosted = try Fixed().confined(
      to: nil, vocabulary: .boosted(Lexicon(words: ["O"]), bonus: 2))
    #expect(boosted.labels?.count == 4)
    let found = try candidates(boosted)
    #expect(found.map(\.0) == ["O", "0"])
    #expect(abs(found[0].1 - 1.84726 / (1.84726 + 0.75)) < 1e-4)
  }

  @Test("A classifier among some labels gives what the others leave, scaled to a sum of 1")
  func classifier() throws {
    let classifier = GlyphClassifier(model: Samples.model())
    let confined = try classifier.confined(to: Alphabet(pattern: "0bé"), vocabulary: nil)
    for seed in 1...8 as ClosedRange<UInt64> {
      let ink = Samples.ink(seed: seed)
      let all = try classifier.recognize(ink, context: RecognitionContext(), maximumCandidates: 5)
      let kept = all.candidates.filter { ["0", "b", "é"].contains($0.text) }
      let sum = kept.reduce(0) { $0 + exp($1.score) }
      let found = try confined.recognize(
        ink, context: RecognitionContext(), maximumCandidates: 2
      ).candidates
      #expect(found.map(\.text) == kept.prefix(2).map(\.text), "seed \(seed)")
      for (own, other) in zip(found, kept) {
        #expect(abs(exp(own.score) - exp(other.score) / sum) < 1e-5, "seed \(seed)")
      }
    }
  }

  @Test("Labels of any small probability are compared")
  func smallProbabilities() throws {
    var fixed = Fixed()
    fixed.probabilities = [("a", 1), ("b", 1e-300), ("c", 1e-305)]
    let found = try candidates(
      try fixed.confined(to: Alphabet(pattern: "bc"), vocabulary: nil))
    #expect(found.map(\.0) == ["b", "c"])
    #expect(abs(found[0].1 - 1) < 1e-4 && found[1].1 > 0)
  }

  @Test("Limits within which no label is allowed are refused, as for lines")
  func nothing() throws {
    #expect(throws: RecognitionError.emptyAlphabet) {
      try Fixed().confined(to: Alphabet(pattern: "x"), vocabulary: nil)
    }
    #expect(throws: RecognitionError.unwritableVocabulary) {
      try Fixed().confined(to: nil, vocabulary: .closed(Lexicon(words: ["x"])))
    }
    #expect(throws: RecognitionError.unwritableVocabulary) {
      try Fixed().confined(
        to: Alphabet(pattern: "0"), vocabulary: .closed(Lexicon(words: ["O"])))
    }
    #expect(throws: RecognitionError.self) {
      try Fixed().confined(to: nil, vocabulary: .boosted(Lexicon(words: ["O"]), bonus: .nan))
    }
  }

  @Test("No limits change nothing")
  func unlimited() throws {
    #expect(try Fixed().confined(to: nil, vocabulary: nil) is Fixed)
  }
}
