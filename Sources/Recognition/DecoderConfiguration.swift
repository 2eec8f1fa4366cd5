/// The numbers of the beam search, tuned on validation data for one model and language model.
public struct DecoderConfiguration: Hashable, Codable, Sendable {
  /// Factor on the language model's log-probabilities.
  public var languageModelWeight: Float = 0.7
  /// Added for each character: makes up for the language model's preference for short texts.
  public var characterBonus: Float = 1.0
  /// Hypotheses that are kept at each time step.
  public var beam = 40
  /// Hypotheses whose score is so much below the best are dropped.
  public var margin: Float = 14
  /// Symbols whose log-probability at a time step is so much below the best one are not tried.
  public var symbolMargin: Float = 8
  /// At most so many symbols are tried at a time step.
  public var symbols = 12
  /// Scores are divided by this before they become probabilities; above 0.
  public var temperature: Float = 1
  /// Added to a reading that begins with a space after text that does not end in one.
  public var spaceBonus: Float = 0

  /// Makes the default numbers.
  public init() {}

  /// The first member that the search cannot use, or nil.
  var fault: DescriptionFault? {
    let numbers = [
      languageModelWeight, characterBonus, margin, symbolMargin, temperature,
      spaceBonus,
    ]
    guard numbers.allSatisfy(\.isFinite), temperature > 0, margin > 0, symbolMargin > 0,
      (1...10_000).contains(beam), (1...10_000).contains(symbols)
    else {
      return DescriptionFault(
        what: "decoding", expected: "finite numbers in their ranges", found: "others")
    }
    return nil
  }
}
