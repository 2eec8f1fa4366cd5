import LanguageModels

/// Scores texts for the search: the language model, the vocabulary and the bonuses.
package struct TextScorer {
  /// One symbol of the network. It holds no references, so that reading it counts none.
  private struct Symbol {
    /// The places of its symbols in ``codes``.
    var language: Range<Int>
    /// The same for the second model.
    var second: Range<Int>
    /// Another symbol that a single symbol may be, such as the closing quotation mark.
    var alternative: LanguageModel.Symbol?
    /// The places of its scalars in ``scalars``.
    var scalars: Range<Int>
    var isInWords: Bool
    /// Its bonus, which includes the prior of a letter.
    var bonus: Float
  }

  private let model: LanguageModel?
  /// The model of the second language of a text in two languages.
  private let second: LanguageModel?
  /// The states and arcs of both models, which `model` and `second` keep alive.
  private let automaton: NGramAutomaton?
  private let secondAutomaton: NGramAutomaton?
  private let weight: Float
  /// The least log-probability of a symbol.
  private let floor: Float
  let words: LexiconText?
  /// nil if only words of the vocabulary are allowed.
  private let wordBonus: Float?
  /// The symbols by class; the blank has none.
  private let symbols: [Symbol]
  /// The symbols of the language models for all classes, one after the other.
  private let codes: [LanguageModel.Symbol]
  /// The scalars of all classes, one after the other.
  private let scalars: [Unicode.Scalar]
  /// The largest gain of any symbol.
  let largestGain: Float

  /// Makes a scorer.
  ///
  /// - Parameters:
  ///   - model: The language model; nil for none.
  ///   - second: The model of a second language that the text may change to at any word.
  ///   - priors: The prior of each label; empty for none.
  ///   - forms: For each label the texts that the language writes for it, one or two; empty if each
  ///     label is written as it is.
  ///   - vocabulary: The allowed or preferred words.
  ///   - labels: The labels of the network: label k is class k + 1.
  ///   - configuration: The weights.
  init(
    _ model: LanguageModel?, second: LanguageModel? = nil, priors: [Float] = [],
    forms: [[String]] = [], _ vocabulary: Vocabulary?, labels: [String],
    configuration: DecoderConfiguration
  ) {
    self.model = model
    self.second = model == nil ? nil : second
    weight = configuration.languageModelWeight
    floor = configuration.languageModelFloor
    let bonus = model == nil ? 0 : configuration.characterBonus
    let spaceBonus = bonus + (model == nil ? 0 : configuration.wordBonus)
    switch vocabulary {
    case nil: (words, wordBonus) = (nil, 0)
    case .closed(let lexicon)?: (words, wordBonus) = (LexiconText(lexicon), nil)
    case .boosted(let lexicon, let bonus)?: (words, wordBonus) = (LexiconText(lexicon), bonus)
    }
    largestGain = max(0, bonus, spaceBonus) + max(0, wordBonus ?? 0) + max(0, priors.max() ?? 0)
    automaton = self.model?.automaton
    secondAutomaton = self.second?.automaton
    var codes: [LanguageModel.Symbol] = []
    var allScalars: [Unicode.Scalar] = []
    func places(_ model: LanguageModel?, _ text: String) -> Range<Int> {
      let start = codes.count
      if let model { codes += text.unicodeScalars.map { model.symbols.symbol(of: $0) } }
      return start..<codes.count
    }
    var symbols = [
      Symbol(language: 0..<0, second: 0..<0, scalars: 0..<0, isInWords: false, bonus: 0)
    ]
    for (index, label) in labels.enumerated() {
      let start = allScalars.count
      allScalars += label.unicodeScalars
      let written = forms.isEmpty ? [label] : forms[index]
      let other = written.count > 1 ? written[1].unicodeScalars.first : nil
      let prior = priors.isEmpty ? 0 : priors[index]
      symbols.append(
        Symbol(
          language: places(model, written[0]), second: places(second, written[0]),
          alternative: other.flatMap { model?.symbols.symbol(of: $0) },
          scalars: start..<allScalars.count,
          isInWords: label.unicodeScalars.allSatisfy(WordCharacters.contains),
          bonus: (label == " " ? spaceBonus : bonus) + prior))
    }
    (self.symbols, self.codes, scalars) = (symbols, codes, allScalars)
  }

  /// The state after a text.
  ///
  /// - Parameters:
  ///   - isWhole: True if the text is everything before the ink.
  ///   - begun: The word at the end of the text before the ink, which the ink may continue.
  package func state(after text: String, isWhole: Bool, begun: String) -> TextState {
    func state(_ model: LanguageModel) -> LanguageModel.State {
      text.isEmpty
        ? model.startOfLine
        : model.state(after: text, from: isWhole ? model.start : model.startOfLine)
    }
    return TextState(
      language: model.map(state) ?? LanguageModel.State(),
      second: second.map(state) ?? LanguageModel.State(), word: words?.start(after: begun))
  }

  /// Advances a state by a class; returns the score of the class, or nil if the vocabulary forbids
  /// it.
  func advance(_ state: inout TextState, label: Int) -> Float? {
    let symbol = symbols[label]
    // Forbidden symbols need no access to the language model.
    guard let gain = wordGain(&state, symbol) else { return nil }
    guard let automaton else { return symbol.bonus + gain }
    return symbol.bonus + gain + weight * languageGain(&state, symbol, automaton)
  }

  /// The same with a memo of one search. With two languages, the state is more than the memo keeps.
  @inline(__always)
  func advance(_ state: inout TextState, label: Int, _ memo: borrowing LanguageMemo) -> Float? {
    guard let automaton, second == nil else { return advance(&state, label: label) }
    let symbol = symbols[label]
    guard let gain = wordGain(&state, symbol) else { return nil }
    let step = memo.advance(state.language, label) { language in
      var found = TextState(language: language)
      defer { language = found.language }
      return languageGain(&found, symbol, automaton)
    }
    state.language = step.state
    return symbol.bonus + gain + weight * step.logProbability
  }

  /// Advances in the language models; returns ln p of the symbol, at least the floor.
  ///
  /// With two languages, p is the mixture of both, weighted by the probability of each language
  /// after the beginning of the word: each word is of one language.
  @inline(__always)
  private func languageGain(
    _ state: inout TextState, _ symbol: Symbol, _ automaton: NGramAutomaton
  ) -> Float {
    var sum: Float = 0
    guard let secondAutomaton else {
      let before = state.language
      for place in symbol.language {
        let step = automaton.advance(state.language, codes[place])
        state.language = step.state
        sum += max(step.logProbability, floor)
      }
      if let alternative = symbol.alternative {
        let step = automaton.advance(before, alternative)
        if step.logProbability > sum { (state.language, sum) = (step.state, step.logProbability) }
      }
      return sum
    }
    for (one, other) in zip(symbol.language, symbol.second) {
      let first = automaton.advance(state.language, codes[one])
      let next = secondAutomaton.advance(state.second, codes[other])
      (state.language, state.second) = (first.state, next.state)
      let prior = BilingualPrior(odds: state.odds)
      sum += max(prior.mixture(first.logProbability, next.logProbability), floor)
      state.odds = prior.odds(after: first.logProbability, next.logProbability)
    }
    if !symbol.isInWords { state.odds = BilingualPrior(odds: state.odds).oddsOfNextWord }
    return sum
  }

  /// Advances in the vocabulary; returns the score of the step, or nil if it is forbidden.
  private func wordGain(_ state: inout TextState, _ symbol: Symbol) -> Float? {
    guard let words else { return 0 }
    guard let wordBonus else {
      for place in symbol.scalars {
        guard let next = state.word.flatMap({ words.advance($0, scalars[place]) }) else {
          return nil
        }
        state.word = next
      }
      return 0
    }
    guard !symbol.isInWords else {
      for place in symbol.scalars {
        state.word = state.word.flatMap { words.advance($0, scalars[place]) }
      }
      return 0
    }
    let gain = state.word.map(words.endsWord) == true ? wordBonus : 0
    for place in symbol.scalars {
      state.word = state.word.flatMap { words.advance($0, scalars[place]) } ?? words.start
    }
    return gain
  }

  /// ln p of a reading by the language model; 0 without one.
  func languageScore(of labels: [Int32], from start: TextState) -> Float {
    guard let automaton else { return 0 }
    var (state, sum) = (start, Float(0))
    for label in labels { sum += languageGain(&state, symbols[Int(label)], automaton) }
    return sum
  }

  /// Returns whether a class is part of words.
  func isInWords(_ label: Int32) -> Bool { symbols[Int(label)].isInWords }

  /// The score of the end of a text; nil if it may not end there.
  func end(_ state: TextState) -> Float? {
    guard let words else { return 0 }
    guard let wordBonus else {
      return state.word.map(words.isAccepting) == true ? 0 : nil
    }
    return state.word.map(words.endsWord) == true ? wordBonus : 0
  }
}

/// The state of a hypothesis's text.
package struct TextState: BitwiseCopyable {
  /// The context of the language model.
  var language = LanguageModel.State()
  /// The context of the second language's model.
  var second = LanguageModel.State()
  /// The log-odds of the first language against the second in the current word.
  var odds: Float = 0
  /// The position in a word of the vocabulary; nil if the word is not in it.
  var word: LexiconText.State?
}
