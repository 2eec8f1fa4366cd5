/// What is wrong with a JSON text, and where.
package struct JSONProblem: Error, Hashable, Sendable {
  /// The kind of defect.
  package enum Code: Hashable, Sendable {
    /// The text does not follow the grammar.
    case malformed
    /// The text ends inside a value.
    case truncated
    /// A value of another type stands there.
    case wrongType
    /// A number is NaN, infinite or too large for a double.
    case nonFiniteNumber
    /// Arrays and objects nest too deeply.
    case nestingTooDeep
    /// A string is not Unicode text.
    case invalidEncoding
    /// An object has a key twice.
    case duplicateKey(String)
    /// An object has a key that its reader does not know.
    case unknownKey(String)
    /// An object lacks a key.
    case missingKey(String)
  }

  /// The kind of defect.
  package let code: Code
  /// The byte of the defect, from 0.
  package let offset: Int
  /// What the caller asked for, in the caller's words.
  package let value: String
  /// What the grammar requires at the offset: a punctuation mark, `a digit`, `valid UTF-8`.
  package let grammar: String
  /// What stands there: a type or a length, never a value.
  package let found: String
}

extension JSONReader {
  /// The error of something else than `value` at an offset.
  ///
  /// - Parameters:
  ///   - value: What the caller asked for.
  ///   - grammar: What must stand at the offset.
  ///   - offset: The byte of the defect; nil for the next one.
  ///   - found: What stands there.
  package func fault(
    _ code: JSONProblem.Code, _ value: String, grammar: String, at offset: Int? = nil,
    found: String
  ) -> JSONProblem {
    JSONProblem(
      code: code, offset: offset ?? position, value: value, grammar: grammar, found: found)
  }

  /// The error of something else than a value of the caller where one must begin.
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

  /// The error of another byte than a punctuation mark.
  @inline(never)
  mutating func mismatch(_ byte: UInt8, _ value: String, _ grammar: StaticString) -> JSONProblem {
    let separates = byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    guard next() != nil, separates else { return unexpected(value, grammar) }
    return fault(.malformed, value, grammar: "\(grammar)", found: "another character")
  }

  /// The error of an array or object that was just opened, and is too deep.
  @inline(never)
  func tooDeep(_ deepest: Int) -> JSONProblem {
    fault(
      .nestingTooDeep, "at most \(deepest) nested values", grammar: "at most \(deepest) levels",
      at: position - 1, found: "more")
  }

  /// The error of a key that was just read, and stands twice.
  @inline(never)
  func duplicate(_ key: String) -> JSONProblem {
    fault(.duplicateKey(key), "a new key", grammar: "a new key", found: "a key that stands twice")
  }
}
