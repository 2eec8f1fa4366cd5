import InkCore
import Testing

@Suite("The order of words of both directions")
struct BidirectionalOrderTests {
  /// Returns words as they are seen from left to right.
  private static func seen(_ text: String, in line: WritingDirection) -> String {
    let words = text.split(separator: " ").map(String.init)
    let placed = BidirectionalOrder.places(of: words, in: line).map { words[$0] }
    return (line == .rightToLeft ? placed.reversed() : placed).joined(separator: " ")
  }

  @Test(
    "Words are placed as the Unicode Bidirectional Algorithm places them",
    arguments: [
      ("one two three", WritingDirection.leftToRight, "one two three"),
      ("א ב ג", .rightToLeft, "ג ב א"),
      // Latin words in a Hebrew line, and the reverse.
      ("א one two ב", .rightToLeft, "ב one two א"), ("one א ב two", .leftToRight, "one ב א two"),
      // A number after a Latin word belongs to it; one after a Hebrew word to the line.
      ("א one 12 ב", .rightToLeft, "ב one 12 א"), ("א 12 one ב", .rightToLeft, "ב one 12 א"),
      ("א 12 34 ב", .rightToLeft, "ב 34 12 א"), ("one א 12 two", .leftToRight, "one 12 א two"),
      // Persian digits are as European ones, Arabic-Indic ones belong to Arabic letters alone.
      ("ب one ۱۲ ت", .rightToLeft, "ت one ۱۲ ب"), ("ب one ١٢ ت", .rightToLeft, "ت ١٢ one ب"),
      ("א one – two ב", .rightToLeft, "ב one – two א"), ("א one – ב", .rightToLeft, "ב – one א"),
      ("", .rightToLeft, ""), ("12", .rightToLeft, "12"),
    ])
  func places(text: String, line: WritingDirection, expected: String) {
    #expect(Self.seen(text, in: line) == expected)
  }

  @Test("Words without numbers are read as they were before they were placed")
  func inverse() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let words = (0..<6).map { _ in
        ["א", "ב", "one", "two", "–"].randomElement(using: &random) ?? ""
      }
      for line in [WritingDirection.leftToRight, .rightToLeft] {
        let placed = BidirectionalOrder.places(of: words, in: line).map { words[$0] }
        let read = BidirectionalOrder.reading(of: placed, in: line).map { placed[$0] }
        #expect(read == words, "\(words)")
      }
    }
  }

  @Test(
    "Characters of a word are drawn from left to right",
    arguments: [
      ("hello", "hello"), ("שלום", "םולש"), ("ב2024", "2024ב"), ("שנת-2024.", ".2024-תנש"),
      ("ה-iPad2", "ה-iPad2"), ("ההה-iP", "iP-ההה"), ("۱۲٫۵", "۱۲٫۵"), ("abאבcd", "abבאcd"),
      ("", ""),
    ])
  func signs(word: String, expected: String) {
    let signs = Array(word)
    let order = BidirectionalOrder.signs(of: word)
    #expect(order.sorted() == Array(signs.indices))
    #expect(String(order.map { signs[$0] }) == expected)
  }

  @Test(
    "The direction of a text is that of most of its letters",
    arguments: [
      ("hello", WritingDirection.leftToRight), ("שלום hi", .rightToLeft),
      ("hello של", .leftToRight),
      ("אb", .rightToLeft), ("bא", .leftToRight), ("2024 – ٢٠٢٤ ۲۰۲۴", nil), ("", nil),
      ("2024 א", .rightToLeft), ("ᠮᠣᠩ", .topToBottom),
    ])
  func direction(text: String, expected: WritingDirection?) {
    #expect(WritingDirection(of: text) == expected)
  }
}

@Suite("Digits of three kinds")
struct DigitSystemTests {
  @Test("Each system has ten digits with the values 0 to 9", arguments: DigitSystem.allCases)
  func digits(system: DigitSystem) {
    for value in 0..<10 {
      guard let digit = Unicode.Scalar(system.zero.value + UInt32(value)) else { continue }
      #expect(digit.properties.numericValue == Double(value))
      #expect(DigitSystem.allCases.filter { $0.contains(digit) } == [system])
      #expect(DigitSystem.folded(digit) == Unicode.Scalar(UInt8(48 + value)))
    }
    #expect(!system.contains("a") && !system.contains(":"))
  }

  @Test(
    "Digits are folded, and nothing else",
    arguments: [
      ("2024", "2024"), ("٢٠٢٤", "2024"), ("۲۰۲۴", "2024"), ("१२", "12"), ("ב־٣", "ב־3"),
      ("½ ² 三 Ⅳ", "½ ² 三 Ⅳ"), ("é", "é"), ("", ""),
    ])
  func folded(text: String, expected: String) {
    #expect(DigitSystem.folded(text) == expected)
  }
}
