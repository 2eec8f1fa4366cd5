/// A value of a configuration key.
public enum ConfigurationValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// True or false.
  case boolean(Bool)
  /// A finite number.
  case number(Double)
  /// Texts.
  case strings([String])
  /// Finite numbers.
  case numbers([Double])

  /// The type of a key's value.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case string
    case boolean
    case number
    case strings = "string array"
    case numbers = "number array"
    /// A prefix of other keys.
    case section
  }

  /// The type of this value.
  public var kind: Kind {
    switch self {
    case .string: .string
    case .boolean: .boolean
    case .number: .number
    case .strings: .strings
    case .numbers: .numbers
    }
  }
}

/// A reason why a configuration cannot be read or changed.
public enum ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The key has no value here, on the engine or by default.
  case missingKey(String)
  /// The key has a value of another type.
  case wrongKind(
    key: String, expected: ConfigurationValue.Kind, found: ConfigurationValue.Kind)
  /// The value has the right type but cannot be used.
  case invalidValue(key: String, expected: String, found: String)
  /// The key is unknown, and the configuration is strict.
  case unknownKey(String)
  /// The JSON contains a key twice.
  case duplicateKey(String)
  /// The key is empty or has an empty part between its dots.
  case malformedKey(String)
  /// A value refers to itself, or to a key that has no text.
  case unresolvedReference(key: String, reference: String)
  /// The JSON is malformed or not an object.
  case malformedJSON(String)

  /// The message: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .missingKey(let key):
      "configuration key \(key): expected a value, found none; set it, or pass a default"
    case .wrongKind(let key, let expected, let found):
      "configuration key \(key): expected \(expected.rawValue), found \(found.rawValue)"
    case .invalidValue(let key, let expected, let found):
      "configuration key \(key): expected \(expected), found \(found)"
    case .unknownKey(let key):
      "configuration key \(key): the key is unknown; check its spelling in "
        + "ConfigurationKey.all, or set isStrict to false"
    case .duplicateKey(let key):
      "configuration JSON: the key \(key) appears twice; remove one of them"
    case .malformedKey(let key):
      "configuration key \"\(key)\": malformed; separate its parts by single dots: text.margin"
    case .unresolvedReference(let key, let reference):
      "configuration key \(key): its value refers to \(reference), which has no text; "
        + "set that key, or correct the reference"
    case .malformedJSON(let what):
      "configuration JSON: \(what); expected an object of objects, strings, booleans, numbers and "
        + "arrays of strings or of numbers"
    }
  }
}
