import Files
import Foundation

/// Any JSON value, which a manifest stores for other modules without interpreting it.
public typealias JSONValue = Files.JSONValue

extension JSONValue {
  /// Parses JSON strictly: one value, UTF-8, no duplicate keys, at most ``maximumDepth`` levels, no
  /// number outside the range of `Double`. O(bytes).
  ///
  /// - Throws: ``ModelFormatError/Reason`` with `malformedJSON` or `duplicateKey`.
  public init(parsing bytes: Data) throws(ModelFormatError.Reason) {
    do throws(JSONProblem) {
      self = try [UInt8](bytes).withUnsafeBufferPointer { buffer throws(JSONProblem) in
        var reader = JSONReader(
          buffer, deepest: Self.maximumDepth, refusesDuplicateKeys: true)
        let value = try Self(&reader)
        try reader.end(of: "text")
        return value
      }
    } catch {
      if case .duplicateKey(let key) = error.code { throw .duplicateKey(key) }
      throw .malformedJSON(offset: error.offset, expected: error.grammar)
    }
  }

  /// Encodes a value as JSON.
  ///
  /// - Throws: The value's `EncodingError`, or ``ModelFormatError/Reason`` if it is nested deeper
  ///   than ``maximumDepth``.
  public init(encoding value: some Encodable) throws {
    try self.init(parsing: JSONEncoder().encode(value))
  }
}
