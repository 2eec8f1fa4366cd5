import Foundation
import LanguageModels
import Testing

@Suite("Modified Kneser-Ney smoothing")
struct KneserNeyTests {
  @Test("Every n-gram has the probability of the plain reference", arguments: [2, 3, 5])
  func agreesWithReference(order: Int) throws {
    let text = try SymbolText(Samples.normalized(), minimumCount: 2)
    let trie = try NGramTrie(NGramCounts(text, order: order), table: text.table)
    let unigrams = KneserNeyEstimator.estimate(trie)
    let reference = ReferenceKneserNey(text, order: order)
    for symbol in 0..<text.table.count
    where symbol != SymbolTable.startOfText && symbol != SymbolTable.startOfLine {
      let expected = reference.probability(SymbolTable.Symbol(symbol), after: [])
      #expect(abs(Double(unigrams[symbol]) - expected) < 1e-6)
    }
    var compared = 0
    for (context, symbol, probability) in grams(trie) where !context.isEmpty {
      let expected = reference.probability(symbol, after: context)
      // Float's rounding, through at most five levels.
      #expect(abs(probability - expected) < 1e-6, "\(context) \(symbol)")
      compared += 1
    }
    #expect(compared > 50)
  }

  @Test("The stored model gives the reference's probabilities to eight bits")
  func storedModelAgreesWithReference() throws {
    let order = 4
    let text = try SymbolText(Samples.normalized(), minimumCount: 2)
    let reference = ReferenceKneserNey(text, order: order)
    let model = try Samples.model(order: order)
    var context: [SymbolTable.Symbol] = []
    var state = model.start
    for symbol in text.symbols.prefix(2000) {
      if symbol == SymbolTable.startOfText {
        (context, state) = ([symbol], model.start)
        continue
      }
      let step = model.advance(state, symbol)
      let expected = reference.probability(symbol, after: context.suffix(order - 1))
      // Half a step of the codebooks for the n-gram and for each weight on the way to it.
      #expect(abs(Double(step.logProbability) - log(expected)) < 0.12)
      context.append(symbol)
      state = step.state
    }
  }

  @Test("Discounts follow equation 26 of Chen and Goodman")
  func discounts() {
    // n1 = 4, n2 = 2, n3 = 1, n4 = 1: Y = 4 / 8.
    let discounts = Discounts([1, 1, 1, 1, 2, 2, 3, 4, 9])
    #expect(discounts[0] == 0)
    #expect(abs(discounts[1] - (1 - 2 * 0.5 * 2 / 4)) < 1e-12)
    #expect(abs(discounts[2] - (2 - 3 * 0.5 * 1 / 2)) < 1e-12)
    #expect(abs(discounts[3] - (3 - 4 * 0.5 * 1 / 1)) < 1e-12)
    #expect(discounts[100] == discounts[3])
  }

  @Test("Discounts fall back to constants where counts of one to four do not all occur")
  func fallbackDiscounts() {
    let discounts = Discounts([1, 1, 7])
    #expect((discounts[1], discounts[2], discounts[3]) == (0.5, 1, 1.5))
  }

  @Test("Radix sorting gives the order of a plain sort")
  func sorting() {
    let sorter = RadixSorter(capacity: 1000)
    var keys: [UInt64] = []
    var state: UInt64 = 7
    for _ in 0..<1000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      keys.append(state >> 3)
      sorter.append(state >> 3)
    }
    sorter.sort(bits: 61)
    #expect(Array(sorter.sorted) == keys.sorted())
  }

  @Test("An order that does not fit the keys is refused")
  func orderOutOfRange() {
    #expect(throws: LanguageModelTrainingError.self) {
      try LanguageModelTrainer.train(Samples.normalized(), options: Samples.options(order: 40))
    }
  }

  @Test("A text without characters is refused")
  func emptyText() {
    #expect(throws: LanguageModelTrainingError.noText(scalars: 0, minimumCount: 2)) {
      try LanguageModelTrainer.train(Samples.normalized("\n \n"), options: Samples.options())
    }
  }

  /// All n-grams of a trie with the starts left out: context, symbol and probability.
  private func grams(
    _ trie: NGramTrie
  ) -> [([SymbolTable.Symbol], SymbolTable.Symbol, Double)] {
    var result: [([SymbolTable.Symbol], SymbolTable.Symbol, Double)] = []
    func walk(_ length: Int, _ index: Int, _ gram: [SymbolTable.Symbol]) {
      guard length < trie.order else { return }
      for child in trie.levels[length].children(index) {
        let level = trie.levels[length + 1]
        result.append((gram, level.symbols[child], Double(level.probability[child])))
        walk(length + 1, child, gram + [level.symbols[child]])
      }
    }
    walk(0, 0, [])
    return result
  }
}
