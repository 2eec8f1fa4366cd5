import Recognition

/// The decoder hyperparameters that balance ink and language in the beam search.
public struct DecoderWeights: Hashable, Sendable {
  /// The weight of the language model, above 0.
  package let languageModel: Float
  /// The bonus per character, in nats.
  package let characterBonus: Float
  /// The bonus per word, in nats.
  package let wordBonus: Float
  /// The weight of the priors, which discount the network's own language model; 0 or more.
  package let prior: Float

  /// Makes weights from four numbers in the order of the properties.
  ///
  /// - Returns: nil if the count is wrong, or a number is not finite or out of its range.
  public init?(_ numbers: [Float]) {
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[0] > 0, numbers[3] >= 0 else {
      return nil
    }
    self.init(numbers[0], numbers[1], numbers[2], numbers[3])
  }

  fileprivate init(_ languageModel: Float, _ character: Float, _ word: Float, _ prior: Float) {
    (self.languageModel, characterBonus, wordBonus) = (languageModel, character, word)
    self.prior = prior
  }

  /// The four numbers in the order of the properties.
  var numbers: [Float] { [languageModel, characterBonus, wordBonus, prior] }
}

extension DecoderConfiguration {
  /// The weights that balance ink and language.
  var weights: DecoderWeights {
    get { DecoderWeights(languageModelWeight, characterBonus, wordBonus, priorWeight) }
    set {
      (languageModelWeight, characterBonus) = (newValue.languageModel, newValue.characterBonus)
      (wordBonus, priorWeight) = (newValue.wordBonus, newValue.prior)
    }
  }
}
