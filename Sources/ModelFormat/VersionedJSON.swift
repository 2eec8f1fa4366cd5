import Foundation

/// JSON files with a format version: manifests and catalogues.
package enum VersionedJSON {
  /// Parses a file. The format version is read first, so that a newer file is reported as newer and
  /// not as malformed. O(bytes).
  package static func parse(
    _ bytes: Data, supported: Int
  ) throws(ModelFormatError.Reason) -> JSONValue {
    let json = try JSONValue(parsing: bytes)
    guard case .integer(let version)? = json["formatVersion"] else {
      throw .invalidField("formatVersion", expected: "an integer")
    }
    guard version <= supported else {
      throw .newerFormatVersion(found: version, supported: supported)
    }
    return json
  }

  /// The bytes of a file: indented, with sorted keys, the same for the same value.
  ///
  /// - Throws: An encoding error if a number is not finite.
  package static func bytes(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }
}
