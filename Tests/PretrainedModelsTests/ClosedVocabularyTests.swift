import Foundation
import InkCore
import LanguageModels
import PretrainedModels
import Recognition
import Testing

/// Tests a closed vocabulary on ink of words inside and outside of it.
@Suite struct ClosedVocabularyTests {
  private let recognizer: LineRecognizer

  init() throws {
    let models = try PretrainedModels()
    recognizer = try #require(
      try models.openRecognizer(identifier: "latin-lines") as? LineRecognizer)
  }

  private func read(
    _ ink: Ink, of words: [String], after text: String = ""
  ) throws -> [RecognitionCandidate] {
    let lexicon = try Lexicon(words: words)
    return try recognizer.confined(to: nil, vocabulary: .closed(lexicon)).recognize(
      ink, context: RecognitionContext(preContext: text)
    ).candidates
  }

  @Test func aWordOfTheListIsReadWithConfidence() throws {
    for ink in try Ink.printed("harvest") {
      let best = try #require(try read(ink, of: ["harvest", "winter", "spring", "month"]).first)
      #expect(best.text == "harvest" && exp(best.score) > 0.9, "\(exp(best.score))")
      #expect(best.words.allSatisfy { $0.confidence > 0.8 }, "\(best.words)")
    }
  }

  @Test func signsThatTheListHasNotAreNoCandidates() throws {
    for words in [["A", "B", "C", "D"], ["yes", "no", "maybe"], ["+", "-", "="]] {
      for text in ["up", "4", "a"] {
        for ink in try Ink.printed(text) {
          let candidates = try read(ink, of: words)
          // Ink of a single letter may match no word.
          #expect(!candidates.isEmpty || text.count == 1, "\(text) of \(words)")
          #expect(
            candidates.allSatisfy { candidate in
              words.contains { candidate.text.lowercased().contains($0.lowercased()) }
            }, "\(candidates.map(\.text)) of \(words)")
        }
      }
    }
  }

  @Test func aWordWithASignThatWasBegunIsGoneOnWith() throws {
    for ink in try Ink.printed("time") {
      let candidates = try read(ink, of: ["part-time", "cat"], after: "We work part-")
      #expect(candidates.first?.text == "time", "\(candidates.map(\.text))")
    }
  }

  @Test func marksWithoutEndBeforeTheInkTakeNoTime() throws {
    let marks = "a" + String(repeating: "\u{301}\u{316}", count: 200_000)
    let ink = try #require(try Ink.printed("month").first)
    let text = try read(ink, of: ["month", "cat"], after: marks).first?.text
    #expect(text?.trimmingCharacters(in: .whitespaces) == "month")
  }

  @Test func aWordThatTheListHasNotIsReadWithoutConfidence() throws {
    for ink in try Ink.printed("harvest") {
      let candidates = try read(ink, of: ["house", "winter", "spring", "month"])
      #expect(!candidates.isEmpty)
      #expect(candidates.reduce(0) { $0 + exp($1.score) } < 0.1)
      let words = candidates.first?.words ?? []
      #expect(words.allSatisfy { $0.confidence < 0.2 }, "\(words)")
    }
  }

  @Test(arguments: ["", "hello", "hello "])
  func theNearestWordIsFoundWhereTheInkIsOfNone(text: String) throws {
    let words = ["harvest", "zebra", "uncle", "quick", "mammal", "bottle"]
    for ink in try Ink.printed("hawerst") {
      let candidates = try read(ink, of: words, after: text)
      let best = candidates.first?.text.lowercased().split(separator: " ").last
      #expect(best == "harvest", "\(candidates.map(\.text))")
    }
    for ink in try Ink.printed("polygon") {
      #expect(try !read(ink, of: words, after: text).isEmpty)
    }
  }

  @Test func noReadingEndsWithASpace() throws {
    var count = 0
    for ink in try Ink.printed("the end") {
      let all = try recognizer.recognize(
        ink, context: RecognitionContext(), maximumCandidates: 1000
      ).candidates
      count += all.count
      #expect(all.allSatisfy { $0.text.last != " " })
    }
    #expect(count > 20, "of four inks")
  }
}
