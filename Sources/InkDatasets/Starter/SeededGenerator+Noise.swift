import InkCore

extension SeededGenerator {
  /// A number of the normal distribution around 0, at most six standard deviations away.
  mutating func normal(_ deviation: Double) -> Double {
    Double(normal()) * deviation
  }

  /// A number in the range, uniform.
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(uniform())
  }

  /// True with this probability.
  mutating func chance(_ probability: Double) -> Bool {
    Double(uniform()) < probability
  }
}
