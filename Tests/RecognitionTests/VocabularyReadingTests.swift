import Foundation
import InkCore
import LanguageModels
import Recognition
import Testing

/// Tests readings inside and outside of a vocabulary.
@Suite struct VocabularyReadingTests {
  private static let tolerance: Float = 1e-5

  private func readings(_ entries: [([Int32], Float)]) -> [BeamDecoder.Reading] {
    entries.map { BeamDecoder.Reading(labels: $0.0, score: $0.1) }
  }

  @Test func aTextIsAsLikelyAsWithAndWithoutASpaceAtItsEnd() {
    let trimmed = readings([([2, 1], -1), ([3], -2), ([2], -3), ([1], -4)]).trimmed(of: 1)
    #expect(trimmed.map(\.labels) == [[2], [3], []])
    #expect(abs(trimmed[0].score - log(exp(-1) + exp(-3))) < Self.tolerance)
    #expect(trimmed[1].score == -2 && trimmed[2].score == -4)
  }

  @Test func whatAListHasNotCountsAFiftieth() {
    let joined = readings([([2, 3], -4), ([2], -9)])
      .joined(by: readings([([4], -1), ([2, 3], -4), ([4, 4], -20)]))
    #expect(joined.map(\.labels) == [[4], [2, 3], [2], [4, 4]])
    #expect(joined.map(\.isAllowed) == [false, true, true, false])
    let weighed = joined.unlistedWeighed(by: -4)
    #expect(weighed.map(\.labels) == [[2, 3], [4], [2], [4, 4]])
    #expect(weighed.map(\.score) == [-4, -5, -9, -24])
  }

  @Test func candidatesAreOfTheListAlone() throws {
    let ink = TinyLine.ink(strokes: 3, points: 20)
    let recognizer = try LineRecognizer(
      model: TinyLine.untrainedModel(), vocabulary: .closed(try Lexicon(words: ["cab"])))
    let candidates = try recognizer.recognize(
      ink, context: RecognitionContext(), maximumCandidates: 1000
    ).candidates
    #expect(!candidates.isEmpty)
    for candidate in candidates {
      #expect(candidate.text.lowercased().split(separator: " ").allSatisfy { $0 == "cab" })
    }
  }

  @Test(arguments: ["", "ab", "ab "])
  func aWordThatTheSearchLosesIsFoundByAWiderOne(context: String) throws {
    // The ink reads "aaa": "b" and "c" are so improbable that the search does not try them.
    let values = TinyLine.output([2, 0, 2, 0, 2, 0], classes: 5, strength: 12)
    let recognizer = try LineRecognizer(
      model: TinyLine.untrainedModel(), languageModel: TinyLine.languageModel(),
      vocabulary: .closed(try Lexicon(words: ["bcb", "ccccccc"])))
    let texts = try recognizer.decode(values, preContext: context, count: 100).map(\.text)
    #expect(texts.contains { $0.hasSuffix("bcb") }, "\(texts)")
  }
}
