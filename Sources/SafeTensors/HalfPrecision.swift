/// Conversion between `Float` and IEEE 754 binary16 in integer arithmetic.
///
/// `Float16` does not exist on x86-64 macOS and is slow without F16C; these loops have no branch
/// and vectorise. The method is Fabian Giesen's (gist.github.com/rygorous/2156668).
package enum HalfPrecision {
  /// The largest magnitude, as bits of a `Float`, that rounds into the range of binary16: the value
  /// before 65520, which is halfway between 65504 and the first value out of range.
  private static let largestFittingBits: UInt32 = 0x477F_EFFF

  /// The exponent bits of binary16: all set in infinity and NaN.
  package static let exponentMask: UInt16 = 0x7C00

  /// Returns the bits of a number rounded to the nearest binary16, ties to even.
  ///
  /// The result is meaningless if the magnitude rounds to 65536 or more or is not finite: see
  /// ``fits(_:)``.
  @inline(__always)
  package static func bits(of value: Float) -> UInt16 {
    let bits = value.bitPattern
    let magnitude = bits & 0x7FFF_FFFF
    // A subnormal result: adding 0.5 lets the adder align and round the mantissa.
    let half: UInt32 = 0x3F00_0000
    let small =
      (Float(bitPattern: magnitude) + Float(bitPattern: half)).bitPattern &- half
    // A normal result: rebias the exponent by -112 and round half to even on bit 13.
    let odd = (magnitude >> 13) & 1
    let normal = (magnitude &- 0x3800_0000 &+ 0xFFF &+ odd) >> 13
    let result = magnitude < 0x3880_0000 ? small : normal
    return UInt16(truncatingIfNeeded: result | (bits >> 16 & 0x8000))
  }

  /// Returns the exact number of a bit pattern, unless it is infinity or NaN.
  @inline(__always)
  package static func value(of bits: UInt16) -> Float {
    let magnitude = UInt32(bits & 0x7FFF) << 13
    let sign = UInt32(bits & 0x8000) << 16
    // A subnormal: put it into the mantissa of 2^-14 and subtract that.
    let small = Float(bitPattern: magnitude | 0x3880_0000) - 0x1p-14
    let result = bits & 0x7C00 == 0 ? small.bitPattern : magnitude &+ 0x3800_0000
    return Float(bitPattern: result | sign)
  }

  /// Returns whether a number and its nearest binary16 are finite.
  @inline(__always)
  package static func fits(_ value: Float) -> Bool {
    value.bitPattern & 0x7FFF_FFFF <= largestFittingBits
  }

  /// Writes values as little-endian binary16 to memory of any alignment.
  ///
  /// - Returns: true if every value fits; otherwise the written bytes are meaningless.
  /// - Complexity: O(count), no allocation.
  package static func encode(
    _ values: UnsafeBufferPointer<Float>, into target: UnsafeMutableRawPointer
  ) -> Bool {
    guard let source = values.baseAddress else { return true }
    var largest: Int32 = 0
    for index in 0..<values.count {
      let value = source[index]
      largest = max(largest, Int32(bitPattern: value.bitPattern & 0x7FFF_FFFF))
      target.storeBytes(
        of: bits(of: value).littleEndian, toByteOffset: index &* 2, as: UInt16.self)
    }
    return largest <= Int32(bitPattern: largestFittingBits)
  }

  /// Reads little-endian binary16 from memory of any alignment.
  ///
  /// - Returns: true if every value is finite; otherwise the written values are meaningless.
  /// - Complexity: O(count), no allocation.
  package static func decode(
    _ source: UnsafeRawPointer, count: Int, into target: UnsafeMutablePointer<Float>
  ) -> Bool {
    var largest: Int16 = 0
    for index in 0..<count {
      let bits = UInt16(
        littleEndian: source.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self))
      largest = max(largest, Int16(bitPattern: bits & 0x7FFF))
      target[index] = value(of: bits)
    }
    return largest < Int16(bitPattern: exponentMask)
  }
}
