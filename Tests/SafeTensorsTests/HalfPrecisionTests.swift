import InkCore
import SafeTensors
import Testing

@Suite("HalfPrecision")
struct HalfPrecisionTests {
  @Test("Every finite binary16 survives conversion to Float and back")
  func everyPattern() {
    for bits in UInt16.min ... .max where bits & 0x7C00 != 0x7C00 {
      #expect(HalfPrecision.bits(of: HalfPrecision.value(of: bits)) == bits)
    }
  }

  @Test("Every value follows the definition of the format")
  func everyValue() {
    for bits in UInt16.min ... .max where bits & 0x7C00 != 0x7C00 {
      let exponent = Int(bits >> 10 & 31)
      let mantissa = Float(bits & 0x3FF)
      let magnitude =
        exponent == 0
        ? mantissa * 0x1p-24
        : Float(sign: .plus, exponent: exponent - 25, significand: 1024 + mantissa)
      #expect(HalfPrecision.value(of: bits) == (bits >> 15 == 0 ? magnitude : -magnitude))
    }
  }

  @Test("Values are rounded to the nearer neighbour, ties to even")
  func rounding() {
    for bits in UInt16.min..<0x7BFF {
      let low = HalfPrecision.value(of: bits)
      let high = HalfPrecision.value(of: bits + 1)
      let middle = (low + high) / 2
      #expect(HalfPrecision.bits(of: middle) == bits + (bits & 1))
      #expect(HalfPrecision.bits(of: middle.nextDown) == bits)
      #expect(HalfPrecision.bits(of: middle.nextUp) == bits + 1)
      #expect(HalfPrecision.bits(of: -middle) == 0x8000 | (bits + (bits & 1)))
    }
  }

  @Test("The range ends where rounding would give infinity")
  func range() {
    #expect(HalfPrecision.fits(65504))
    #expect(HalfPrecision.fits(-Float(65520).nextDown))
    #expect(HalfPrecision.bits(of: Float(65520).nextDown) == 0x7BFF)
    #expect(!HalfPrecision.fits(65520))
    #expect(!HalfPrecision.fits(-.infinity))
    #expect(!HalfPrecision.fits(.nan))
  }

  #if !(os(macOS) && arch(x86_64))
    @Test("Rounding agrees with the compiler's Float16")
    func agreesWithFloat16() {
      let seed: UInt64 = 5
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<100_000 {
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
        guard HalfPrecision.fits(value) else { continue }
        #expect(
          HalfPrecision.bits(of: value) == Float16(value).bitPattern, "seed \(seed), \(value)")
      }
    }
  #endif
}
