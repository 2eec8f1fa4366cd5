/// The decoder hyperparameters, tuned on validation data for one model and language model.
///
/// Weights and bonuses are any finite numbers, in natural logarithms. Margins and temperatures are
/// above 0, counts 1 to 10,000, and ``beam`` times ``symbols`` at most 1,048,576. Recognisers
/// reject other values: ``RecognitionError/unusableConfiguration(member:expected:found:)``.
public struct DecoderConfiguration: Hashable, Codable, Sendable {
  /// Weight of the language model's log-probabilities.
  public var languageModelWeight: Float = 0.7
  /// The lowest log-probability of a character by the language model; below 0. Characters that the
  /// network is sure of then stay in words that the language model does not know. Chosen on words that
  /// no lexicon contains, lines and texts: see `docs/experiments/NonWords.md`.
  public var languageModelFloor: Float = -8
  /// Bonus per character, which offsets the language model's preference for short texts.
  public var characterBonus: Float = 1.0
  /// Bonus per space, which offsets a preference for words that are too long or too short.
  public var wordBonus: Float = 0
  /// Weight of ``logPriors``, which are subtracted from the network's log-probabilities. This
  /// discounts the network's own language model in favour of the explicit one (Miao et al. 2015,
  /// EESEN).
  public var priorWeight: Float = 0
  /// The log-frequency of each class in the network's readings relative to an average class: [K], 0
  /// for the blank; or empty.
  public var logPriors: [Float] = []
  /// The number of hypotheses kept at each time step.
  public var beam = 40
  /// Hypotheses are dropped if their score is lower than the best by more than this.
  public var margin: Float = 14
  /// Symbols are not tried at a time step if their log-probability is lower than the best by more
  /// than this.
  public var symbolMargin: Float = 8
  /// The most symbols tried at a time step.
  public var symbols = 12
  /// The divisor of scores before they become probabilities of texts; above 0.
  public var temperature: Float = 1
  /// The same for probabilities of words.
  public var wordTemperature: Float = 1
  /// Weight of the log-odds of a word's least certain character by the network alone. They are
  /// added to the log-odds of the word, because a word in all hypotheses may still be wrong.
  public var certaintyWeight: Float = 0
  /// Log-odds of words, ascending, for which ``wordConfidences`` gives the share of correct words.
  /// If empty, the confidence of a word is its probability.
  public var wordLogOdds: [Float] = []
  /// Values in 0 … 1, never decreasing; interpolated linearly, and constant outside of the ends.
  public var wordConfidences: [Float] = []
  /// Bonus of a reading that begins with a space, after text that does not end in one.
  public var spaceBonus: Float = 0

  /// The rescoring of the best readings by a recurrent language model; nil for none.
  public var rescoring: Rescoring?

  /// The hyperparameters of a second pass over the best readings, which weighs the ink against two
  /// language models (rescoring of n-best lists).
  public struct Rescoring: Hashable, Codable, Sendable {
    /// Weight of the recurrent language model's log-probabilities.
    public var recurrentWeight: Float
    /// Replaces ``DecoderConfiguration/languageModelWeight``.
    public var languageModelWeight: Float
    /// Replaces ``DecoderConfiguration/characterBonus``.
    public var characterBonus: Float
    /// Replaces ``DecoderConfiguration/wordBonus``.
    public var wordBonus: Float

    /// Makes a configuration of the second pass.
    public init(
      recurrentWeight: Float, languageModelWeight: Float, characterBonus: Float, wordBonus: Float
    ) {
      self.recurrentWeight = recurrentWeight
      self.languageModelWeight = languageModelWeight
      self.characterBonus = characterBonus
      self.wordBonus = wordBonus
    }
  }

  /// Makes the default configuration.
  public init() {}

  /// Decodes a configuration; missing values get their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
      value = try values.decodeIfPresent(Value.self, forKey: key) ?? value
    }
    try read(.languageModelWeight, &languageModelWeight)
    try read(.languageModelFloor, &languageModelFloor)
    try read(.characterBonus, &characterBonus)
    try read(.wordBonus, &wordBonus)
    try read(.priorWeight, &priorWeight)
    try read(.logPriors, &logPriors)
    try read(.beam, &beam)
    try read(.margin, &margin)
    try read(.symbolMargin, &symbolMargin)
    try read(.symbols, &symbols)
    try read(.temperature, &temperature)
    // Bundles of older versions have one temperature.
    wordTemperature = temperature
    try read(.wordTemperature, &wordTemperature)
    try read(.certaintyWeight, &certaintyWeight)
    try read(.wordLogOdds, &wordLogOdds)
    try read(.wordConfidences, &wordConfidences)
    try read(.spaceBonus, &spaceBonus)
    rescoring = try values.decodeIfPresent(Rescoring.self, forKey: .rescoring)
  }

  /// The values subtracted from the log-probabilities of each class; empty for none.
  var corrections: [Float] {
    priorWeight == 0 || logPriors.isEmpty ? [] : logPriors.map { priorWeight * $0 }
  }

  /// The configuration of a wider search, for a network with this many classes: every symbol is
  /// tried at every time step, and twice as many hypotheses are kept.
  func widened(classes: Int) -> DecoderConfiguration {
    var result = self
    result.margin *= 4
    result.symbolMargin = .greatestFiniteMagnitude
    result.beam = min(2 * beam, max(beam, Self.maximumExtensions / classes))
    result.symbols = min(classes, max(symbols, Self.maximumExtensions / result.beam))
    return result
  }

  /// A value out of its range.
  package struct Fault: Hashable {
    /// The member.
    package var what: String
    /// The expected value.
    var expected: String
    /// The value found.
    var found: String
  }

  /// The first member that the search cannot use for a network with this many classes, or nil.
  package func fault(classes: Int) -> Fault? {
    numberFault ?? listFault(classes) ?? countFault
  }

  /// The largest weight or bonus; sums of them over a text stay finite.
  private static let weightLimit: Float = 10_000

  private var numberFault: Fault? {
    let positive = Float.leastNonzeroMagnitude...Float.greatestFiniteMagnitude
    let (limit, signed) = (Self.weightLimit, "a number of -10000 to 10000")
    let numbers: [(name: String, value: Float, range: ClosedRange<Float>, expected: String)] = [
      ("languageModelWeight", languageModelWeight, 0...limit, "a number of 0 to 10000"),
      ("characterBonus", characterBonus, -limit...limit, signed),
      ("wordBonus", wordBonus, -limit...limit, signed),
      ("spaceBonus", spaceBonus, -limit...limit, signed),
      ("priorWeight", priorWeight, -limit...limit, signed),
      ("certaintyWeight", certaintyWeight, 0...limit, "a number of 0 to 10000"),
      ("margin", margin, positive, "a finite number above 0"),
      ("symbolMargin", symbolMargin, positive, "a finite number above 0"),
      ("temperature", temperature, positive, "a finite number above 0"),
      ("wordTemperature", wordTemperature, positive, "a finite number above 0"),
    ]
    let rescored = rescoring.map {
      [
        ("recurrentWeight", $0.recurrentWeight), ("languageModelWeight", $0.languageModelWeight),
        ("characterBonus", $0.characterBonus), ("wordBonus", $0.wordBonus),
      ]
    }
    guard (-limit..<0).contains(languageModelFloor) else {
      return Self.fault(
        "languageModelFloor", "a number of -10000 to below 0", "\(languageModelFloor)")
    }
    if let fault = rescored?.first(where: { !(-limit...limit).contains($0.1) }) {
      return Self.fault("rescoring \(fault.0)", signed, "\(fault.1)")
    }
    return numbers.first { !$0.range.contains($0.value) }.map {
      Self.fault($0.name, $0.expected, "\($0.value)")
    }
  }

  private func listFault(_ classes: Int) -> Fault? {
    guard logPriors.isEmpty || logPriors.count == classes, logPriors.allSatisfy(\.isFinite) else {
      return Self.fault("logPriors", "none or \(classes) finite numbers", "\(logPriors.count)")
    }
    guard wordLogOdds.count <= 1000, isRising(wordLogOdds) else {
      return Self.fault(
        "wordLogOdds", "at most 1000 rising numbers of -1000 to 1000", "\(wordLogOdds.count)")
    }
    guard wordConfidences.count == wordLogOdds.count, isRising(wordConfidences, within: 0...1)
    else {
      return Self.fault(
        "wordConfidences", "\(wordLogOdds.count) rising numbers of 0 to 1",
        "\(wordConfidences.count)")
    }
    return nil
  }

  private var countFault: Fault? {
    let counts = 1...10_000
    guard counts.contains(beam) else { return Self.fault("beam", "1 to 10000", "\(beam)") }
    guard counts.contains(symbols), beam * symbols <= Self.maximumExtensions else {
      return Self.fault(
        "symbols", "1 to 10000, times the beam at most \(Self.maximumExtensions)", "\(symbols)")
    }
    return nil
  }

  private static func fault(
    _ member: String, _ expected: String, _ found: String
  ) -> Fault {
    Fault(what: "decoding \(member)", expected: expected, found: found)
  }

  /// The most hypotheses that a time step may try; each takes about 64 bytes.
  private static let maximumExtensions = 1 << 20

  private func isRising(
    _ values: [Float], within range: ClosedRange<Float> = -1000...1000
  ) -> Bool {
    values.allSatisfy(range.contains) && zip(values, values.dropFirst()).allSatisfy(<=)
  }
}
