import Foundation
import ModelFormat

/// Checks JSON against the part of JSON Schema (draft 2020-12) that our schema uses. An unknown
/// keyword is an error, so that everything is checked.
struct JSONSchema {
  let root: JSONValue

  init(contentsOf url: URL) throws {
    root = try JSONValue(parsing: Data(contentsOf: url))
  }

  /// The schema next to this file.
  static func jiix() throws -> JSONSchema {
    try JSONSchema(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("jiix-3.schema.json"))
  }

  /// The problems, with their paths; empty if the value is valid.
  func faults(_ json: String) throws -> [String] {
    faults(try JSONValue(parsing: Data(json.utf8)), root, "$")
  }

  private static let annotations: Set<String> = ["$schema", "title", "$defs"]

  private func faults(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard case .object(let keywords) = schema else { return ["\(path): bad schema"] }
    return keywords.sorted { $0.key < $1.key }.flatMap { key, rule in
      Self.annotations.contains(key) ? [] : check(value, key, rule, keywords, path)
    }
  }

  private func check(
    _ value: JSONValue, _ key: String, _ rule: JSONValue, _ keywords: [String: JSONValue],
    _ path: String
  ) -> [String] {
    switch (key, rule) {
    case ("type", .string(let name)): return isOf(name, value) ? [] : ["\(path): no \(name)"]
    case ("const", _): return value == rule ? [] : ["\(path): not the constant"]
    case ("enum", .array(let all)): return all.contains(value) ? [] : ["\(path): not in enum"]
    case ("$ref", .string(let reference)):
      let name = reference.replacingOccurrences(of: "#/$defs/", with: "")
      guard let target = root["$defs"]?[name] else { return ["\(path): no \(reference)"] }
      return faults(value, target, path)
    case ("allOf", .array(let all)): return all.flatMap { faults(value, $0, path) }
    case ("not", _):
      return faults(value, rule, path).isEmpty ? ["\(path): is what it must not"] : []
    case ("required", .array(let names)):
      guard case .object(let members) = value else { return [] }
      return names.compactMap { name in
        guard case .string(let name) = name, members[name] == nil else { return nil }
        return "\(path): no \(name)"
      }
    case ("properties", .object(let rules)):
      guard case .object(let members) = value else { return [] }
      return members.flatMap { name, member in
        rules[name].map { faults(member, $0, "\(path).\(name)") } ?? []
      }
    case ("additionalProperties", .bool(false)):
      guard case .object(let members) = value, case .object(let rules)? = keywords["properties"]
      else { return [] }
      return members.keys.filter { rules[$0] == nil }.map { "\(path): unknown \($0)" }
    case ("items", _):
      guard case .array(let elements) = value else { return [] }
      return elements.enumerated().flatMap { faults($1, rule, "\(path)[\($0)]") }
    case ("minItems", .integer(let count)):
      if case .array(let elements) = value, elements.count < count { return ["\(path): too few"] }
      return []
    case ("maxItems", .integer(let count)):
      if case .array(let elements) = value, elements.count > count { return ["\(path): too many"] }
      return []
    case ("minLength", .integer(let count)):
      if case .string(let text) = value, text.count < count { return ["\(path): too short"] }
      return []
    case ("minimum", .integer(let least)):
      switch value {
      case .integer(let number): return number >= least ? [] : ["\(path): too small"]
      case .number(let number): return number >= Double(least) ? [] : ["\(path): too small"]
      default: return []
      }
    case ("maximum", .integer(let most)):
      switch value {
      case .integer(let number): return number <= most ? [] : ["\(path): too large"]
      case .number(let number): return number <= Double(most) ? [] : ["\(path): too large"]
      default: return []
      }
    default: return ["\(path): unknown keyword \(key)"]
    }
  }

  private func isOf(_ name: String, _ value: JSONValue) -> Bool {
    switch (name, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("integer", .integer),
      ("number", .integer), ("number", .number), ("boolean", .bool):
      true
    default: false
    }
  }
}
