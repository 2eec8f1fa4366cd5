/// The numbers of the beam search, tuned on validation data for one model and language model.
///
/// Weights and bonuses are any finite numbers, in natural logarithms; margins and temperatures are
/// above 0, counts 1 to 10,000 and ``beam`` times ``symbols`` at most 1,048,576. A recogniser is not
/// made with others: ``RecognitionError/unusableConfiguration(member:expected:found:)``.
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
  /// blank; or none.
  public var logPriors: [Float] = []
  /// Hypotheses that are kept at each time step.
  public var beam = 40
  /// Hypotheses whose score is so much below the best are dropped.
  public var margin: Float = 14
  /// Symbols whose log-probability at a time step is so much below the best one are not tried.
  public var symbolMargin: Float = 8
  /// At most so many symbols are tried at a time step.
  public var symbols = 12
  /// Scores are divided by this before they become probabilities of texts; above 0.
  public var temperature: Float = 1
  /// The same for the probabilities of words.
  public var wordTemperature: Float = 1
  /// Factor on the log-odds of the least certain character of a word by the network alone, which are
  /// added to those of the word: all hypotheses share most words, and not all of those are right.
  public var certaintyWeight: Float = 0
  /// Log-odds of words, ascending, at which ``wordConfidences`` tells what share of such words is
  /// right. Empty: the confidence of a word is its probability.
  public var wordLogOdds: [Float] = []
  /// 0 … 1, never falling; linear between two of them and constant beyond the ends.
  public var wordConfidences: [Float] = []
  /// Added to a reading that begins with a space after text that does not end in one.
  public var spaceBonus: Float = 0

  /// How the best readings are ordered anew by a recurrent language model; nil where they are not.
  public var rescoring: Rescoring?

  /// The numbers of a second pass over the best readings of the search, which weighs the ink against two
  /// language models (rescoring of n-best lists).
  public struct Rescoring: Hashable, Codable, Sendable {
    /// Factor on the log-probabilities of the recurrent language model.
    public var recurrentWeight: Float
    /// In place of ``DecoderConfiguration/languageModelWeight``.
    public var languageModelWeight: Float
    /// In place of ``DecoderConfiguration/characterBonus``.
    public var characterBonus: Float
    /// In place of ``DecoderConfiguration/wordBonus``.
    public var wordBonus: Float

    /// Makes the numbers.
    public init(
      recurrentWeight: Float, languageModelWeight: Float, characterBonus: Float, wordBonus: Float
    ) {
      self.recurrentWeight = recurrentWeight
      self.languageModelWeight = languageModelWeight
      self.characterBonus = characterBonus
      self.wordBonus = wordBonus
    }
  }

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
    // Bundles of before have one temperature.
    wordTemperature = temperature
    try read(.wordTemperature, &wordTemperature)
    try read(.certaintyWeight, &certaintyWeight)
    try read(.wordLogOdds, &wordLogOdds)
    try read(.wordConfidences, &wordConfidences)
    try read(.spaceBonus, &spaceBonus)
    rescoring = try values.decodeIfPresent(Rescoring.self, forKey: .rescoring)
  }

  /// What is subtracted from the log-probabilities of each class; empty for nothing.
  var corrections: [Float] {
    priorWeight == 0 || logPriors.isEmpty ? [] : logPriors.map { priorWeight * $0 }
  }

  /// The same for a search that goes far from what the network reads, for a network of so many classes:
  /// every symbol is tried at every time step, and twice as many hypotheses are kept.
  func widened(classes: Int) -> DecoderConfiguration {
    var result = self
    result.margin *= 4
    result.symbolMargin = .greatestFiniteMagnitude
    result.beam = min(2 * beam, max(beam, Self.maximumExtensions / classes))
    result.symbols = min(classes, max(symbols, Self.maximumExtensions / result.beam))
    return result
  }

  /// A number that is out of its range.
  struct Fault: Hashable {
    /// The member.
    var what: String
    /// What it should be.
    var expected: String
    /// What it is.
    var found: String
  }

  /// The first member that the search cannot use for a network of so many classes, or nil.
  func fault(classes: Int) -> Fault? {
    numberFault ?? listFault(classes) ?? countFault
  }

  /// No weight or bonus is greater: sums of them over a text stay finite.
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

  /// Hypotheses that a time step may try: each takes some 64 bytes.
  private static let maximumExtensions = 1 << 20

  private func isRising(
    _ values: [Float], within range: ClosedRange<Float> = -1000...1000
  ) -> Bool {
    values.allSatisfy(range.contains) && zip(values, values.dropFirst()).allSatisfy(<=)
  }
}
