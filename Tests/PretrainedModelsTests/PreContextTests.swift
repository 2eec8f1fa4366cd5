import Foundation
import InkCore
import LanguageModels
import PretrainedModels
import Recognition
import Testing

/// Tests the effect of text before the ink on the whole recogniser, with virtual writers.
@Suite struct PreContextTests {
  private let recognizer: any Recognizer

  init() throws {
    recognizer = try PretrainedModels().openRecognizer(identifier: "latin-lines")
  }

  private func read(_ ink: Ink, after text: String) throws -> [RecognitionCandidate] {
    try recognizer.recognize(ink, context: RecognitionContext(preContext: text)).candidates
  }

  @Test func aWordBehindAWordBeginsWithASpace() throws {
    let inks = try Ink.printed("world")
    #expect(try inks.allSatisfy { try read($0, after: "").first?.text == "world" })
    // One of the four inks looks like "wored".
    #expect(try inks.count { try read($0, after: "hello").first?.text == " world" } >= 3)
  }

  @Test func theRestOfAWordGoesOnWithIt() throws {
    for ink in try Ink.printed("ument") {
      #expect(try read(ink, after: "arg").first?.text == "ument")
    }
    // One of the four inks looks like "to".
    let inks = try Ink.printed("lo")
    #expect(try inks.count { try read($0, after: "hel").first?.text == "lo" } >= 3)
    #expect(try inks.count { try read($0, after: "hello").first?.text == " lo" } >= 3)
  }

  @Test func aCapitalIsLikelierBehindAFullStop() throws {
    for ink in try Ink.printed("so") {
      let shares = try ["It was late. ", "It was and "].map { text in
        try read(ink, after: text).filter { $0.text.first?.isUppercase == true }
          .reduce(0) { $0 + exp($1.score) }
      }
      #expect(shares[0] > 1.5 * shares[1], "\(shares)")
    }
  }

  @Test func theRestOfAWordIsLikelierBehindItsBeginning() throws {
    for ink in try Ink.printed("ument") {
      func share(of text: String, after context: String) throws -> Double {
        try read(ink, after: context).filter { $0.text == text }.reduce(0) { $0 + exp($1.score) }
      }
      let (with, without) = (
        try share(of: "ument", after: "arg"), try share(of: "ument", after: "")
      )
      #expect(with > 0.5 && with >= without, "\(with) behind arg, \(without) without")
      #expect(try share(of: "nment", after: "arg") < 0.2)
    }
  }

  @Test func anAppConfinesWhatIsRead() async throws {
    let models = try PretrainedModels()
    let ink = try #require(try Ink.printed("lo").first)
    let digits = DigitalInkRecognizer(
      options: .init(model: "latin-lines", alphabet: try Alphabet(pattern: "\\p{Nd}")),
      provider: models)
    let read = try await digits.recognize(ink)
    #expect(
      read.candidates.allSatisfy { $0.text.allSatisfy(\.isNumber) } && !read.candidates.isEmpty)
    let words = DigitalInkRecognizer(
      options: .init(model: "latin-lines", vocabulary: .closed(try Lexicon(words: ["to", "do"]))),
      provider: models)
    let first = try #require(try await words.recognize(ink).candidates.first?.text)
    #expect(["to", "do"].contains(first.lowercased()))
    let shapes = DigitalInkRecognizer(
      options: .init(model: "shapes", alphabet: try Alphabet(pattern: "a")), provider: models)
    #expect(throws: RecognitionError.emptyAlphabet) { try shapes.prepare() }
  }
}
