/// A setting that files of older versions do not have: it is 0 there.
@propertyWrapper
package struct LaterSetting: Hashable, Codable, Sendable {
  /// The value.
  package var wrappedValue: Float

  /// Makes a setting.
  package init(wrappedValue: Float) { self.wrappedValue = wrappedValue }

  /// Decodes the number.
  package init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Float.self)
  }

  /// Encodes the number, without the wrapper.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a setting, which may be missing. The compiler's decoding of a type calls this.
  func decode(_ type: LaterSetting.Type, forKey key: Key) throws -> LaterSetting {
    try decodeIfPresent(type, forKey: key) ?? LaterSetting(wrappedValue: 0)
  }
}
