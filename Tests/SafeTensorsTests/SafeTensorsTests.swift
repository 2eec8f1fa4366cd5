import Foundation
import SafeTensors
import Testing

/// A folder of one test's own, removed with it.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-networks-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

@Suite("SafeTensors")
struct SafeTensorsTests {
  // Printed by scripts/golden/safetensors_golden.py with safetensors 0.8.0:
  //
  //   save({"a": numpy.array([[1, -2.5], [0.1, subnormal]], numpy.float32),
  //         "é\n": numpy.array([], numpy.float32),
  //         "h": numpy.array([0.1, -65504, 6e-8, 1.0009765625, -0.0], numpy.float16)},
  //        metadata={"made by": "a \"test\""})
  static let golden =
    "d8000000000000007b225f5f6d657461646174615f5f223a7b226d616465206279223a2261205c22746573745c22"
    + "227d2c2261223a7b226474797065223a22463332222c227368617065223a5b322c325d2c22646174615f6f6666"
    + "73657473223a5b302c31365d7d2c22c3a95c6e223a7b226474797065223a22463332222c227368617065223a5b"
    + "305d2c22646174615f6f666673657473223a5b31362c31365d7d2c2268223a7b226474797065223a2246313622"
    + "2c227368617065223a5b355d2c22646174615f6f666673657473223a5b31362c32365d7d7d2020202020200000"
    + "803f000020c0cdcccc3dc8aa2000662efffb0100013c0080"

  /// The Float nearest to 3e-39.
  static let subnormal = Float(bitPattern: 0x0020_AAC8)

  static func sample() throws -> SafeTensors {
    try SafeTensors(
      tensors: [
        .init(name: "a", shape: [2, 2], values: [1, -2.5, 0.1, Self.subnormal]),
        .init(name: "é\n", shape: [0], values: []),
        .init(
          name: "h", dataType: .float16, shape: [5],
          values: [0.1, -65504, 6e-8, 1.0009765625, -0.0]),
      ],
      metadata: ["made by": "a \"test\""])
  }

  @Test("Writes the bytes that the reference implementation writes")
  func writesGoldenBytes() throws {
    let bytes = try Self.sample().serialized()
    #expect(bytes.map { hexadecimal($0) }.joined() == Self.golden)
  }

  @Test("Reads the bytes that the reference implementation writes")
  func readsGoldenBytes() throws {
    let read = try SafeTensors(bytes: Data(hexadecimal: Self.golden))
    #expect(read.metadata == ["made by": "a \"test\""])
    #expect(read.tensors.map(\.name) == ["a", "é\n", "h"])
    #expect(read["a"]?.values == [1, -2.5, 0.1, Self.subnormal])
    #expect(read["a"]?.shape == [2, 2])
    #expect(read["é\n"]?.values == [])
    #expect(read["h"]?.dataType == .float16)
    // 0x2E66, 0xFBFF, 0x0001, 0x3C01, 0x8000
    #expect(read["h"]?.values == [0x1.998p-4, -65504, 0x1p-24, 1.0009765625, 0])
    #expect(read["h"]?.values.last?.sign == .minus)
    #expect(read["b"] == nil)
  }

  @Test("A file read and written again is the same, byte for byte")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("x.safetensors")
    let bytes = try Data(hexadecimal: Self.golden)
    let read = try SafeTensors(bytes: bytes)
    try read.write(to: url)
    try read.write(to: url)
    #expect(try Data(contentsOf: url) == bytes)
    #expect(try SafeTensors(contentsOf: url) == read)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
  }

  @Test("A slice of data with indices not starting at 0 is read")
  func slice() throws {
    let bytes = try Data(hexadecimal: "ffff" + Self.golden)
    #expect(try SafeTensors(bytes: bytes.dropFirst(2))["a"]?.values.count == 4)
  }

  @Test("No tensors and no metadata is a file, too")
  func empty() throws {
    let bytes = try SafeTensors(tensors: []).serialized()
    #expect(try SafeTensors(bytes: bytes).tensors.isEmpty)
  }

  @Test("A scalar has an empty shape and one value")
  func scalar() throws {
    let scalar = try SafeTensors(tensors: [.init(name: "s", shape: [], values: [7])])
    #expect(try SafeTensors(bytes: scalar.serialized()) == scalar)
  }

  @Test("Names and metadata of any characters survive")
  func anyCharacters() throws {
    let text = "\u{0}\u{1F}\"\\/\n\r\t\u{8}\u{C}\u{7F}é😀\u{FEFF}\u{FFFD}"
    let tensors = try SafeTensors(
      tensors: [.init(name: text, shape: [1], values: [1])], metadata: [text: text])
    #expect(try SafeTensors(bytes: tensors.serialized()) == tensors)
  }

  @Test("Tensors are returned in the order of their values, for any order in the header")
  func offsetOrder() throws {
    let read = try SafeTensors(
      bytes: file(
        #"{"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"#
          + #""a":{"shape":[1],"data_offsets":[0,4],"dtype":"F32"}}"#,
        data: [0, 0, 0, 64, 0, 0, 128, 63]))
    #expect(read.tensors.map(\.name) == ["a", "b"])
    #expect(read.tensors.map(\.values) == [[2], [1]])
  }

  @Test("Another data type may be chosen for each tensor")
  func chosenDataType() throws {
    let bytes = try Self.sample().serialized { $0.name == "a" ? .float16 : .float32 }
    let read = try SafeTensors(bytes: bytes)
    #expect(read["a"]?.values == [1, -2.5, 0x1.998p-4, 0])
    #expect(read["h"]?.values == [0.1, -65504, 6e-8, 1.0009765625, -0.0])
  }

  @Test("A duplicate name is refused")
  func duplicateName() {
    let tensor = SafeTensors.Tensor(name: "a", shape: [1], values: [1])
    #expect(throws: SafeTensorsError(.duplicateKey("a"))) {
      try SafeTensors(tensors: [tensor, tensor])
    }
  }

  @Test("The reserved name is refused")
  func reservedName() {
    #expect(throws: SafeTensorsError(.reservedName("__metadata__"))) {
      try SafeTensors(tensors: [.init(name: "__metadata__", shape: [1], values: [1])])
    }
  }

  @Test(
    "A shape that does not hold the values is refused",
    arguments: [([2, 2], 3), ([-1, -3], 3), ([0], 3), ([], 3)])
  func shapeMismatch(shape: [Int], count: Int) {
    #expect(
      throws: SafeTensorsError(.shapeMismatch(tensor: "a", shape: shape, values: count))
    ) {
      try SafeTensors(tensors: [
        .init(name: "a", shape: shape, values: [Float](repeating: 1, count: count))
      ])
    }
  }

  @Test("Writing NaN names the tensor and the value")
  func writesNoNaN() throws {
    for type in SafeTensors.DataType.allCases {
      let tensors = try SafeTensors(
        tensors: [.init(name: "a", dataType: type, shape: [3], values: [1, 2, .nan])])
      #expect(throws: SafeTensorsError(.nonFinite(tensor: "a", index: 2))) {
        try tensors.serialized()
      }
    }
  }

  @Test("Writing F16 beyond its range names the tensor and the value")
  func writesNoOverflow() throws {
    let tensors = try SafeTensors(
      tensors: [.init(name: "a", dataType: .float16, shape: [3], values: [65519.996, 1, -65520])])
    #expect(throws: SafeTensorsError(.float16Overflow(tensor: "a", index: 2))) {
      try tensors.serialized()
    }
  }

  @Test("A failed write leaves the old file and nothing else")
  func failedWrite() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("x.safetensors")
    try Self.sample().write(to: url)
    let before = try SafeTensors(contentsOf: url)
    let bad = try SafeTensors(tensors: [.init(name: "a", shape: [1], values: [.infinity])])
    #expect(throws: SafeTensorsError(.nonFinite(tensor: "a", index: 0), file: url.path)) {
      try bad.write(to: url)
    }
    #expect(try SafeTensors(contentsOf: url) == before)
    let lost = folder.url.appendingPathComponent("no/such/folder/x.safetensors")
    #expect(
      throws: SafeTensorsError(
        .system(operation: "creating a temporary file", code: ENOENT), file: lost.path)
    ) {
      try Self.sample().write(to: lost)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
  }

  @Test("The error for a missing file names the file")
  func missingFile() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("none.safetensors")
    let error = #expect(throws: SafeTensorsError.self) { try SafeTensors(contentsOf: url) }
    #expect(error?.file == url.path)
    #expect(error?.reason == .system(operation: "opening", code: ENOENT))
  }
}

func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}

/// A file of a header, its length and data.
func file(_ header: String, data: [UInt8] = []) -> Data {
  file(Array(header.utf8), data: data)
}

func file(_ header: [UInt8], data: [UInt8] = []) -> Data {
  var bytes = Data()
  withUnsafeBytes(of: UInt64(header.count).littleEndian) { bytes.append(contentsOf: $0) }
  return bytes + header + data
}

extension Data {
  struct NotHexadecimal: Error {}

  init(hexadecimal text: String) throws {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count % 2 == 0 else { throw NotHexadecimal() }
    self.init(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}
