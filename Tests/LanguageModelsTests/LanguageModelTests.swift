import Foundation
import LanguageModels
import Testing

@Suite("Language models")
struct LanguageModelTests {
  @Test(
    "Probabilities of every state sum to one, pruned or not",
    arguments: [nil, 6000, 4000] as [Int?])
  func normalized(maximumBytes: Int?) throws {
    let model = try Samples.model(order: 5, maximumBytes: maximumBytes)
    for state in Samples.states(of: model) {
      let sum = Samples.values(model, state).reduce(0.0) { $0 + exp(Double($1)) }
      // Eight bits: half a step of a probability's logit is some 4 %, of p (1 - p) at most.
      #expect(abs(sum - 1) < 0.04, "\(state)")
    }
  }

  @Test("Advancing gives the same as all successors at once")
  func advanceEqualsAll() throws {
    let model = try Samples.model(order: 5, maximumBytes: 6000)
    for state in Samples.states(of: model) {
      let values = Samples.values(model, state)
      for symbol in values.indices {
        let step = model.advance(state, SymbolTable.Symbol(symbol))
        #expect(step.logProbability == values[symbol])
      }
    }
  }

  @Test("Advancing equals the lookup of the longest n-gram with backoff", arguments: [nil, 5000])
  func advanceEqualsNaiveLookup(maximumBytes: Int?) throws {
    let model = try Samples.model(order: 5, maximumBytes: maximumBytes)
    let naive = NaiveBackoff(model)
    for text in Samples.normalized().texts.prefix(8) {
      var state = model.start
      var history: [SymbolTable.Symbol] = [SymbolTable.startOfText]
      for scalar in text {
        let symbol = model.symbols.symbol(of: scalar)
        let step = model.advance(state, symbol)
        #expect(abs(step.logProbability - naive.score(symbol, after: history)) < 1e-5)
        history.append(symbol)
        state = step.state
      }
    }
  }

  @Test("Starts of text and line are never predicted")
  func startsAreImpossible() throws {
    let model = try Samples.model()
    for state in Samples.states(of: model) {
      let values = Samples.values(model, state)
      #expect(values[Int(SymbolTable.startOfText)] == -.infinity)
      #expect(values[Int(SymbolTable.startOfLine)] == -.infinity)
      #expect(model.endOfText(state) == values[Int(SymbolTable.endOfText)])
      #expect(values[Int(SymbolTable.unknown)].isFinite)
    }
  }

  @Test("The same text gives the same bytes")
  func deterministic() throws {
    #expect(try Samples.bytes(maximumBytes: 6000) == Samples.bytes(maximumBytes: 6000))
    #expect(try Samples.bytes(words: ["b", "a"]) == Samples.bytes(words: ["a", "b", "a"]))
  }

  @Test("A pruned model fits its bound, and a greater bound loses less")
  func pruning() throws {
    let text = Samples.normalized()
    let whole = try Samples.model(order: 5)
    var last = LanguageModelEvaluation(whole, on: text).bitsPerCharacter
    for bound in [8000, 6000, 5000, 4500] {
      let model = try Samples.model(order: 5, maximumBytes: bound)
      #expect(model.byteCount <= bound)
      let bits = LanguageModelEvaluation(model, on: text).bitsPerCharacter
      #expect(bits > last - 0.01, "\(bound)")
      last = bits
    }
  }

  @Test("A bound that is too small for any model is refused with the smallest possible one")
  func impossibleBound() throws {
    let error = #expect(throws: LanguageModelTrainingError.self) {
      try Samples.bytes(maximumBytes: 100)
    }
    guard case .lengthTooSmall(100, let smallest) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(smallest > 100)
  }

  @Test("A state is four bytes, and equal contexts are equal states")
  func states() throws {
    let model = try Samples.model()
    #expect(MemoryLayout<LanguageModel.State>.size == 4)
    #expect(model.state(after: "on the cat") == model.state(after: "see the cat"))
    #expect(model.state(after: "the  \n cat ") == model.state(after: "the cat "))
    #expect(model.state(after: "cafe\u{301}") == model.state(after: "café"))
    #expect(model.start != model.startOfLine)
  }

  @Test("Bits per character count every character and unknown ones")
  func evaluation() throws {
    let model = try Samples.model()
    let evaluation = LanguageModelEvaluation(model, on: Samples.normalized("the Ж\nmat\n\ntea"))
    #expect(evaluation.characters == 12)
    #expect(evaluation.unknownCharacters == 1)
    #expect(evaluation.texts == 2)
    #expect(abs(evaluation.perplexity - exp2(evaluation.bitsPerCharacter)) < 1e-9)
    var score: Float = 0
    for text in ["the Ж mat", "tea"] {
      var state = model.start
      for scalar in text.unicodeScalars {
        let step = model.advance(state, model.symbols.symbol(of: scalar))
        score += step.logProbability
        state = step.state
      }
    }
    #expect(abs(evaluation.bitsPerCharacter + Double(score) / log(2) / 12) < 1e-5)
  }

  @Test("Threads may share a model")
  func threads() async throws {
    let model = try Samples.model()
    let text = Samples.normalized()
    let expected = LanguageModelEvaluation(model, on: text)
    await withTaskGroup(of: LanguageModelEvaluation.self) { group in
      for _ in 0..<4 { group.addTask { LanguageModelEvaluation(model, on: text) } }
      for await evaluation in group { #expect(evaluation == expected) }
    }
  }
}

/// A model's n-grams in a dictionary, looked up from the longest to the shortest.
struct NaiveBackoff {
  private var grams: [[SymbolTable.Symbol]: Float] = [:]
  private var weights: [[SymbolTable.Symbol]: Float] = [:]

  init(_ model: LanguageModel) {
    var contexts: [(state: Int, gram: [SymbolTable.Symbol])] = [(0, [])]
    while let (state, gram) = contexts.popLast() {
      let record = model.automaton.record(state)
      weights[gram] = model.automaton.weights[record.weight]
      for place in 0..<record.arcCount {
        let longer = gram + [model.automaton.arcSymbols[record.arcStart + place]]
        grams[longer] =
          model.automaton.probabilities[Int(model.automaton.arcCodes[record.arcStart + place])]
        if place < record.internalCount { contexts.append((record.firstChild + place, longer)) }
      }
    }
  }

  func score(_ symbol: SymbolTable.Symbol, after history: [SymbolTable.Symbol]) -> Float {
    var score: Float = 0
    for length in stride(from: min(history.count, 31), through: 0, by: -1) {
      let context = Array(history.suffix(length))
      if let value = grams[context + [symbol]] { return score + value }
      if length > 0 { score += weights[context] ?? 0 }
    }
    return -.infinity
  }
}
