import Files
import Testing

@Suite("Decimal numbers")
struct DecimalNumberTests {
  @Test("Numbers have the bits of the standard library, other texts have none")
  func numbers() {
    var texts = ["0", "-0", "0.0", "-0.25", "12", "007", "123456789012345", "0.00000000000001"]
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let whole = Int.random(in: -999_999...999_999, using: &generator)
      texts.append("\(whole).\(Int.random(in: 0...9_999_999, using: &generator))")
    }
    for text in texts {
      #expect(DecimalNumber.exact(text.utf8)?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
    for text in [
      "", "-", ".", "1.", ".5", "+1", "1e3", "1,5", "1.2.3", "--1", "1-", "1234567890123456", "nan",
    ] {
      #expect(DecimalNumber.exact(text.utf8) == nil, "\(text)")
    }
  }
}
