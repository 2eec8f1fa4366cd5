import Files
import Foundation

extension ModelManifest {
  /// Parses the bytes of a `manifest.json` and checks them. O(bytes).
  ///
  /// Unknown keys are rejected.
  ///
  /// - Throws: ``ModelFormatError/Reason``, with the first problem found.
  public init(parsing bytes: Data) throws(ModelFormatError.Reason) {
    let json = try VersionedJSON.parse(bytes, supported: Self.currentFormatVersion)
    let decoder = JSONValueDecoder(json)
    do {
      self = try ModelManifest(from: decoder)
      // Seeds may be above the range of Int.
      if decoder.notes.isInexact { self = try JSONDecoder().decode(Self.self, from: bytes) }
    } catch {
      throw Self.reason(error)
    }
    if let key = decoder.notes.unknownKey { throw .unknownKey(key) }
    try validate()
  }

  /// The bytes of a `manifest.json`: indented, with sorted keys, the same for the same manifest.
  ///
  /// - Throws: ``ModelFormatError/Reason/invalidField(_:expected:)``, like ``validate()``.
  package func serialized() throws(ModelFormatError.Reason) -> Data {
    try validate()
    do {
      return try VersionedJSON.bytes(self)
    } catch {
      throw Self.reason(error)
    }
  }

  /// Checks what the types do not: names, numbers, labels, and that no part occurs twice. O(labels
  /// + parts).
  ///
  /// - Throws: ``ModelFormatError/Reason`` with `invalidField`, `invalidPartName` or
  ///   `duplicatePart`.
  package func validate() throws(ModelFormatError.Reason) {
    guard (1...Self.currentFormatVersion).contains(formatVersion) else {
      throw .invalidField("formatVersion", expected: "1 to \(Self.currentFormatVersion)")
    }
    guard formatVersion == 1 ? version == nil : (version ?? 0) >= 1 else {
      throw .invalidField(
        "version", expected: formatVersion == 1 ? "none in format 1" : "a whole number from 1")
    }
    guard formatVersion >= 4 || !joinsSteps else {
      throw .invalidField("architecture", expected: "no layer meanPool before format 4")
    }
    guard Self.isPortableName(identifier) else {
      throw .invalidField(
        "identifier", expected: "1 to 128 ASCII letters, digits, '-', '_' and '.'")
    }
    guard calibration.temperature.isFinite, calibration.temperature > 0 else {
      throw .invalidField("calibration.temperature", expected: "a finite number above 0")
    }
    var seen: Set<String> = []
    for (index, label) in labels.enumerated() where !seen.insert(label).inserted {
      throw .invalidField("labels[\(index)]", expected: "a label that does not occur before")
    }
    for (index, metric) in metrics.enumerated() where !metric.value.isFinite {
      throw .invalidField("metrics[\(index)].value", expected: "a finite number")
    }
    if let training, !training.durationSeconds.isFinite {
      throw .invalidField("training.durationSeconds", expected: "a finite number")
    }
    try validateParts()
  }

  private func validateParts() throws(ModelFormatError.Reason) {
    var names: Set<String> = []
    for (index, part) in parts.enumerated() {
      guard Self.isValidPartName(part.name) else { throw .invalidPartName(part.name) }
      guard names.insert(part.name.lowercased()).inserted else { throw .duplicatePart(part.name) }
      guard part.sharedWith.map(Self.isPortableName) ?? true else {
        throw .invalidField(
          "parts[\(index)].sharedWith",
          expected: "1 to 128 ASCII letters, digits, '-', '_' and '.'")
      }
      guard part.sharedWith == nil || formatVersion >= 3 else {
        throw .invalidField("parts[\(index)].sharedWith", expected: "none before format 3")
      }
      guard part.length >= 0 else {
        throw .invalidField("parts[\(index)].length", expected: "0 or more")
      }
      guard part.sha256.utf8.count == 64,
        part.sha256.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 })
      else {
        throw .invalidField(
          "parts[\(index)].sha256", expected: "64 lowercase hexadecimal digits")
      }
    }
  }

  /// Returns whether a name is a plain, visible file name on every platform.
  package static func isPortableName(_ name: String) -> Bool {
    1...128 ~= name.utf8.count && name.utf8.first != UInt8(ascii: ".")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Returns whether a part may have the name: portable, and not one of the bundle's own files.
  package static func isValidPartName(_ name: String) -> Bool {
    isPortableName(name)
      && !["manifest.json", "manifest.sig", "modelcard.md"].contains(name.lowercased())
  }

  private static func reason(_ error: any Error) -> ModelFormatError.Reason {
    switch error {
    case let reason as ModelFormatError.Reason: reason
    case DecodingError.keyNotFound(let key, let context):
      .invalidField(path(context.codingPath + [key]), expected: "a value, found none")
    case DecodingError.valueNotFound(let type, let context),
      DecodingError.typeMismatch(let type, let context):
      .invalidField(path(context.codingPath), expected: "\(type)")
    case DecodingError.dataCorrupted(let context):
      .invalidField(path(context.codingPath), expected: "a value of this version of the format")
    case EncodingError.invalidValue(_, let context):
      .invalidField(path(context.codingPath), expected: "a value that JSON can hold")
    default: .invalidField("manifest", expected: "JSON of this version of the format")
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    let path = JSONValueDecoder.text(of: keys)
    return path.isEmpty ? "manifest" : path
  }
}
