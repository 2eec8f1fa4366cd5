import Files
import Foundation

/// A value that an app keeps with a package or a part: a text, a number, a truth value, or a list
/// or a table of values.
///
///     var metadata = try package.metadata()
///     metadata["author.name"] = "Ada"
///     let age = metadata["author.age"]?.double
///
/// A number without a fraction is read back as an integer; ``Files/JSONValue/double`` is the value
/// of both kinds.
public typealias MetadataValue = JSONValue

/// The metadata of a package or a part: nested keys and values.
public struct Metadata: Hashable, Sendable {
  /// The values by key.
  public var values: [String: MetadataValue]

  /// Makes metadata.
  public init(_ values: [String: MetadataValue] = [:]) {
    self.values = values
  }

  /// The value at a path of keys with dots between them, such as `author.name`; nil if there is
  /// none. Setting a value makes the tables above it; setting nil removes it.
  public subscript(path: String) -> MetadataValue? {
    get {
      var found: MetadataValue? = .object(values)
      for key in path.split(separator: ".", omittingEmptySubsequences: false) {
        guard case .object(let table)? = found else { return nil }
        found = table[String(key)]
      }
      return found
    }
    set {
      let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      values = Self.set(newValue, at: keys[...], in: values)
    }
  }

  private static func set(
    _ value: MetadataValue?, at keys: ArraySlice<String>, in table: [String: MetadataValue]
  ) -> [String: MetadataValue] {
    guard let first = keys.first else { return table }
    var result = table
    if keys.count == 1 {
      result[first] = value
    } else {
      var inner: [String: MetadataValue] = [:]
      if case .object(let known)? = table[first] { inner = known }
      result[first] = .object(set(value, at: keys.dropFirst(), in: inner))
    }
    return result
  }

  /// The metadata as JSON with sorted keys.
  ///
  /// - Throws: ``PackageError/invalidArgument(_:expected:found:)`` for numbers that are not finite.
  func json() throws(PackageError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(values), as: UTF8.self)
    } catch {
      throw .invalidArgument("metadata", expected: "finite numbers", found: "another number")
    }
  }

  /// Reads JSON.
  init?(json: String) {
    guard
      let values = try? JSONDecoder().decode([String: MetadataValue].self, from: Data(json.utf8))
    else { return nil }
    self.values = values
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
