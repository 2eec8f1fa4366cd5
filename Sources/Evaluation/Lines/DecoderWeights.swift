import Recognition

/// What weighs ink against language in the beam search: the numbers that are searched for.
public struct DecoderWeights: Hashable, Sendable {
  /// Of the language model, above 0.
  public let languageModel: Float
  /// Of each character, in nats.
  public let characterBonus: Float
  /// Of each word, in nats.
  public let wordBonus: Float
  /// Of what the network knows of the language by itself, 0 or more.
  public let prior: Float

  /// Makes weights of four numbers in the order of the properties.
  ///
  /// - Returns: nil where there are more or fewer, or one is not finite or out of its range.
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
  /// What weighs ink against language.
  var weights: DecoderWeights {
    get { DecoderWeights(languageModelWeight, characterBonus, wordBonus, priorWeight) }
    set {
      (languageModelWeight, characterBonus) = (newValue.languageModel, newValue.characterBonus)
      (wordBonus, priorWeight) = (newValue.wordBonus, newValue.prior)
    }
  }
}
