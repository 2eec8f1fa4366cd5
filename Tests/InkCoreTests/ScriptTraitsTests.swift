import InkCore
import Testing

@Suite("Traits of scripts")
struct ScriptTraitsTests {
  @Test(
    "Direction and case come from the script of a text",
    arguments: [
      ("Hello, world 12", "Latn", WritingDirection.leftToRight, true),
      ("Привет", "Cyrl", .leftToRight, true), ("سلام ۱۲۳", "Arab", .rightToLeft, false),
      ("می\u{200C}شود.", "Arab", .rightToLeft, false), ("שלום", "Hebr", .rightToLeft, false),
      ("नमस्ते", "Deva", .leftToRight, false), ("ᠮᠣᠩᠭᠣᠯ", "Mong", .topToBottom, false),
      ("𞤀𞤣𞤤𞤢𞤥", "Adlm", .rightToLeft, true), ("漢字", "Hani", .leftToRight, false),
      ("12 + 3", "Zyyy", .leftToRight, false), ("", "Zyyy", .leftToRight, false),
    ])
  func traits(text: String, script: String, direction: WritingDirection, hasCase: Bool) {
    let traits = ScriptTraits(of: text)
    #expect(traits.script == script)
    #expect(traits.direction == direction)
    #expect(traits.hasCase == hasCase)
    #expect(traits.hasXHeight == hasCase)
  }

  @Test("The script of most symbols counts")
  func symbols() {
    #expect(ScriptTraits(of: ["ا", "ب", "پ", "a", "b", "1", " "]).direction == .rightToLeft)
    #expect(ScriptTraits(of: ["ا", "a", "b"]).direction == .leftToRight)
  }

  @Test("Signs that scripts share have no script")
  func shared() {
    for sign in [" ", ".", "1", "\u{200C}", "\u{301}"] as [Unicode.Scalar] {
      #expect(ScriptTraits(of: sign) == nil, "U+\(String(sign.value, radix: 16))")
    }
    #expect(ScriptTraits(of: Unicode.Scalar("ژ"))?.script == "Arab")
  }

  @Test("Numbers run from left to right, except those of scripts with digits from right to left")
  func numbers() {
    #expect(ScriptTraits.direction(ofNumber: "۱۲۳", in: .rightToLeft) == .leftToRight)
    #expect(ScriptTraits.direction(ofNumber: "123", in: .rightToLeft) == .leftToRight)
    #expect(ScriptTraits.direction(ofNumber: "߁߂", in: .rightToLeft) == .rightToLeft)
    #expect(ScriptTraits.direction(ofNumber: "123", in: .leftToRight) == .leftToRight)
    #expect(ScriptTraits.direction(ofNumber: "123", in: .topToBottom) == .topToBottom)
  }
}
