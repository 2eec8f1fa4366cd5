import StrictJSON

/// The JSON header of a safetensors file.
struct SafeTensorsHeader {
  /// The header's entry for one tensor; offsets count from the end of the header.
  struct Entry {
    var name: String
    var dataType: String
    var shape: [Int]
    var begin: Int
    var end: Int
  }

  /// The tensors, in the header's order.
  private(set) var entries: [Entry] = []
  /// The strings of `__metadata__`.
  private(set) var metadata: [String: String] = [:]

  /// Parses a header: one object, then white space only. O(bytes).
  init(parsing bytes: [UInt8]) throws(SafeTensorsError.Reason) {
    guard bytes.first == UInt8(ascii: "{") else {
      throw .malformedHeader(offset: 0, expected: "{")
    }
    var scanner = StrictJSONScanner<SafeTensorsError.Reason>(bytes: bytes)
    var entries: [Entry] = []
    var metadata: [String: String] = [:]
    try scanner.object { (scanner, key) throws(SafeTensorsError.Reason) in
      if key == SafeTensors.metadataKey {
        try scanner.object { (scanner, key) throws(SafeTensorsError.Reason) in
          metadata[key] = try scanner.string()
        }
      } else {
        entries.append(try Self.entry(named: key, &scanner))
      }
    }
    try scanner.end(of: "header")
    self.entries = entries
    self.metadata = metadata
  }

  private static func entry(
    named name: String, _ scanner: inout StrictJSONScanner<SafeTensorsError.Reason>
  ) throws(SafeTensorsError.Reason) -> Entry {
    var dataType: String?
    var shape: [Int]?
    var offsets: [Int]?
    try scanner.object { (scanner, key) throws(SafeTensorsError.Reason) in
      switch key {
      case "dtype": dataType = try scanner.string()
      case "shape": shape = try scanner.integers()
      case "data_offsets":
        let start = scanner.position
        let pair = try scanner.integers()
        guard pair.count == 2 else {
          throw .malformedHeader(offset: start, expected: "two offsets")
        }
        offsets = pair
      default: throw .unknownField(tensor: name, field: key)
      }
    }
    guard let dataType else { throw .missingField(tensor: name, field: "dtype") }
    guard let shape else { throw .missingField(tensor: name, field: "shape") }
    guard let offsets else { throw .missingField(tensor: name, field: "data_offsets") }
    return Entry(
      name: name, dataType: dataType, shape: shape, begin: offsets[0], end: offsets[1])
  }
}

extension SafeTensorsError.Reason: JSONFault {
  package static func malformedJSON(offset: Int, expected: String) -> Self {
    .malformedHeader(offset: offset, expected: expected)
  }
}

extension StrictJSONScanner<SafeTensorsError.Reason> {
  /// Reads an array of integers in 0 ... Int.max.
  fileprivate mutating func integers() throws(Fault) -> [Int] {
    var values: [Int] = []
    try array { (scanner) throws(Fault) in
      let isDigit = scanner.next().map { 0x30...0x39 ~= $0 } ?? false
      let start = scanner.position
      guard isDigit, case let (text, isInteger) = try scanner.number(), isInteger else {
        throw .malformedHeader(offset: start, expected: "an integer of 0 or more")
      }
      guard let value = Int(text) else {
        throw .malformedHeader(offset: start, expected: "an integer of at most 63 bits")
      }
      values.append(value)
    }
    return values
  }
}
