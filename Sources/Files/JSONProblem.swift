/// A problem in a JSON text, with its position.
package struct JSONProblem: Error, Hashable, Sendable {
  /// The kind of defect.
  package enum Code: Hashable, Sendable {
    /// The text does not follow the grammar.
    case malformed
    /// The text ends inside a value.
    case truncated
    /// A value has another type.
    case wrongType
    /// A number is NaN, infinite or too large for a double.
    case nonFiniteNumber
    /// Arrays and objects nest too deeply.
    case nestingTooDeep
    /// A string is not Unicode text.
    case invalidEncoding
    /// An object has the same key twice.
    case duplicateKey(String)
    /// An object has a key that its reader does not accept.
    case unknownKey(String)
    /// An object lacks a key.
    case missingKey(String)
  }

  /// The kind of defect.
  package let code: Code
  /// The byte of the defect, from 0.
  package let offset: Int
  /// The expected value, in the caller's words.
  package let value: String
  /// The expected grammar at the offset: a punctuation mark, `a digit`, `valid UTF-8`.
  package let grammar: String
  /// The content at the offset: a type or a length, never a value.
  package let found: String
}

extension JSONReader {
  /// Returns the error for other content than `value` at an offset.
  ///
  /// - Parameters:
  ///   - value: The expected value, in the caller's words.
  ///   - grammar: The expected grammar at the offset.
  ///   - offset: The byte of the defect; nil for the next one.
  ///   - found: The content at the offset.
  package func fault(
    _ code: JSONProblem.Code, _ value: String, grammar: String, at offset: Int? = nil,
    found: String
  ) -> JSONProblem {
    JSONProblem(
      code: code, offset: offset ?? position, value: value, grammar: grammar, found: found)
  }

  /// Returns the error for other content at the start of a value of the caller.
  @inline(never)
  mutating func unexpected(_ value: String, _ grammar: StaticString) -> JSONProblem {
    guard let byte = next() else {
      return fault(.truncated, value, grammar: "\(grammar)", found: "the end of the line")
    }
    let (code, found): (JSONProblem.Code, String) =
      switch byte {
      case UInt8(ascii: "{"): (.wrongType, "an object")
      case UInt8(ascii: "["): (.wrongType, "an array")
      case UInt8(ascii: "\""): (.wrongType, "a string")
      case UInt8(ascii: "N"), UInt8(ascii: "I"): (.nonFiniteNumber, "NaN or Infinity")
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): (.wrongType, "a number")
      case UInt8(ascii: "t"), UInt8(ascii: "f"): (.wrongType, "a truth value")
      case UInt8(ascii: "n"): (.wrongType, "null")
      default: (.malformed, "another character")
      }
    return fault(code, value, grammar: "\(grammar)", found: found)
  }

  /// Returns the error for another byte than a punctuation mark.
  @inline(never)
  mutating func mismatch(_ byte: UInt8, _ value: String, _ grammar: StaticString) -> JSONProblem {
    let separates = byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    guard next() != nil, separates else { return unexpected(value, grammar) }
    return fault(.malformed, value, grammar: "\(grammar)", found: "another character")
  }

  /// Returns the error for an array or object that was just opened and is too deep.
  @inline(never)
  func tooDeep(_ deepest: Int) -> JSONProblem {
    fault(
      .nestingTooDeep, "at most \(deepest) nested values", grammar: "at most \(deepest) levels",
      at: position - 1, found: "more")
  }

  /// Returns the error for a key that was just read and appears twice.
  @inline(never)
  func duplicate(_ key: String) -> JSONProblem {
    fault(.duplicateKey(key), "a new key", grammar: "a new key", found: "a key that stands twice")
  }
}
