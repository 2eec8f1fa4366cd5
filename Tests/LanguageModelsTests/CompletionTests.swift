import Foundation
import LanguageModels
import Testing

@Suite("Completions")
struct CompletionTests {
  private let model: LanguageModel

  init() throws { model = try Samples.model(order: 5) }

  @Test("Completions begin with the prefix, most probable first")
  func ordered() {
    let words = model.completions(of: "t", after: "on ", limit: 4)
    #expect(words.count == 4)
    #expect(words.allSatisfy { $0.text.hasPrefix("t") })
    #expect(words.map(\.logProbability) == words.map(\.logProbability).sorted(by: >))
    #expect(words.first?.text == "the")
    #expect(Set(words.map(\.text)).count == 4)
  }

  @Test("A completion has the probability of its characters and of its end")
  func probability() throws {
    let word = try #require(model.completions(of: "c", after: "the ", limit: 1).first)
    var state = model.state(after: "the c")
    var score: Float = 0
    for scalar in word.text.unicodeScalars.dropFirst() {
      let step = model.advance(state, model.symbols.symbol(of: scalar))
      score += step.logProbability
      state = step.state
    }
    let values = Samples.values(model, state)
    let goesOn = model.symbols.scalars.filter(WordCharacters.contains)
      .reduce(Float(0)) { $0 + exp(values[Int(model.symbols.symbol(of: $1))]) }
    #expect(abs(word.logProbability - score - log1p(-goesOn)) < 1e-4)
  }

  @Test("No word that is more probable than the last is missing")
  func complete() {
    let few = model.completions(of: "", after: "the ", limit: 3)
    let many = model.completions(of: "", after: "the ", limit: 12)
    #expect(Array(many.prefix(3)) == few)
  }

  @Test("Completions keep to a lexicon")
  func lexicon() throws {
    let lexicon = try Lexicon(words: ["thin", "them", "cat"])
    let words = try model.completions(of: "th", limit: 10, allowedBy: lexicon)
    #expect(Set(words.map(\.text)).isSubset(of: ["thin", "them"]))
  }

  @Test("A prefix that the constraint does not allow is refused")
  func impossible() throws {
    #expect(throws: TextConstraintError.impossiblePrefix(length: 2)) {
      try model.completions(of: "ca", allowedBy: Alphabet.digits)
    }
  }

  @Test("A constraint that allows no longer word gives no completion")
  func none() throws {
    let words = try model.completions(of: "", maximumLength: 3, allowedBy: try Alphabet("@"))
    #expect(words.isEmpty)
  }
}
