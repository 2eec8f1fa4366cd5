import LanguageModels

/// Where a search begins: what is known from the text before the ink.
struct DecodingStart {
  /// The state of the language model behind the text.
  var state: LanguageModel.State
  /// The class of the space where a reading may begin with one that was not written, else nil.
  var space: Int?
  /// Added to such a reading.
  var spaceBonus: Float
}

/// Scores texts for the search: the language model and the bonuses.
struct TextScorer {
  private let model: LanguageModel?
  private let weight: Float
  private let bonus: Float
  /// For each class the language model's symbols of its character.
  private let symbols: [[LanguageModel.Symbol]]
  /// No symbol can add more than this.
  let largestGain: Float

  /// Makes a scorer.
  ///
  /// - Parameter labels: Label k is class k + 1.
  init(_ model: LanguageModel?, labels: [String], configuration: DecoderConfiguration) {
    self.model = model
    weight = configuration.languageModelWeight
    bonus = model == nil ? 0 : configuration.characterBonus
    largestGain = max(0, bonus)
    symbols =
      [[]]
      + labels.map { label in
        model.map { model in label.unicodeScalars.map { model.symbols.symbol(of: $0) } } ?? []
      }
  }

  /// The state behind a class and what the class adds to the score.
  @inline(__always)
  func advance(
    _ state: LanguageModel.State, label: Int
  ) -> (state: LanguageModel.State, gain: Float) {
    guard let model else { return (state, 0) }
    var current = state
    var sum: Float = 0
    for symbol in symbols[label] {
      let step = model.advance(current, symbol)
      current = step.state
      sum += step.logProbability
    }
    return (current, weight * sum + bonus)
  }
}
