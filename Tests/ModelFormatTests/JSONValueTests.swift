import Foundation
import ModelFormat
import Testing

@Suite("JSONValue")
struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Data(text.utf8))
  }

  @Test("Values of every kind are parsed")
  func values() throws {
    let text =
      #" {"a": [1, -2, 0.5, -0, 1e3, 9223372036854775807], "b": {"": null},"#
      + #" "c": [true, false], "d": "x\n\u00e9\ud83d\ude00\/"} "#
    #expect(
      try parse(text)
        == .object([
          "a": .array([
            .integer(1), .integer(-2), .number(0.5), .number(-0.0), .number(1000), .integer(.max),
          ]),
          "b": .object(["": .null]), "c": .array([.bool(true), .bool(false)]),
          "d": .string("x\né😀/"),
        ]))
  }

  @Test(
    "Text that is not JSON is refused",
    arguments: [
      "", " ", "{", "[", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "[1 2]", "nul", "True", "01",
      "-", "1.", ".5", "1e", "+1", "0x1", "NaN", "Infinity", "1e999", "\"", "\"\\x\"",
      "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"a\nb\"", "1 1", "{} x",
      "'a'", "[1]//", "\u{FEFF}1",
    ])
  func refused(text: String) {
    #expect(throws: ModelFormatError.Reason.self) { try parse(text) }
  }

  @Test("Bytes that are not UTF-8 are refused")
  func invalidUTF8() {
    #expect(
      throws: ModelFormatError.Reason.malformedJSON(offset: 1, expected: "valid UTF-8")
    ) { try JSONValue(parsing: Data([0x22, 0xC0, 0x80, 0x22])) }
  }

  @Test("Keys that are equal when escapes are resolved are refused")
  func escapedDuplicate() {
    #expect(throws: ModelFormatError.Reason.duplicateKey("a")) {
      try parse(#"{"a":1,"\u0061":2}"#)
    }
  }

  @Test("64 levels are read, and a million do not exhaust the stack")
  func depth() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    _ = try parse(nested(64))
    for levels in [65, 1_000_000] {
      #expect(
        throws: ModelFormatError.Reason.malformedJSON(offset: 64, expected: "at most 64 levels")
      ) { try parse(nested(levels)) }
    }
  }

  @Test("Encoded values are decoded unchanged")
  func codable() throws {
    struct Layer: Codable, Equatable {
      var width: Int
      var rate: Float
      var scale: Double
      var name: String?
    }
    let layers = [
      Layer(width: 48, rate: 0.1, scale: 1, name: nil),
      Layer(width: .max, rate: 1e-30, scale: .pi, name: "é"),
    ]
    let value = try JSONValue(encoding: layers)
    #expect(try value.decoded(as: [Layer].self) == layers)
    let bytes = try JSONEncoder().encode(value)
    #expect(try JSONValue(parsing: bytes) == value)
  }

  @Test("1 and 1.0 are equal and hash alike, and large neighbours are not")
  func numbers() {
    #expect(JSONValue.integer(1) == .number(1))
    #expect(JSONValue.integer(1).hashValue == JSONValue.number(1).hashValue)
    #expect(JSONValue.integer(.max) != .integer(.max - 1))
    #expect(JSONValue.integer(.max) != .number(Double(Int.max)))
  }
}
