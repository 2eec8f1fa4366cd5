/// The numbers of the beam search, tuned on validation data for one model and language model.
public struct DecoderConfiguration: Hashable, Codable, Sendable {
  /// Factor on the language model's log-probabilities.
  public var languageModelWeight: Float = 0.7
  /// Added for each character: makes up for the language model's preference for short texts.
  public var characterBonus: Float = 1.0
  /// Added for each space: makes up for a preference for words that are too long or too short.
  public var wordBonus: Float = 0
  /// Factor on ``logPriors``, which are subtracted from the network's log-probabilities: what the
  /// network knows of the language by itself makes room for the language model (Miao et al. 2015,
  /// EESEN).
  public var priorWeight: Float = 0
  /// How much more often the network reads a class than an average one, as a logarithm: [K], 0 for the
  /// blank; of any other count, nothing is subtracted.
  public var logPriors: [Float] = []
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
  /// Log-odds of words' confidences, ascending, at which ``wordConfidences`` tells what share of
  /// such words is right: those that all hypotheses share are not all right. Empty: confidences
  /// stay as they are.
  public var wordLogOdds: [Float] = []
  /// 0 … 1, never falling; linear between two of them and constant beyond the ends.
  public var wordConfidences: [Float] = []
  /// Added to a reading that begins with a space after text that does not end in one.
  public var spaceBonus: Float = 0

  /// Makes the default numbers.
  public init() {}

  /// Reads what is given; a number that is not there has its default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
      value = try values.decodeIfPresent(Value.self, forKey: key) ?? value
    }
    try read(.languageModelWeight, &languageModelWeight)
    try read(.characterBonus, &characterBonus)
    try read(.wordBonus, &wordBonus)
    try read(.priorWeight, &priorWeight)
    try read(.logPriors, &logPriors)
    try read(.beam, &beam)
    try read(.margin, &margin)
    try read(.symbolMargin, &symbolMargin)
    try read(.symbols, &symbols)
    try read(.temperature, &temperature)
    try read(.wordLogOdds, &wordLogOdds)
    try read(.wordConfidences, &wordConfidences)
    try read(.spaceBonus, &spaceBonus)
  }

  /// What is subtracted from the log-probabilities of each class; empty for nothing.
  func corrections(classes: Int) -> [Float] {
    priorWeight == 0 || logPriors.count != classes ? [] : logPriors.map { priorWeight * $0 }
  }

  /// The first member that the search cannot use for a network of so many classes, or nil.
  func fault(classes: Int) -> DescriptionFault? {
    let numbers =
      [
        languageModelWeight, characterBonus, wordBonus, margin, symbolMargin, temperature,
        spaceBonus, priorWeight,
      ] + logPriors
    guard numbers.allSatisfy(\.isFinite), logPriors.isEmpty || logPriors.count == classes,
      temperature > 0, margin > 0, symbolMargin > 0,
      isRising(wordLogOdds), isRising(wordConfidences, within: 0...1),
      wordLogOdds.count == wordConfidences.count, wordLogOdds.count <= 1000,
      (1...10_000).contains(beam), (1...10_000).contains(symbols)
    else {
      return DescriptionFault(
        what: "decoding", expected: "finite numbers in their ranges", found: "others")
    }
    return nil
  }

  private func isRising(
    _ values: [Float], within range: ClosedRange<Float> = -1000...1000
  ) -> Bool {
    values.allSatisfy(range.contains) && zip(values, values.dropFirst()).allSatisfy(<=)
  }
}
