import Foundation
import ModelFormat

/// The values of a configuration by their paths.
enum RunSettings {
  /// Every number, text and truth value, as `--set` names it: names and places in arrays with dots
  /// between them. Arrays of plain values are one value.
  ///
  /// - Throws: an encoder's error.
  static func flattened(_ configuration: some Encodable) throws -> [String: String] {
    var result: [String: String] = [:]
    collect(try JSONValue(encoding: configuration), at: "", into: &result)
    return result
  }

  private static func collect(
    _ value: JSONValue, at path: String, into result: inout [String: String]
  ) {
    let below = { (name: String) in path.isEmpty ? name : "\(path).\(name)" }
    switch value {
    case .object(let fields):
      for (name, field) in fields { collect(field, at: below(name), into: &result) }
    case .array(let items) where items.contains { !$0.isPlain }:
      for (place, item) in items.enumerated() {
        collect(item, at: below("\(place)"), into: &result)
      }
    default:
      result[path] = value.plainText
    }
  }
}

extension JSONValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .object, .array: false
    default: true
    }
  }

  /// The value as JSON writes it, texts without quotes.
  fileprivate var plainText: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value
    case .array(let items): "[\(items.map(\.plainText).joined(separator: ", "))]"
    case .object: "{}"
    }
  }
}
