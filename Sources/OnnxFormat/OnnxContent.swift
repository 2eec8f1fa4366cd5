/// The tensors and the metadata of an ONNX file; its nodes are not read.
package struct OnnxContent {
  /// The fault of a file.
  package struct Fault: Error {
    /// The unexpected thing.
    package var found: String
  }

  /// A tensor of floats.
  package struct Tensor: Hashable {
    /// The name.
    package var name: String
    /// The sizes, outermost first.
    package var shape: [Int]
    /// The values, row by row.
    package var values: [Float]
  }

  /// The tensors without the constants of nodes.
  package private(set) var tensors: [Tensor] = []
  /// The metadata of the file.
  package private(set) var metadata: [String: String] = [:]

  /// Reads a file. O(bytes).
  ///
  /// - Throws: ``Fault``.
  package init(_ bytes: [UInt8]) throws(Fault) {
    var fields = OnnxFields(bytes[...])
    var hasGraph = false
    while let field = try fields.next() {
      switch (field.number, field.content) {
      case (7, .bytes(let graph)):
        hasGraph = true
        try read(graph: graph)
      case (14, .bytes(let entry)):
        let texts = try Self.texts(of: entry)
        metadata[texts[1] ?? ""] = texts[2] ?? ""
      default: break
      }
    }
    guard hasGraph else { throw Fault(found: "no graph") }
  }

  private mutating func read(graph: ArraySlice<UInt8>) throws(Fault) {
    var fields = OnnxFields(graph)
    while let field = try fields.next() {
      guard field.number == 5, case .bytes(let bytes) = field.content else { continue }
      if let tensor = try Self.tensor(bytes) { tensors.append(tensor) }
    }
  }

  /// A tensor of floats; nil for the constants of nodes.
  private static func tensor(_ bytes: ArraySlice<UInt8>) throws(Fault) -> Tensor? {
    var tensor = Tensor(name: "", shape: [], values: [])
    var type = 0
    var raw: ArraySlice<UInt8> = []
    var fields = OnnxFields(bytes)
    while let field = try fields.next() {
      switch (field.number, field.content) {
      case (1, .number(let size)):
        guard size <= UInt64(Int32.max) else { throw Fault(found: "a tensor of \(size) elements") }
        tensor.shape.append(Int(size))
      case (2, .number(let number)): type = Int(clamping: number)
      case (8, .bytes(let name)): tensor.name = String(decoding: name, as: UTF8.self)
      case (9, .bytes(let values)): raw = values
      default: break
      }
    }
    guard !tensor.name.hasPrefix(OnnxGraph.constantPrefix) else { return nil }
    var count = 1
    for size in tensor.shape {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: size)
      guard !isTooLarge else { throw Fault(found: "a tensor that is too large") }
      count = product
    }
    guard type == OnnxGraph.floatType, raw.count.isMultiple(of: 4), raw.count / 4 == count else {
      throw Fault(found: "a tensor whose values do not match its shape")
    }
    tensor.values = raw.withUnsafeBytes { bytes in
      (0..<count).map { index in
        Float(
          bitPattern: UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
      }
    }
    return tensor
  }

  /// The texts of a message, by the numbers of their fields.
  private static func texts(of message: ArraySlice<UInt8>) throws(Fault) -> [Int: String] {
    var texts: [Int: String] = [:]
    var fields = OnnxFields(message)
    while let field = try fields.next() {
      if case .bytes(let bytes) = field.content {
        texts[field.number] = String(decoding: bytes, as: UTF8.self)
      }
    }
    return texts
  }
}

/// The fields of a message of Protocol Buffers in their order.
struct OnnxFields {
  /// The content of a field, by its form.
  enum Content {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
    /// Four or eight bytes, which nothing here uses.
    case fixed
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next field; nil at the end.
  mutating func next() throws(OnnxContent.Fault) -> (number: Int, content: Content)? {
    guard !rest.isEmpty else { return nil }
    let key = try varint()
    let number = Int(clamping: key >> 3)
    switch key & 7 {
    case 0: return (number, .number(try varint()))
    case 1:
      _ = try take(8)
      return (number, .fixed)
    case 2: return (number, .bytes(try take(try varint())))
    case 5:
      _ = try take(4)
      return (number, .fixed)
    default: throw .init(found: "another format")
    }
  }

  private mutating func varint() throws(OnnxContent.Fault) -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while let byte = rest.popFirst(), shift < 64 {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .init(found: "a number that is cut off")
  }

  private mutating func take(_ count: UInt64) throws(OnnxContent.Fault) -> ArraySlice<UInt8> {
    guard count <= UInt64(rest.count) else { throw .init(found: "a part that is cut off") }
    let part = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    return part
  }
}
