import Files
import Foundation
import ModelFormat
import Testing

/// Decoding from JSON in memory gives what Foundation's decoder gives.
@Suite("Decoding JSON values")
struct JSONValueDecoderTests {
  private struct Inner: Codable, Hashable {
    var name: String
    var count: Int?
    var isOn: Bool
  }

  private struct Outer: Codable, Hashable {
    var numbers: [Double]
    var small: [Float]
    var bytes: [UInt8]
    var inner: [Inner]
    var byName: [String: Inner]
    var any: JSONValue
    var seed: UInt64
    var missing: Int?
  }

  private let text = """
    {"numbers": [1, 2.5, -1e-3], "small": [0.1, 1.6449133, 3], "bytes": [0, 255],
     "inner": [{"name": "a", "count": 3, "isOn": true}, {"name": "é", "count": null, "isOn": false}],
     "byName": {"x": {"name": "b", "isOn": true}}, "any": {"k": [1, null, "s", {"d": 2.5}]},
     "seed": 7}
    """

  @Test("The value is that of Foundation's decoder")
  func same() throws {
    let json = try JSONValue(parsing: Data(text.utf8))
    let expected = try JSONDecoder().decode(Outer.self, from: Data(text.utf8))
    let decoder = JSONValueDecoder(json)
    #expect(try Outer(from: decoder) == expected)
    #expect(try json.decoded(as: Outer.self) == expected)
    #expect(!decoder.notes.isInexact)
    #expect(decoder.notes.unknownKey == nil)
    #expect(expected.small == [0.1, 1.6449133, 3])
  }

  @Test("Integers above the range of Int are noted, so that the bytes are decoded instead")
  func large() throws {
    let large = text.replacingOccurrences(of: "\"seed\": 7", with: "\"seed\": \(UInt64.max)")
    let decoder = JSONValueDecoder(try JSONValue(parsing: Data(large.utf8)))
    _ = try Outer(from: decoder)
    #expect(decoder.notes.isInexact)
    #expect(try JSONDecoder().decode(Outer.self, from: Data(large.utf8)).seed == .max)
  }

  @Test("The first key that no type asks for is named, with its place")
  func unknown() throws {
    let strange = text.replacingOccurrences(of: "\"count\": 3", with: "\"zeal\": 3")
    let decoder = JSONValueDecoder(try JSONValue(parsing: Data(strange.utf8)))
    _ = try Outer(from: decoder)
    #expect(decoder.notes.unknownKey == "inner[0].zeal")
  }

  @Test(
    "Wrong values are refused with their place",
    arguments: [
      ("\"isOn\": true", "\"isOn\": 1", "inner[0].isOn"),
      ("[0, 255]", "[0, 256]", "bytes[1]"), ("[0, 255]", "[0, 0.5]", "bytes[1]"),
      ("[0, 255]", "null", "bytes"), ("\"name\": \"a\", ", "", "inner[0].name"),
      ("{\"x\":", "[\"x\",", "byName"),
    ])
  func wrong(from: String, to: String, path: String) throws {
    var changed = text.replacingOccurrences(of: from, with: to)
    if path == "byName" {
      changed = changed.replacingOccurrences(
        of: "\"isOn\": true}}, \"any\"", with: "\"isOn\": true}], \"any\"")
    }
    let json = try JSONValue(parsing: Data(changed.utf8))
    let error = #expect(throws: DecodingError.self) { try Outer(from: JSONValueDecoder(json)) }
    let found: [any CodingKey] =
      switch error {
      case .keyNotFound(let key, let context): context.codingPath + [key]
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      default: []
      }
    #expect(JSONValueDecoder.text(of: found) == path)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Outer.self, from: Data(changed.utf8))
    }
  }
}
