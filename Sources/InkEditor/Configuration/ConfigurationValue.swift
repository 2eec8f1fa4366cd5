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

  /// What kind of value a key has.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case string
    case boolean
    case number
    case strings = "string array"
    case numbers = "number array"
    /// A key that other keys begin with.
    case section
  }

  /// The kind of this value.
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
