import Crypto
import Files
import Foundation

/// A model on disk, opened: its manifest and its parts, checked.
///
/// A bundle is a folder `NAME.ductus/` of `manifest.json`, the parts that the manifest names, and
/// `MODELCARD.md`. Lengths and SHA-256 of all parts are checked on opening, and the bytes checked
/// are the bytes returned: a file that changes afterwards changes nothing. A language model, the
/// largest part, is mapped and not copied: replace its file by renaming, as ``ModelBundleWriter``
/// does. Other files in the folder are not read. A signature that is there must be right. A value;
/// safe to share between threads.
///
/// ```swift
/// let bundle = try ModelBundle.open(URL(fileURLWithPath: "digits.ductus"))
/// let weights = try bundle.data(for: "network.safetensors")
/// ```
public struct ModelBundle: Sendable {
  package static let manifestName = "manifest.json"
  package static let cardName = "MODELCARD.md"
  package static let signatureName = "manifest.sig"

  /// The folder.
  public let url: URL
  /// The manifest.
  public let manifest: ModelManifest
  /// The exact bytes of `manifest.json`.
  public let manifestBytes: Data
  /// Who signed the manifest, proved on opening; nil where it is not signed. Whether the signer is
  /// to be trusted is the caller's to decide.
  public let signature: ModelSignature?
  private let contents: [String: Data]
  /// The parts that are mapped, by name.
  private let mappings: [String: MappedBytes]

  /// Opens and checks a bundle. O(bytes of all parts), which are held in memory or mapped.
  ///
  /// - Throws: ``ModelFormatError`` with the first thing found wrong and the file it is in.
  public static func open(_ url: URL) throws(ModelFormatError) -> ModelBundle {
    try open(url, readsSignature: true)
  }

  /// Opens and checks a bundle as ``open(_:)`` does, whatever its signature is: to tell apart which
  /// of both is wrong. The bundle counts as not signed.
  public static func openIgnoringSignature(_ url: URL) throws(ModelFormatError) -> ModelBundle {
    try open(url, readsSignature: false)
  }

  private static func open(
    _ url: URL, readsSignature: Bool
  ) throws(ModelFormatError) -> ModelBundle {
    try checkFolder(url)
    let manifestPath = url.appendingPathComponent(manifestName).path
    let manifest: ModelManifest
    let bytes: Data
    do throws(ModelFormatError.Reason) {
      bytes = try manifestContents(url)
      manifest = try ModelManifest(parsing: bytes)
    } catch {
      throw ModelFormatError(error, path: manifestPath)
    }
    let signature = readsSignature ? try readSignature(url, of: bytes) : nil
    let parts = try checkedParts(manifest.parts, in: url)
    return ModelBundle(
      url: url, manifest: manifest, manifestBytes: bytes, signature: signature,
      contents: parts.mapValues(\.data), mappings: parts.compactMapValues(\.mapping))
  }

  /// Checks that one of the keys signed the bundle.
  ///
  /// - Throws: ``ModelFormatError`` with `missing` where it is not signed, or `untrustedSigner`.
  public func requireSigner(among keys: [VerifyingKey]) throws(ModelFormatError) {
    let path = url.appendingPathComponent(Self.signatureName).path
    guard let signature else { throw ModelFormatError(.missing, path: path) }
    guard keys.contains(signature.key) else {
      throw ModelFormatError(
        .untrustedSigner(fingerprint: signature.key.fingerprint), path: path)
    }
  }

  /// Signs a bundle on disk: writes `manifest.sig` beside its manifest, replacing an older one.
  ///
  /// - Returns: The bundle, opened again.
  /// - Throws: ``ModelFormatError`` where the bundle is damaged or the file cannot be written.
  @discardableResult
  public static func sign(
    _ url: URL, with key: SigningKey
  ) throws(ModelFormatError) -> ModelBundle {
    try checkFolder(url)
    let path = url.appendingPathComponent(signatureName).path
    do throws(ModelFormatError.Reason) {
      // A wrong signature of earlier does not keep the bundle from being signed.
      let manifest = try manifestContents(url)
      _ = try ModelManifest(parsing: manifest)
      try FileSystem.replace(path, with: try key.signature(of: manifest).fileContents)
    } catch {
      throw ModelFormatError(error, path: path)
    }
    return try open(url)
  }

  /// The manifest of a bundle on disk. Its parts are not looked at: O(bytes of the manifest).
  ///
  /// - Throws: ``ModelFormatError`` where it cannot be read.
  public static func manifest(of url: URL) throws(ModelFormatError) -> ModelManifest {
    try checkFolder(url)
    do throws(ModelFormatError.Reason) {
      return try ModelManifest(parsing: manifestContents(url))
    } catch {
      throw ModelFormatError(error, path: url.appendingPathComponent(manifestName).path)
    }
  }

  /// The signature of a bundle on disk, proved against its manifest; nil where it is not signed.
  ///
  /// - Throws: ``ModelFormatError`` with `signatureMismatch`, `malformedKey`, or what keeps the files
  ///   from being read.
  public static func signature(of url: URL) throws(ModelFormatError) -> ModelSignature? {
    try checkFolder(url)
    let manifest: Data
    do throws(ModelFormatError.Reason) {
      manifest = try manifestContents(url)
    } catch {
      throw ModelFormatError(error, path: url.appendingPathComponent(manifestName).path)
    }
    return try readSignature(url, of: manifest)
  }

  private static func readSignature(
    _ url: URL, of manifest: Data
  ) throws(ModelFormatError) -> ModelSignature? {
    let path = url.appendingPathComponent(signatureName).path
    guard FileSystem.kind(of: path) != nil else { return nil }
    do throws(ModelFormatError.Reason) {
      let bytes = try FileSystem.contents(of: path) { length throws(ModelFormatError.Reason) in
        guard length <= ModelSignature.maximumLength else {
          throw .malformedKey(expected: ModelSignature.form)
        }
      }
      let signature = try ModelSignature(fileContents: bytes)
      guard signature.isValid(for: manifest) else { throw .signatureMismatch }
      return signature
    } catch {
      throw ModelFormatError(error, path: path)
    }
  }

  private static func manifestContents(_ url: URL) throws(ModelFormatError.Reason) -> Data {
    let path = url.appendingPathComponent(manifestName).path
    return try FileSystem.contents(of: path) { length throws(ModelFormatError.Reason) in
      guard length <= ModelManifest.maximumLength else {
        throw .manifestTooLong(bytes: length, maximum: ModelManifest.maximumLength)
      }
    }
  }

  /// The bytes of a part, as checked on opening. O(1).
  ///
  /// - Throws: ``ModelFormatError`` with `unknownPart`.
  public func data(for part: String) throws(ModelFormatError) -> Data {
    guard let data = contents[part] else {
      throw ModelFormatError(.unknownPart(part), path: url.path)
    }
    return data
  }

  /// The mapping of a part, checked on opening; nil for one that is held in memory. O(1).
  package func mapping(of part: String) -> MappedBytes? { mappings[part] }

  /// The bytes of the manifest and all parts: the size of the model, its card not counted.
  public var byteCount: Int {
    contents.values.reduce(manifestBytes.count) { $0 + $1.count }
  }

  private static func checkFolder(_ url: URL) throws(ModelFormatError) {
    switch FileSystem.kind(of: url.path, followingLinks: true) {
    case .folder: return
    case .file, .other: throw ModelFormatError(.notAFolder, path: url.path)
    case nil:
      let aside = ModelBundleWriter.asidePath(of: url)
      guard FileSystem.kind(of: aside) == .folder else {
        throw ModelFormatError(.missing, path: url.path)
      }
      throw ModelFormatError(.movedAside(to: aside), path: url.path)
    }
  }

  /// All parts, the hashes taken on all cores: hashing is what opening costs.
  ///
  /// - Throws: ``ModelFormatError`` of the first part, in the manifest's order, that is wrong.
  private static func checkedParts(
    _ parts: [ModelManifest.Part], in url: URL
  ) throws(ModelFormatError) -> [String: CheckedPart] {
    let found = try WorkerPool(count: parts.count).map(parts.count) {
      (index) throws(ModelFormatError) in
      let path = url.appendingPathComponent(parts[index].name).path
      do throws(ModelFormatError.Reason) {
        return try checkedPart(parts[index], at: path)
      } catch {
        throw ModelFormatError(error, path: path)
      }
    }
    var checked: [String: CheckedPart] = [:]
    for (part, content) in zip(parts, found) { checked[part.name] = content }
    return checked
  }

  private static func checkedPart(
    _ part: ModelManifest.Part, at path: String
  ) throws(ModelFormatError.Reason) -> CheckedPart {
    func check(_ length: Int) throws(ModelFormatError.Reason) {
      guard length == part.length else {
        throw .partLength(expected: part.length, found: length)
      }
    }
    var mapping: MappedBytes?
    let data: Data
    if part.role == ModelManifest.Part.languageRole {
      let mapped = try FileSystem.mapping(of: path, check: check)
      (mapping, data) = (mapped, mapped.data)
    } else {
      data = try FileSystem.contents(of: path, check: check)
    }
    // The file may have been cut between the two looks at it.
    guard data.count == part.length else {
      throw .partLength(expected: part.length, found: data.count)
    }
    let hash = sha256(data)
    guard hash == part.sha256 else { throw .partHash(expected: part.sha256, found: hash) }
    return CheckedPart(data: data, mapping: mapping)
  }

  /// The SHA-256 of bytes, 64 lowercase hexadecimal digits. O(bytes).
  public static func sha256(_ data: Data) -> String {
    text(SHA256.hash(data: data))
  }

  /// The same of bytes in memory.
  package static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    return text(hash.finalize())
  }

  private static func text(_ digest: SHA256.Digest) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A part whose length and hash are right.
private struct CheckedPart: Sendable {
  var data: Data
  /// nil where the bytes were copied.
  var mapping: MappedBytes?
}
