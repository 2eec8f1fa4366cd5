/// A tag with its attributes.
package struct XMLTag: Sendable {
  package enum Kind: Sendable {
    case start
    case end
    case empty
  }

  package var kind: Kind
  package var name: String
  package private(set) var attributes: [(key: String, value: String)] = []

  package init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// Returns the value of an attribute, or nil. O(attributes), which are few.
  package subscript(key: String) -> String? {
    for attribute in attributes where attribute.key == key { return attribute.value }
    return nil
  }

  /// The room that is made for the attributes of a tag.
  private static let usualAttributes = 4

  /// Adds an attribute.
  ///
  /// - Returns: false if there was one with that name.
  package mutating func add(_ key: String, _ value: String) -> Bool {
    guard self[key] == nil else { return false }
    if attributes.isEmpty { attributes.reserveCapacity(Self.usualAttributes) }
    attributes.append((key, value))
    return true
  }
}

/// The text of an XML element as bytes: those of the file, which must outlive it, or a copy.
package enum XMLContent {
  case file(UnsafeBufferPointer<UInt8>)
  case copy([UInt8])

  /// Passes the bytes to a closure.
  package func withBytes<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    switch self {
    case .file(let bytes): body(bytes)
    case .copy(let bytes): bytes.withUnsafeBufferPointer(body)
    }
  }
}

/// A place where bytes are not the XML that is read.
package struct XMLProblem: Error, Hashable, Sendable {
  /// The kind of a problem.
  package enum Code: Hashable, Sendable {
    case malformed
    case truncated
    case nestingTooDeep
    case invalidEncoding
    /// A tag, a text or a run of blanks is longer than a reader accepts.
    case tooLarge
  }

  package let code: Code
  /// The position in bytes.
  package let offset: Int
  package let expected: String
  package let found: String

  package init(code: Code, offset: Int, expected: String, found: String) {
    self.code = code
    self.offset = offset
    self.expected = expected
    self.found = found
  }
}
