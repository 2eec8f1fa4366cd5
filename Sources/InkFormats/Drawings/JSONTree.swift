/// A JSON document as a tree, for formats whose objects refer to each other.
enum JSONTree {
  case object([String: JSONTree])
  case array([JSONTree])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// Parses a document. O(bytes) memory; nesting is bounded.
  init(parsing bytes: [UInt8], path: String) throws(InkFormatError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(InkFormatError) -> JSONTree in
      var scanner = JSONScanner(document: buffer, path: path)
      let tree = try JSONTree(&scanner)
      try scanner.end()
      return tree
    }
  }

  private init(_ scanner: inout JSONScanner) throws(InkFormatError) {
    if scanner.isAtObject {
      var members: [String: JSONTree] = [:]
      try scanner.object("an object") { (scanner, key) throws(InkFormatError) in
        members[key] = try JSONTree(&scanner)
      }
      self = .object(members)
    } else if scanner.isAtArray {
      var elements: [JSONTree] = []
      try scanner.array("an array") { (scanner) throws(InkFormatError) in
        elements.append(try JSONTree(&scanner))
      }
      self = .array(elements)
    } else if scanner.isAtString {
      self = .string(try scanner.string("a string"))
    } else if try scanner.null() {
      self = .null
    } else if let truth = try scanner.truth() {
      self = .bool(truth)
    } else {
      self = .number(try scanner.number("a value"))
    }
  }

  /// Returns the value of a key of an object, or nil.
  subscript(key: String) -> JSONTree? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var object: [String: JSONTree]? { if case .object(let members) = self { members } else { nil } }
  var array: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
}
