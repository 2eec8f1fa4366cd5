/// The weights of the search of a ``CharacterLineRecognizer``, tuned on validation data for one model and
/// language model. Scores are natural logarithms.
public struct CharacterLineConfiguration: Hashable, Codable, Sendable {
  /// Weight of the language model's log-probabilities, 0 ... 100.
  public var languageModelWeight: Float = 0.7
  /// Bonus for each character, which offsets the preference of the language model for few characters.
  public var characterBonus: Float = 0.6
  /// The growth of the log-odds that a character ends at a gap, for a gap wider by one character size.
  public var gapSlope: Float = 10
  /// The gap where both are as likely, in character sizes; negative if neighbours overlap.
  public var evenGap: Float = 0.07
  /// Added to the log-odds that a character ends before a small stroke at the place of a full stop.
  public var signBonus: Float = 1
  /// The extent of a character along the line, in character sizes, from which on it is too large.
  public var largestExtent: Float = 1
  /// The loss for each character size beyond it.
  public var extentLoss: Float = 5
  /// The number of hypotheses kept at each gap, 1 ... 10,000.
  public var beam = 32
  /// The divisor of scores before they become probabilities of texts; above 0.
  public var temperature: Float = 1

  /// Makes the default weights.
  public init() {}

  /// Decodes weights; missing values get their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
      value = try values.decodeIfPresent(Value.self, forKey: key) ?? value
    }
    try read(.languageModelWeight, &languageModelWeight)
    try read(.characterBonus, &characterBonus)
    try read(.gapSlope, &gapSlope)
    try read(.evenGap, &evenGap)
    try read(.signBonus, &signBonus)
    try read(.largestExtent, &largestExtent)
    try read(.extentLoss, &extentLoss)
    try read(.beam, &beam)
    try read(.temperature, &temperature)
  }

  /// The score of an ink as one character by its shape: the logarithm of its share among inks of that
  /// shape, by hand.
  ///
  /// - Parameter extent: Its length divided by its width across the line.
  func wholeScore(extent: Float) -> Float {
    let (square, longest): (Float, Float) = (1.3, 2)
    return -0.2 - 4 * max(0, min(1, (extent - square) / (longest - square)))
  }

  /// The first member out of its range, or nil.
  var fault: DecoderConfiguration.Fault? {
    let (signed, unsigned): (ClosedRange<Float>, ClosedRange<Float>) = (-100...100, 0...100)
    let numbers: [(name: String, value: Float, range: ClosedRange<Float>)] = [
      ("languageModelWeight", languageModelWeight, unsigned),
      ("characterBonus", characterBonus, signed), ("gapSlope", gapSlope, unsigned),
      ("evenGap", evenGap, signed), ("signBonus", signBonus, signed),
      ("largestExtent", largestExtent, unsigned),
      ("extentLoss", extentLoss, unsigned), ("temperature", temperature, 0.001...1000),
    ]
    for (name, value, range) in numbers where !range.contains(value) {
      return DecoderConfiguration.Fault(
        what: name, expected: "a number of \(range.lowerBound) to \(range.upperBound)",
        found: "\(value)")
    }
    guard (1...10_000).contains(beam) else {
      return DecoderConfiguration.Fault(what: "beam", expected: "1 to 10000", found: "\(beam)")
    }
    return nil
  }
}
