import Foundation
import ModelFormat

/// Converts nested JSON to keys and values.
enum ConfigurationJSON {
  /// Returns the values of all leaves, sorted by their dotted keys.
  static func values(
    of json: String
  ) throws(ConfigurationError) -> [(key: String, value: ConfigurationValue)] {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: Data(json.utf8))
    } catch {
      throw .malformedJSON("it cannot be parsed")
    }
    guard case .object(let members) = value else { throw .malformedJSON("it is not an object") }
    var result: [(String, ConfigurationValue)] = []
    try collect(members, prefix: "", into: &result)
    return result.sorted { $0.0 < $1.0 }
  }

  /// Returns values as nested JSON with sorted keys.
  static func text(of values: [String: ConfigurationValue]) -> String {
    var sections: [String: [String: ConfigurationValue]] = [:]
    var members: [String: String] = [:]
    for (key, value) in values {
      guard let dot = key.firstIndex(of: ".") else {
        members[key] = text(of: value)
        continue
      }
      sections[String(key[..<dot]), default: [:]][String(key[key.index(after: dot)...])] = value
    }
    for (name, inner) in sections { members[name] = text(of: inner) }
    let pairs = members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value)" }
    return "{" + pairs.joined(separator: ",") + "}"
  }

  private static func text(of value: ConfigurationValue) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .boolean(let value): "\(value)"
    case .number(let number): "\(number)"
    case .strings(let texts): "[" + texts.map(quoted).joined(separator: ",") + "]"
    case .numbers(let numbers): "[" + numbers.map { "\($0)" }.joined(separator: ",") + "]"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func collect(
    _ members: [String: JSONValue], prefix: String,
    into result: inout [(String, ConfigurationValue)]
  ) throws(ConfigurationError) {
    for (name, value) in members {
      let key = prefix + name
      switch value {
      case .object(let inner): try collect(inner, prefix: key + ".", into: &result)
      case .bool(let value): result.append((key, .boolean(value)))
      case .string(let value): result.append((key, .string(value)))
      case .integer(let value): result.append((key, .number(Double(value))))
      case .number(let value): result.append((key, .number(value)))
      case .array(let values): result.append((key, try array(values, key)))
      case .null: throw .malformedJSON("\(key) is null")
      }
    }
  }

  private static func array(
    _ values: [JSONValue], _ key: String
  ) throws(ConfigurationError) -> ConfigurationValue {
    var strings: [String] = []
    var numbers: [Double] = []
    for value in values {
      switch value {
      case .string(let text): strings.append(text)
      case .integer(let number): numbers.append(Double(number))
      case .number(let number): numbers.append(number)
      default: throw .malformedJSON("\(key) is an array of neither strings nor numbers")
      }
    }
    guard strings.isEmpty || numbers.isEmpty else {
      throw .malformedJSON("\(key) is an array that mixes strings and numbers")
    }
    return numbers.isEmpty ? .strings(strings) : .numbers(numbers)
  }
}
