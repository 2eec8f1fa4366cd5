import Crypto
import Files
import Foundation

/// An opened model on disk with checked manifest and parts.
///
/// A bundle is a folder `NAME.ductus/` with `manifest.json`, the parts that the manifest names, and
/// `MODELCARD.md`. Opening checks the length and SHA-256 of all parts and keeps the checked bytes:
/// later changes of the files have no effect. A language model, the largest part, is mapped instead
/// of copied: replace its file by renaming, as ``ModelBundleWriter`` does. Other files in the
/// folder are not read. A part that is shared with another model may be missing in the folder; it is
/// then found by its hash (``SharedParts``). If there is a signature, it must be valid. A value; safe to share between
/// threads.
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
  package let manifestBytes: Data
  /// The verified signature of the manifest; nil if it is not signed. The caller decides whether to
  /// trust the signer.
  package let signature: ModelSignature?
  private let contents: [String: Data]
  /// The mapped parts, by name.
  private let mappings: [String: MappedBytes]
  /// The names of the shared parts that are not in the folder.
  package let borrowedParts: [String]

  /// Opens and checks a bundle. O(bytes of all parts), which are kept in memory or mapped.
  ///
  /// - Throws: ``ModelFormatError`` with the first problem found and its file.
  public static func open(_ url: URL) throws(ModelFormatError) -> ModelBundle {
    try open(url, readsSignature: true)
  }

  /// Opens and checks a bundle like ``open(_:)``, but ignores its signature. Use it to check
  /// integrity separately. The bundle counts as not signed.
  package static func openIgnoringSignature(_ url: URL) throws(ModelFormatError) -> ModelBundle {
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
      contents: parts.mapValues(\.data), mappings: parts.compactMapValues(\.mapping),
      borrowedParts: manifest.parts.map(\.name).filter { parts[$0]?.isBorrowed == true })
  }

  /// Checks that one of the keys signed the bundle.
  ///
  /// - Throws: ``ModelFormatError`` with `missing` if it is not signed, or `untrustedSigner`.
  package func requireSigner(among keys: [VerifyingKey]) throws(ModelFormatError) {
    let path = url.appendingPathComponent(Self.signatureName).path
    guard let signature else { throw ModelFormatError(.missing, path: path) }
    guard keys.contains(signature.key) else {
      throw ModelFormatError(
        .untrustedSigner(fingerprint: signature.key.fingerprint), path: path)
    }
  }

  /// Signs a bundle on disk: writes `manifest.sig` next to its manifest, replacing an older one.
  ///
  /// - Returns: The bundle, opened again.
  /// - Throws: ``ModelFormatError`` if the bundle is damaged or the file cannot be written.
  @discardableResult
  package static func sign(
    _ url: URL, with key: SigningKey
  ) throws(ModelFormatError) -> ModelBundle {
    try checkFolder(url)
    let path = url.appendingPathComponent(signatureName).path
    do throws(ModelFormatError.Reason) {
      // An earlier invalid signature does not prevent signing.
      let manifest = try manifestContents(url)
      _ = try ModelManifest(parsing: manifest)
      try FileSystem.replace(path, with: try key.signature(of: manifest).fileContents)
    } catch {
      throw ModelFormatError(error, path: path)
    }
    return try open(url)
  }

  /// Reads the manifest of a bundle on disk, without its parts. O(bytes of the manifest).
  ///
  /// - Throws: ``ModelFormatError`` if it cannot be read.
  public static func manifest(of url: URL) throws(ModelFormatError) -> ModelManifest {
    try checkFolder(url)
    do throws(ModelFormatError.Reason) {
      return try ModelManifest(parsing: manifestContents(url))
    } catch {
      throw ModelFormatError(error, path: url.appendingPathComponent(manifestName).path)
    }
  }

  /// Reads the signature of a bundle on disk and verifies it against the manifest; nil if the
  /// bundle is not signed.
  ///
  /// - Throws: ``ModelFormatError`` with `signatureMismatch`, `malformedKey`, or the problem in
  ///   reading the files.
  package static func signature(of url: URL) throws(ModelFormatError) -> ModelSignature? {
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

  /// The bytes of a part, checked on opening. O(1).
  ///
  /// - Throws: ``ModelFormatError`` with `unknownPart`.
  public func data(for part: String) throws(ModelFormatError) -> Data {
    guard let data = contents[part] else {
      throw ModelFormatError(.unknownPart(part), path: url.path)
    }
    return data
  }

  /// The mapping of a part, checked on opening; nil if the part is in memory. O(1).
  package func mapping(of part: String) -> MappedBytes? { mappings[part] }

  /// The bytes of the manifest and all parts, which is the size of the model without its card.
  package var byteCount: Int {
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

  /// Reads all parts and hashes them on all cores, because hashing takes most of the time of
  /// opening.
  ///
  /// - Throws: ``ModelFormatError`` of the first invalid part, in the manifest's order.
  private static func checkedParts(
    _ parts: [ModelManifest.Part], in url: URL
  ) throws(ModelFormatError) -> [String: CheckedPart] {
    let found = try WorkerPool(count: parts.count).map(parts.count) {
      (index) throws(ModelFormatError) in
      let path = url.appendingPathComponent(parts[index].name).path
      do throws(ModelFormatError.Reason) {
        return try checkedPart(parts[index], at: path)
      } catch {
        guard error == .missing, let model = parts[index].sharedWith else {
          throw ModelFormatError(error, path: path)
        }
        if let mapping = SharedParts.mapping(of: parts[index], near: url) {
          return CheckedPart(data: mapping.data, mapping: mapping, isBorrowed: true)
        }
        throw ModelFormatError(
          .missingSharedPart(parts[index].name, sha256: parts[index].sha256, model: model),
          path: path)
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
    // The file may have been truncated between the two reads.
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

/// A part whose length and hash have been checked.
private struct CheckedPart: Sendable {
  var data: Data
  /// nil if the bytes were copied.
  var mapping: MappedBytes?
  /// True if the part is not in the folder of the bundle.
  var isBorrowed = false
}
