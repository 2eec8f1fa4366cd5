import Files
import Testing

@Suite("The strict JSON reader")
struct JSONReaderTests {
  private func read<Value>(
    _ text: String, deepest: Int = 64, refusesDuplicateKeys: Bool = false,
    _ body: (inout JSONReader) throws(JSONProblem) -> Value
  ) throws(JSONProblem) -> Value {
    try Array(text.utf8).withUnsafeBufferPointer { buffer throws(JSONProblem) -> Value in
      var reader = JSONReader(
        buffer, deepest: deepest, refusesDuplicateKeys: refusesDuplicateKeys)
      let value = try body(&reader)
      try reader.end(of: "text")
      return value
    }
  }

  private func skip(
    _ text: String, deepest: Int = 64, refusesDuplicateKeys: Bool = false
  ) throws(JSONProblem) {
    try read(text, deepest: deepest, refusesDuplicateKeys: refusesDuplicateKeys) {
      reader throws(JSONProblem) in try reader.skipValue()
    }
  }

  @Test("Members and elements come in the order of the text")
  func order() throws {
    var found: [String] = []
    let text = #" { "b" : [ 1 , 2.5e1 ] , "a" : null , "c" : true } "#
    try read(text) { reader throws(JSONProblem) in
      try reader.object("an object") { (reader, key) throws(JSONProblem) in
        switch key {
        case "b":
          try reader.array("an array") { reader throws(JSONProblem) in
            found.append("\(try reader.number("a number"))")
          }
        case "a": found.append("null \(try reader.null())")
        default: found.append("\(key) \(try reader.boolean("a truth value"))")
        }
      }
    }
    #expect(found == ["1.0", "25.0", "null true", "c true"])
  }

  @Test(
    "Numbers are rounded as Double rounds them",
    arguments: [
      "0", "-0", "-0.0", "1", "123456789", "0.1", "1.10", "9007199254740993", "1e-400", "1E22",
      "0.30000000000000004", "123456789012345678901234567890", "1.7976931348623157e308",
      "2.2250738585072011e-308", "576460752303423488.5", "0.00000000000000000000001",
    ])
  func numbers(_ text: String) throws {
    let number = try read(text) { reader throws(JSONProblem) in try reader.number("a number") }
    #expect(number.bitPattern == Double(text)?.bitPattern)
    #expect(
      try read(text) { reader throws(JSONProblem) in try reader.numberText("a number").text }
        == text)
  }

  @Test("A number without fraction and exponent is an integer")
  func integers() throws {
    for (text, isInteger) in [("12", true), ("-3", true), ("1.0", false), ("1e2", false)] {
      #expect(
        try read(text) { reader throws(JSONProblem) in try reader.numberText("a number").isInteger }
          == isInteger)
    }
  }

  @Test(
    "Escapes and UTF-8 become text",
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\uD83D\uDE00é""#, "A😀é"),
      (#""""#, ""), ("\"日本\"", "日本"),
    ])
  func strings(_ text: String, _ expected: String) throws {
    #expect(
      try read(text) { reader throws(JSONProblem) in try reader.string("a string") } == expected)
  }

  @Test(
    "A text that breaks the grammar is refused with the byte and what belongs there",
    arguments: [
      ("", 0, "a number"), ("[1,]", 3, "a number"), ("[1 2]", 3, "]"), ("{\"a\" 1}", 5, ":"),
      ("{\"a\":1,}", 7, "\""), ("{", 1, "\""), ("01", 0, "a number"), ("-", 0, "a number"),
      ("1.", 2, "a digit"), ("1e+", 3, "a digit"), ("1 2", 2, "the end of the text"),
      ("tru", 0, "a value"), ("nulL", 0, "a value"), ("NaN", 0, "a number"),
      ("\"abc", 4, "a closing quotation mark"), ("\"a\nb\"", 2, "no bare control character"),
      (#""a\x""#, 2, "an escape sequence"), (#""\u12g4""#, 1, "four hexadecimal digits"),
      (#""\uD800""#, 1, "a pair of surrogates"), (#""\uD800\u0041""#, 1, "a pair of surrogates"),
      (#""\uDC00""#, 1, "a pair of surrogates"), ("1e999", 0, "a number in the range of Double"),
    ])
  func refusals(_ text: String, _ offset: Int, _ grammar: String) {
    let problem = #expect(throws: JSONProblem.self) { try skip(text) }
    #expect(problem?.offset == offset)
    #expect(problem?.grammar == grammar)
  }

  @Test("Bytes that are not UTF-8 are refused, escaped or not")
  func encoding() {
    for rest in [[], Array(#"\n"#.utf8)] as [[UInt8]] {
      let bytes: [UInt8] = [0x22, 0xC3, 0x28] + rest + [0x22]
      let problem = #expect(throws: JSONProblem.self) {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONProblem) in
          var reader = JSONReader(buffer)
          _ = try reader.string("a string")
        }
      }
      #expect(problem?.code == .invalidEncoding)
    }
  }

  @Test("Numbers of any length are rounded as the standard library does")
  func numbers() throws {
    for whole in ["0", "9", "123456789", "9007199254740993", "18446744073709551615"] {
      for digits in 0...30 {
        for exponent in ["", "e5", "E-7"] {
          let fraction = digits == 0 ? "" : "." + String(repeating: "0198", count: 8).prefix(digits)
          let text = "-" + whole + fraction + exponent
          let number = try read(text) { reader throws(JSONProblem) in try reader.number("a number")
          }
          #expect(number == Double(text), "\(text)")
        }
      }
    }
    let long = String(repeating: "0", count: 3) + "1"
    #expect(throws: JSONProblem.self) {
      try read(long) { reader throws(JSONProblem) in try reader.number("a number") }
    }
  }

  @Test("A few numbers are counted beyond those that are kept")
  func fewNumbers() throws {
    for (text, count) in [("[]", 0), ("[1]", 1), ("[1, 2]", 2), ("[1,2,3]", 3), ("[1,2,3,4,5]", 5)]
    {
      let numbers = try read(text) { reader throws(JSONProblem) in
        try reader.fewNumbers("a point")
      }
      #expect(numbers.count == count)
      #expect(numbers.first == (count > 0 ? 1 : 0) && numbers.third == (count > 2 ? 3 : 0))
    }
  }

  @Test("Nesting is bounded by the caller")
  func nesting() throws {
    try skip("[[{\"a\":1}]]", deepest: 3)
    let problem = #expect(throws: JSONProblem.self) { try skip("[[[[]]]]", deepest: 3) }
    #expect(problem?.code == .nestingTooDeep)
    #expect(problem?.offset == 3)
  }

  @Test("A key that stands twice is refused where the caller says so")
  func duplicateKeys() throws {
    let text = #"{"a":1,"b":{"a":2},"\u0061":3}"#
    try skip(text)
    let problem = #expect(throws: JSONProblem.self) { try skip(text, refusesDuplicateKeys: true) }
    #expect(problem?.code == .duplicateKey("a"))
  }

  @Test("The words of the caller name what was asked for and what stands there")
  func words() {
    let problem = #expect(throws: JSONProblem.self) {
      try read("\"secret\"") { reader throws(JSONProblem) in try reader.number("the width") }
    }
    #expect(problem?.value == "the width")
    #expect(problem?.found == "a string")
    #expect(problem?.code == .wrongType)
  }
}
