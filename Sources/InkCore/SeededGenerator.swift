/// A small, fast, seedable generator (SplitMix64; Steele, Lea, Flood 2014).
///
/// Streams are addressed, not advanced: the same seed and address give the same numbers whatever
/// was drawn before, which is what makes parallel and resumed runs equal bit for bit. Not for
/// cryptography.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes the stream of a seed and an address, for example (epoch, sample).
  public init(seed: UInt64, _ address: UInt64...) {
    var mixed = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    for part in address {
      mixed = Self.mix(mixed ^ Self.mix(part &+ 0xD1B5_4A32_D192_ED03))
    }
    state = mixed
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// A number in 0 ..< 1, uniform, with 24 random bits.
  public mutating func uniform() -> Float {
    Float(next() >> 40) * 0x1p-24
  }

  /// A number in the range, uniform.
  public mutating func uniform(_ range: ClosedRange<Float>) -> Float {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// An integer in 0 ..< bound, uniform up to a bias of bound / 2^32 (Lemire 2019).
  public mutating func index(below bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// A number of the standard normal distribution, as a sum of twelve uniform numbers: bounded by
  /// ±6, which augmentation wants.
  public mutating func normal() -> Float {
    var sum: Float = -6
    for _ in 0..<12 { sum += uniform() }
    return sum
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
