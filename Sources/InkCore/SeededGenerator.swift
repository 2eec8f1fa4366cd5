/// A small, fast, seedable generator (SplitMix64; Steele, Lea, Flood 2014).
///
/// Streams are addressed: the same seed and address give the same numbers, independent of earlier
/// draws. This makes parallel and resumed runs equal bit for bit. Not for cryptography.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes the stream of a seed and an address of up to three numbers, for example (epoch, sample).
  public init(seed: UInt64, _ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0) {
    state = Self.value(seed, first, second, third)
  }

  /// A seed derived from a seed and an address.
  public static func value(
    _ seed: UInt64, _ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0
  ) -> UInt64 {
    var mixed = mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    mixed = mix(mixed ^ mix(first &+ 0xD1B5_4A32_D192_ED03))
    mixed = mix(mixed ^ mix(second &+ 0x8CB9_2BA7_2F3D_8DD7))
    return mix(mixed ^ mix(third &+ 0xABC9_8388_FB8F_AC03))
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// A number in 0 ..< 1, uniform, with 24 random bits.
  @usableFromInline package mutating func uniform() -> Float {
    Float(next() >> 40) * 0x1p-24
  }

  /// A number in the range, uniform.
  @usableFromInline package mutating func uniform(_ range: ClosedRange<Float>) -> Float {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// An integer in 0 ..< bound, uniform up to a bias of bound / 2^32 (Lemire 2019).
  public mutating func index(below bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// A number of the standard normal distribution, as a sum of twelve uniform numbers. It is
  /// bounded by ±6, which suits augmentation.
  package mutating func normal() -> Float {
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
