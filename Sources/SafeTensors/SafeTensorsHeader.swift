import Files

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
    do throws(JSONProblem) {
      self = try bytes.withUnsafeBufferPointer {
        buffer throws(JSONProblem) -> SafeTensorsHeader in
        var reader = JSONReader(buffer, refusesDuplicateKeys: true)
        return try Self(&reader)
      }
    } catch {
      throw SafeTensorsError.Reason(error)
    }
  }

  private init(_ reader: inout JSONReader) throws(JSONProblem) {
    var entries: [Entry] = []
    var metadata: [String: String] = [:]
    try reader.object("the header") { (reader, key) throws(JSONProblem) in
      if key == SafeTensors.metadataKey {
        try reader.object("the metadata") { (reader, key) throws(JSONProblem) in
          metadata[key] = try reader.string("a string of the metadata")
        }
      } else {
        entries.append(try Self.entry(named: key, &reader))
      }
    }
    try reader.end(of: "header")
    self.entries = entries
    self.metadata = metadata
  }

  private static func entry(
    named name: String, _ reader: inout JSONReader
  ) throws(JSONProblem) -> Entry {
    var dataType: String?
    var shape: [Int]?
    var offsets: [Int]?
    try reader.object("a tensor") { (reader, key) throws(JSONProblem) in
      switch key {
      case "dtype": dataType = try reader.string("the string dtype")
      case "shape": shape = try integers(&reader)
      case "data_offsets":
        let start = reader.position
        let pair = try integers(&reader)
        guard pair.count == 2 else {
          throw reader.fault(
            .malformed, "two offsets", grammar: "two offsets", at: start, found: "\(pair.count)")
        }
        offsets = pair
      default: throw reader.fault(.unknownKey(key), name, grammar: "a known key", found: key)
      }
    }
    func missing(_ key: String) -> JSONProblem {
      reader.fault(.missingKey(key), name, grammar: key, found: "an object without it")
    }
    guard let dataType else { throw missing("dtype") }
    guard let shape else { throw missing("shape") }
    guard let offsets else { throw missing("data_offsets") }
    return Entry(
      name: name, dataType: dataType, shape: shape, begin: offsets[0], end: offsets[1])
  }

  /// Reads an array of integers in 0 ... Int.max.
  private static func integers(_ reader: inout JSONReader) throws(JSONProblem) -> [Int] {
    var values: [Int] = []
    try reader.array("an array of integers") { reader throws(JSONProblem) in
      let isDigit = reader.next().map { 0x30...0x39 ~= $0 } ?? false
      let start = reader.position
      func problem(_ expected: String) -> JSONProblem {
        reader.fault(
          .malformed, expected, grammar: expected, at: start, found: "another value")
      }
      guard isDigit, case let (text, isInteger) = try reader.numberText("an integer"), isInteger
      else { throw problem("an integer of 0 or more") }
      guard let value = Int(text) else { throw problem("an integer of at most 63 bits") }
      values.append(value)
    }
    return values
  }
}

extension SafeTensorsError.Reason {
  /// The reason that a problem of the header's JSON is; keys are those of the tensor that it names.
  fileprivate init(_ problem: JSONProblem) {
    switch problem.code {
    case .duplicateKey(let key): self = .duplicateKey(key)
    case .unknownKey(let key): self = .unknownField(tensor: problem.value, field: key)
    case .missingKey(let key): self = .missingField(tensor: problem.value, field: key)
    case .malformed, .truncated, .wrongType, .nonFiniteNumber, .nestingTooDeep, .invalidEncoding:
      self = .malformedHeader(offset: problem.offset, expected: problem.grammar)
    }
  }
}
