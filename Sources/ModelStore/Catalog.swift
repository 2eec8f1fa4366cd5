import Foundation
import ModelFormat
import Recognition

/// `catalog.json`: the models of a publisher, next to its detached signature `catalog.sig`.
///
/// Any web server can host it. A file that it names by SHA-256 is at `blobs/sha256/HASH` next to
/// it.
///
///     let catalog = try await manager.catalog()
///     print(catalog.entries.map(\.identifier))
public struct Catalog: Codable, Hashable, Sendable {
  /// The version of the catalogue's format that this module writes, and the newest that it reads.
  public static let currentFormatVersion = 1
  /// The longest catalogue, in bytes.
  public static let maximumLength = 16 << 20
  /// The name of the catalogue's file.
  public static let fileName = "catalog.json"
  /// The name of its signature's file.
  public static let signatureName = "catalog.sig"

  /// Bytes, identified by their hash.
  public struct Blob: Codable, Hashable, Sendable {
    /// The length in bytes.
    public var length: Int
    /// The SHA-256, 64 lowercase hexadecimal digits.
    public var sha256: String

    package init(length: Int, sha256: String) {
      self.length = length
      self.sha256 = sha256
    }

    /// The path of the bytes, relative to the catalogue.
    public var path: String { "blobs/sha256/\(sha256)" }
  }

  /// One model.
  public struct Entry: Codable, Hashable, Sendable {
    /// The model's identifier in catalogues.
    public var identifier: String
    /// A name for people.
    public var name: String
    /// The kind of model, as in its manifest; possibly one that this version does not know.
    public var kind: String
    /// The version of the model.
    public var version: Int
    /// BCP 47 tags.
    public var languages: [String]
    /// The exact bytes of `manifest.json`.
    public var manifest: Blob
    /// The exact bytes of `manifest.sig`, or nil if the model has no signature of its own.
    public var signature: Blob?
    /// The bytes of `MODELCARD.md`, or nil.
    public var card: Blob?
    /// The parts, which models may share.
    public var parts: [ModelManifest.Part]

    package init(
      identifier: String, name: String, kind: String, version: Int, languages: [String],
      manifest: Blob, signature: Blob? = nil, card: Blob? = nil, parts: [ModelManifest.Part]
    ) {
      self.identifier = identifier
      self.name = name
      self.kind = kind
      self.version = version
      self.languages = languages
      self.manifest = manifest
      self.signature = signature
      self.card = card
      self.parts = parts
    }

    /// The bytes of manifest and parts: the size of the model.
    public var byteCount: Int { parts.reduce(manifest.length) { $0 + $1.length } }

    /// The description, or nil if the kind is unknown.
    public var description: ModelDescription? {
      ModelManifest.Kind(rawValue: kind).map { kind in
        ModelDescription(
          identifier: identifier, name: name, kind: kind, version: version,
          languages: languages.compactMap { try? LanguageTag(parsing: $0) })
      }
    }
  }

  /// The version of the format.
  public var formatVersion: Int
  /// The version of the catalogue, which increases with each publication.
  public var version: Int
  /// The end of the catalogue's validity: ISO 8601, UTC.
  public var expires: String
  /// The models. Identifiers are unique.
  public var entries: [Entry]

  package init(formatVersion: Int, version: Int, expires: String, entries: [Entry]) {
    self.formatVersion = formatVersion
    self.version = version
    self.expires = expires
    self.entries = entries
  }

  /// Returns the entry of an identifier or language; see `ModelProvider.model(for:kind:)`.
  ///
  /// - Throws: `RecognitionError.malformedLanguageTag(_:)`.
  public func entry(for name: String) throws(RecognitionError) -> Entry? {
    if let entry = entries.first(where: { $0.identifier == name }) { return entry }
    let best = try ModelDescription.best(of: entries.compactMap(\.description), for: name)
    return best.flatMap { best in entries.first { $0.identifier == best.identifier } }
  }

  /// The entries by language, script and region.
  public var languageIndex: LanguageIndex<Entry> {
    LanguageIndex(entries) { $0.description?.languages ?? [] }
  }

  /// Returns the entries whose identifier, name or languages contain a text, ignoring case.
  public func search(_ text: String) -> [Entry] {
    let text = text.lowercased()
    return entries.filter { entry in
      ([entry.identifier, entry.name] + entry.languages).contains {
        $0.lowercased().contains(text)
      }
    }
  }
}

extension Catalog {
  /// Parses and checks the bytes of a catalogue, except its signature and expiry. O(bytes).
  ///
  /// - Throws: `ModelFormatError.Reason` with the first problem found. Unknown keys are ignored.
  public init(parsing bytes: Data) throws(ModelFormatError.Reason) {
    guard bytes.count <= Self.maximumLength else {
      throw .manifestTooLong(bytes: bytes.count, maximum: Self.maximumLength)
    }
    _ = try VersionedJSON.parse(bytes, supported: Self.currentFormatVersion)
    do {
      self = try JSONDecoder().decode(Catalog.self, from: bytes)
    } catch {
      throw .invalidField("catalogue", expected: "JSON of this version of the format")
    }
    try validate()
  }

  /// Returns the bytes of a catalogue, with sorted keys: the same catalogue gives the same bytes.
  ///
  /// - Throws: `ModelFormatError.Reason`, like ``init(parsing:)``.
  public func serialized() throws(ModelFormatError.Reason) -> Data {
    try validate()
    guard let bytes = try? VersionedJSON.bytes(self) else {
      throw .invalidField("catalogue", expected: "values that JSON can hold")
    }
    return bytes
  }

  /// The time when the catalogue expires.
  public var expiryDate: Date? { try? Date(expires, strategy: .iso8601) }

  private func validate() throws(ModelFormatError.Reason) {
    guard formatVersion == Self.currentFormatVersion else {
      throw .invalidField("formatVersion", expected: "\(Self.currentFormatVersion)")
    }
    guard version >= 1 else { throw .invalidField("version", expected: "a whole number from 1") }
    guard expiryDate != nil else { throw .invalidField("expires", expected: "an ISO 8601 date") }
    var seen: Set<String> = []
    for (index, entry) in entries.enumerated() {
      let place = "entries[\(index)]"
      guard ModelManifest.isPortableName(entry.identifier),
        seen.insert(entry.identifier.lowercased()).inserted
      else {
        throw .invalidField(
          "\(place).identifier", expected: "a plain name that does not occur before")
      }
      guard entry.version >= 1 else {
        throw .invalidField("\(place).version", expected: "a whole number from 1")
      }
      for blob in [entry.manifest, entry.signature, entry.card].compactMap({ $0 }) {
        guard 0...ModelManifest.maximumLength ~= blob.length, Self.isHash(blob.sha256) else {
          throw .invalidField(place, expected: "lengths and hashes")
        }
      }
      try Self.validate(entry.parts, place)
    }
  }

  private static func validate(
    _ parts: [ModelManifest.Part], _ place: String
  ) throws(ModelFormatError.Reason) {
    var names: Set<String> = []
    for part in parts {
      guard ModelManifest.isValidPartName(part.name) else { throw .invalidPartName(part.name) }
      guard names.insert(part.name.lowercased()).inserted else { throw .duplicatePart(part.name) }
      // Lengths are limited so that their sum does not overflow, for as many as fit in memory.
      guard 0...(1 << 40) ~= part.length, isHash(part.sha256) else {
        throw .invalidField("\(place).parts", expected: "lengths and hashes")
      }
    }
  }

  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}
