/// A tag with its attributes.
package struct XMLTag: Sendable {
  package enum Kind: Sendable {
    case start
    case end
    case empty
  }

  package var kind: Kind
  package var name: String
  /// The names and values of the attributes, one after the other, in UTF-8.
  private var text: [UInt8] = []
  private var spans: [Span] = []

  /// The place of an attribute in the text.
  private struct Span {
    var start: Int32
    /// The end of its name, where its value starts.
    var middle: Int32
    var end: Int32
  }

  package init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// The number of attributes.
  package var attributeCount: Int { spans.count }

  /// The attributes as strings. O(bytes).
  package var attributes: [(key: String, value: String)] {
    spans.map { span in
      (
        String(decoding: text[Int(span.start)..<Int(span.middle)], as: UTF8.self),
        String(decoding: text[Int(span.middle)..<Int(span.end)], as: UTF8.self)
      )
    }
  }

  /// Returns the value of an attribute, or nil. O(attributes), which are few.
  package subscript(key: String) -> String? {
    value(of: key).map { String(decoding: text[$0], as: UTF8.self) }
  }

  /// Returns true if there is an attribute with this name.
  package func has(_ key: String) -> Bool { value(of: key) != nil }

  /// Returns the value of an attribute, if it is one of the numbers that are fast to read; see
  /// ``DecimalNumber``. Makes no string.
  package func exactNumber(_ key: String) -> Double? {
    value(of: key).flatMap { DecimalNumber.exact(text[$0]) }
  }

  private func value(of key: String) -> Range<Int>? {
    for span in spans where text[Int(span.start)..<Int(span.middle)].elementsEqual(key.utf8) {
      return Int(span.middle)..<Int(span.end)
    }
    return nil
  }

  /// The room that is made for the attributes of a tag, and for their bytes.
  private static let (usualAttributes, usualBytes) = (4, 64)

  /// Adds an attribute, whose name and value are UTF-8.
  ///
  /// - Returns: false if there was one with that name.
  mutating func add(
    _ key: some Collection<UInt8>, _ value: some Collection<UInt8>
  ) -> Bool {
    let isKnown = spans.contains { span in
      text[Int(span.start)..<Int(span.middle)].elementsEqual(key)
    }
    guard !isKnown else { return false }
    if spans.isEmpty {
      spans.reserveCapacity(Self.usualAttributes)
      text.reserveCapacity(Self.usualBytes)
    }
    let start = Int32(text.count)
    text.append(contentsOf: key)
    let middle = Int32(text.count)
    text.append(contentsOf: value)
    spans.append(Span(start: start, middle: middle, end: Int32(text.count)))
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
