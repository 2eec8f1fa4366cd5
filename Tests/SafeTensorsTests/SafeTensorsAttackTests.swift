import Foundation
import InkCore
import SafeTensors
import Testing

/// Files that a reader must refuse, one test for each.
@Suite("SafeTensors attacks")
struct SafeTensorsAttackTests {
  private func expectRefusal(
    _ bytes: Data, _ reason: SafeTensorsError.Reason,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: SafeTensorsError(reason), sourceLocation: sourceLocation) {
      try SafeTensors(bytes: bytes)
    }
  }

  private func tensor(
    _ name: String = "a", type: String = "F32", shape: String = "[1]", offsets: String = "[0,4]"
  ) -> String {
    #""\#(name)":{"dtype":"\#(type)","shape":\#(shape),"data_offsets":\#(offsets)}"#
  }

  @Test("An empty file")
  func emptyFile() {
    expectRefusal(Data(), .tooShort(bytes: 0))
  }

  @Test("A file shorter than the length field")
  func shortFile() {
    expectRefusal(Data(count: 7), .tooShort(bytes: 7))
  }

  @Test("A header of no bytes")
  func noHeader() {
    expectRefusal(Data(count: 8), .malformedHeader(offset: 0, expected: "{"))
  }

  @Test("A header length with all bits set")
  func hugeHeader() {
    expectRefusal(
      Data(repeating: 0xFF, count: 8), .headerTooLong(declared: .max, maximum: 100_000_000))
  }

  @Test("A header length one above the limit")
  func headerAboveLimit() throws {
    expectRefusal(
      try Data(hexadecimal: "01e1f50500000000"),
      .headerTooLong(declared: 100_000_001, maximum: 100_000_000))
  }

  @Test("A header that reaches beyond the file")
  func headerBeyondEnd() throws {
    expectRefusal(
      try Data(hexadecimal: "03000000000000007b7d"),
      .headerBeyondEnd(declared: 3, available: 2))
  }

  @Test("A header that does not begin with a brace")
  func leadingSpace() {
    expectRefusal(file(" {}"), .malformedHeader(offset: 0, expected: "{"))
  }

  @Test("A header with bytes after the object")
  func trailingContent() {
    expectRefusal(file("{} {}"), .malformedHeader(offset: 3, expected: "the end of the header"))
  }

  @Test("A header padded with NUL")
  func nulPadding() {
    expectRefusal(file("{}\0\0"), .malformedHeader(offset: 2, expected: "the end of the header"))
  }

  @Test("A header cut short")
  func cutHeader() {
    expectRefusal(file(#"{"a":{"#), .malformedHeader(offset: 6, expected: "\""))
    expectRefusal(file("{"), .malformedHeader(offset: 1, expected: "\""))
  }

  @Test("A name whose closing quotation mark is missing")
  func openString() {
    expectRefusal(
      file(#"{"abc"#), .malformedHeader(offset: 5, expected: "a closing quotation mark"))
  }

  @Test("A trailing comma")
  func trailingComma() {
    expectRefusal(
      file("{\(tensor()),}", data: [0, 0, 0, 0]), .malformedHeader(offset: 54, expected: "\""))
  }

  @Test("A name that is not UTF-8")
  func invalidUTF8() {
    expectRefusal(
      file(Array("{\"".utf8) + [0xC3, 0x28] + Array("\":1}".utf8)),
      .malformedHeader(offset: 2, expected: "valid UTF-8"))
  }

  @Test("A bare control character in a name")
  func controlCharacter() {
    expectRefusal(
      file("{\"a\n\":1}"), .malformedHeader(offset: 3, expected: "no bare control character"))
  }

  @Test("Escapes that JSON does not have", arguments: [#"\x"#, #"\u12"#, #"\uZZZZ"#, #"\"#])
  func unknownEscape(escape: String) {
    #expect(throws: SafeTensorsError.self) {
      try SafeTensors(bytes: file(#"{"\#(escape)":1}"#))
    }
  }

  @Test(
    "Half a surrogate pair", arguments: [#"\ud83d"#, #"\ude00"#, #"\ud83dx"#, #"\ud83d\u0041"#])
  func loneSurrogate(escape: String) {
    expectRefusal(
      file(#"{"\#(escape)":1}"#), .malformedHeader(offset: 2, expected: "a pair of surrogates"))
  }

  @Test("A surrogate pair is one valid character")
  func surrogatePair() throws {
    let read = try SafeTensors(bytes: file(#"{"__metadata__":{"\ud83d\ude00":"\u00e9"}}"#))
    #expect(read.metadata == ["😀": "é"])
  }

  @Test("Two tensors of one name")
  func duplicateTensor() {
    expectRefusal(
      file("{\(tensor()),\(tensor())}", data: [0, 0, 0, 0]), .duplicateKey("a"))
  }

  @Test("Two tensors of one name, one of them escaped")
  func duplicateEscapedTensor() {
    expectRefusal(
      file("{\(tensor()),\(tensor(#"\u0061"#))}", data: [0, 0, 0, 0]), .duplicateKey("a"))
  }

  @Test("Two blocks of metadata")
  func duplicateMetadata() {
    expectRefusal(
      file(#"{"__metadata__":{},"__metadata__":{}}"#), .duplicateKey("__metadata__"))
  }

  @Test("A duplicate key of the metadata")
  func duplicateMetadataKey() {
    expectRefusal(file(#"{"__metadata__":{"k":"1","k":"2"}}"#), .duplicateKey("k"))
  }

  @Test("A duplicate field of a tensor")
  func duplicateField() {
    expectRefusal(
      file(#"{"a":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}}"#),
      .duplicateKey("dtype"))
  }

  @Test("Metadata that is not a string", arguments: ["1", "null", "{}", "[]", "true"])
  func metadataNotString(value: String) {
    expectRefusal(
      file(#"{"__metadata__":{"k":\#(value)}}"#), .malformedHeader(offset: 21, expected: "\""))
  }

  @Test("Metadata that is not an object")
  func metadataNotObject() {
    expectRefusal(file(#"{"__metadata__":"x"}"#), .malformedHeader(offset: 16, expected: "{"))
  }

  @Test("A tensor that is not an object")
  func tensorNotObject() {
    expectRefusal(file(#"{"a":[0]}"#), .malformedHeader(offset: 5, expected: "{"))
  }

  @Test("Nesting that would exhaust the stack of a recursive reader")
  func deepNesting() {
    let deep = String(repeating: "[", count: 1_000_000)
    expectRefusal(
      file(#"{"a":{"shape":\#(deep)}}"#),
      .malformedHeader(offset: 15, expected: "an integer of 0 or more"))
  }

  @Test("A tensor without a field", arguments: ["dtype", "shape", "data_offsets"])
  func missingField(field: String) {
    let fields = [
      "dtype": #""dtype":"F32""#, "shape": #""shape":[1]"#,
      "data_offsets": #""data_offsets":[0,4]"#,
    ]
    let rest = fields.filter { $0.key != field }.values.joined(separator: ",")
    expectRefusal(file("{\"a\":{\(rest)}}"), .missingField(tensor: "a", field: field))
  }

  @Test("A tensor with a field too many")
  func unknownField() {
    expectRefusal(file(#"{"a":{"x":1}}"#), .unknownField(tensor: "a", field: "x"))
  }

  @Test("A data type that is not supported", arguments: ["F64", "BF16", "I8", "f32", ""])
  func unsupportedDataType(type: String) {
    expectRefusal(
      file("{\(tensor(type: type))}", data: [0, 0, 0, 0]),
      .unsupportedDataType(tensor: "a", found: type))
  }

  @Test(
    "Dimensions that are not integers of 0 or more",
    arguments: ["-1", "1.0", "1e0", "01", "+1", "\"1\"", "null", "", "0x1"])
  func malformedInteger(text: String) {
    #expect(throws: SafeTensorsError.self) {
      try SafeTensors(bytes: file("{\(tensor(shape: "[\(text),1]"))}", data: [0, 0, 0, 0]))
    }
  }

  @Test("An integer that does not fit 63 bits")
  func integerOverflow() {
    expectRefusal(
      file(#"{"a":{"shape":[9223372036854775808]}}"#),
      .malformedHeader(offset: 15, expected: "an integer of at most 63 bits"))
  }

  @Test("One offset, or three", arguments: ["[]", "[0]", "[0,4,8]"])
  func offsetCount(offsets: String) {
    expectRefusal(
      file("{\(tensor(offsets: offsets))}", data: [0, 0, 0, 0]),
      .malformedHeader(offset: 47, expected: "two offsets"))
  }

  @Test("A tensor that begins after its end")
  func reversedOffsets() {
    expectRefusal(
      file("{\(tensor(offsets: "[4,0]"))}", data: [0, 0, 0, 0]),
      .reversedOffsets(tensor: "a", begin: 4, end: 0))
  }

  @Test("A hole before the first tensor")
  func leadingHole() {
    expectRefusal(
      file("{\(tensor(offsets: "[4,8]"))}", data: [UInt8](repeating: 0, count: 8)),
      .notContiguous(tensor: "a", expected: 0, found: 4))
  }

  @Test("A hole between tensors")
  func hole() {
    expectRefusal(
      file(
        "{\(tensor()),\(tensor("b", offsets: "[8,12]"))}", data: [UInt8](repeating: 0, count: 12)),
      .notContiguous(tensor: "b", expected: 4, found: 8))
  }

  @Test("Tensors that overlap")
  func overlap() {
    expectRefusal(
      file("{\(tensor()),\(tensor("b", offsets: "[2,6]"))}", data: [0, 0, 0, 0, 0, 0]),
      .notContiguous(tensor: "b", expected: 4, found: 2))
  }

  @Test("Two tensors of the same bytes")
  func sameBytes() {
    expectRefusal(
      file("{\(tensor()),\(tensor("b"))}", data: [0, 0, 0, 0]),
      .notContiguous(tensor: "b", expected: 4, found: 0))
  }

  @Test("A shape whose product does not fit 63 bits")
  func shapeOverflow() {
    expectRefusal(
      file("{\(tensor(shape: "[4294967296,4294967296]"))}", data: [0, 0, 0, 0]),
      .shapeOverflow(tensor: "a"))
    expectRefusal(
      file("{\(tensor(shape: "[4611686018427387904]", offsets: "[0,0]"))}"),
      .shapeOverflow(tensor: "a"))
  }

  @Test("A shape that takes more bytes than the offsets")
  func longShape() {
    expectRefusal(
      file("{\(tensor(shape: "[2]"))}", data: [0, 0, 0, 0]),
      .lengthMismatch(tensor: "a", expected: 8, found: 4))
  }

  @Test("A shape of the other data type's length")
  func wrongDataType() {
    expectRefusal(
      file("{\(tensor(type: "F16"))}", data: [0, 0, 0, 0]),
      .lengthMismatch(tensor: "a", expected: 2, found: 4))
  }

  @Test("Data that ends too early")
  func cutData() {
    expectRefusal(file("{\(tensor())}", data: [0, 0, 0]), .dataLength(expected: 4, found: 3))
  }

  @Test("Data after the last tensor")
  func trailingData() {
    expectRefusal(
      file("{\(tensor())}", data: [0, 0, 0, 0, 0]), .dataLength(expected: 4, found: 5))
    expectRefusal(file("{}", data: [0]), .dataLength(expected: 0, found: 1))
  }

  @Test("An offset near the largest integer")
  func hugeOffset() {
    expectRefusal(
      file("{\(tensor(shape: "[0]", offsets: "[0,9223372036854775807]"))}"),
      .lengthMismatch(tensor: "a", expected: 0, found: .max))
  }

  @Test(
    "Values that are NaN or infinite, of either type and sign",
    arguments: [
      ("F32", [0, 0, 0xC0, 0x7F]), ("F32", [0, 0, 0x80, 0x7F]), ("F32", [0, 0, 0x80, 0xFF]),
      ("F32", [1, 0, 0x80, 0xFF]), ("F16", [0x00, 0x7C]), ("F16", [0x00, 0xFC]),
      ("F16", [0x01, 0x7E]), ("F16", [0xFF, 0xFF]),
    ] as [(String, [UInt8])])
  func nonFinite(type: String, value: [UInt8]) {
    let zeros = [UInt8](repeating: 0, count: value.count * 20)
    let count = zeros.count * 2 + value.count
    expectRefusal(
      file(
        "{\(tensor(type: type, shape: "[41]", offsets: "[0,\(count)]"))}",
        data: zeros + value + zeros),
      .nonFinite(tensor: "a", index: 20))
  }

  @Test("Damage never crashes, and is always detected in the header's structure")
  func damagedBytes() throws {
    let golden = [UInt8](try Data(hexadecimal: SafeTensorsTests.golden))
    let seed: UInt64 = 11
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      var bytes = golden
      for _ in 0...generator.index(below: 3) {
        bytes[generator.index(below: bytes.count)] = UInt8(generator.index(below: 256))
      }
      if generator.index(below: 4) == 0 { bytes.removeLast(generator.index(below: bytes.count)) }
      guard let read = try? SafeTensors(bytes: Data(bytes)) else { continue }
      #expect(try SafeTensors(bytes: read.serialized()) == read, "seed \(seed)")
    }
  }

  @Test("Every cut of a file is refused")
  func everyCut() throws {
    let golden = try Data(hexadecimal: SafeTensorsTests.golden)
    for length in 0..<golden.count {
      #expect(throws: SafeTensorsError.self, "length \(length)") {
        try SafeTensors(bytes: golden.prefix(length))
      }
    }
  }

  @Test("Every reason has its own message")
  func descriptions() {
    let reasons: [SafeTensorsError.Reason] = [
      .tooShort(bytes: 1), .headerTooLong(declared: 1, maximum: 1),
      .headerBeyondEnd(declared: 1, available: 1), .malformedHeader(offset: 1, expected: "{"),
      .duplicateKey("k"), .missingField(tensor: "t", field: "f"),
      .unknownField(tensor: "t", field: "f"), .unsupportedDataType(tensor: "t", found: "F64"),
      .reversedOffsets(tensor: "t", begin: 1, end: 0),
      .notContiguous(tensor: "t", expected: 0, found: 1), .shapeOverflow(tensor: "t"),
      .lengthMismatch(tensor: "t", expected: 0, found: 1), .dataLength(expected: 0, found: 1),
      .nonFinite(tensor: "t", index: 1), .float16Overflow(tensor: "t", index: 1),
      .reservedName("t"), .shapeMismatch(tensor: "t", shape: [], values: 0),
      .system(operation: "reading", code: ENOENT),
    ]
    let texts = reasons.map { SafeTensorsError($0, file: "/m/n.safetensors").description }
    #expect(Set(texts).count == reasons.count)
    for text in texts {
      #expect(text.hasPrefix("/m/n.safetensors: "))
      #expect(text.count > 30)
    }
  }
}
