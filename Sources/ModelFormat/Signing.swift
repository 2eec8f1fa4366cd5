import Crypto
import Foundation

/// A private Ed25519 key (RFC 8032) that signs models and catalogues.
///
/// On disk it is a PEM file of PKCS #8 (RFC 8410), readable only by its owner, compatible with
/// other tools.
public struct SigningKey: Sendable {
  private static let label = "PRIVATE KEY"
  // PKCS #8 of an Ed25519 key, except the 32 bytes of the seed, is the same for every key.
  private static let prefix = Data([
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ])

  private let key: Curve25519.Signing.PrivateKey

  /// Makes a random key.
  public init() {
    key = Curve25519.Signing.PrivateKey()
  }

  /// Reads a key file.
  ///
  /// - Throws: ``ModelFormatError`` naming the file.
  public init(contentsOf url: URL) throws(ModelFormatError) {
    do throws(ModelFormatError.Reason) {
      let seed = try PEM.contents(of: url, label: Self.label, prefix: Self.prefix)
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
        throw .malformedKey(expected: "an Ed25519 private key")
      }
      self.key = key
    } catch {
      throw ModelFormatError(error, path: url.path)
    }
  }

  /// The key that verifies signatures by this key.
  public var verifyingKey: VerifyingKey { VerifyingKey(key.publicKey) }

  /// Writes the key file with mode 0600; does not replace an existing file.
  ///
  /// - Throws: ``ModelFormatError`` with `exists` or `system`.
  public func write(to url: URL) throws(ModelFormatError) {
    let text = PEM.text(Self.prefix + key.rawRepresentation, label: Self.label)
    try PEM.write(text, to: url, mode: 0o600)
  }

  /// Signs exactly these bytes.
  ///
  /// - Throws: ``ModelFormatError/Reason/system(operation:code:)`` if the system provides no
  ///   randomness.
  package func signature(of bytes: Data) throws(ModelFormatError.Reason) -> ModelSignature {
    guard let signature = try? key.signature(for: bytes) else {
      throw .system(operation: "signing", code: EIO)
    }
    return ModelSignature(key: verifyingKey, bytes: signature)
  }
}

/// A public Ed25519 key, which verifies signatures.
///
/// On disk it is a PEM file of a SubjectPublicKeyInfo (RFC 8410).
public struct VerifyingKey: Hashable, Sendable {
  private static let label = "PUBLIC KEY"
  private static let prefix = Data([
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ])

  /// The 32 bytes of the key.
  public let bytes: Data

  init(_ key: Curve25519.Signing.PublicKey) {
    bytes = key.rawRepresentation
  }

  /// Makes a key from its 32 bytes, for keys inside a program; nil if they are not a key.
  public init?(bytes: Data) {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return nil }
    self.init(key)
  }

  /// Reads a key file.
  ///
  /// - Throws: ``ModelFormatError`` naming the file.
  public init(contentsOf url: URL) throws(ModelFormatError) {
    do throws(ModelFormatError.Reason) {
      let bytes = try PEM.contents(of: url, label: Self.label, prefix: Self.prefix)
      guard let key = VerifyingKey(bytes: bytes) else {
        throw .malformedKey(expected: "an Ed25519 public key")
      }
      self = key
    } catch {
      throw ModelFormatError(error, path: url.path)
    }
  }

  /// Writes the key file; does not replace an existing file.
  ///
  /// - Throws: ``ModelFormatError`` with `exists` or `system`.
  public func write(to url: URL) throws(ModelFormatError) {
    try PEM.write(PEM.text(Self.prefix + bytes, label: Self.label), to: url, mode: 0o644)
  }

  /// A short name of the key for display: `ed25519:` and the first 16 hexadecimal digits of the
  /// SHA-256 of its bytes.
  package var fingerprint: String { "ed25519:\(ModelBundle.sha256(bytes).prefix(16))" }

  /// Returns whether a signature matches exactly these bytes and this key.
  public func isValid(_ signature: Data, for bytes: Data) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: self.bytes) else {
      return false
    }
    return key.isValidSignature(signature, for: bytes)
  }
}

/// Key files in textual encoding (RFC 7468), for keys of 32 bytes.
enum PEM {
  private static let maximumLength = 4096

  static func text(_ bytes: Data, label: String) -> String {
    "-----BEGIN \(label)-----\n\(bytes.base64EncodedString())\n-----END \(label)-----\n"
  }

  /// The 32 bytes after the prefix.
  static func contents(
    of url: URL, label: String, prefix: Data
  ) throws(ModelFormatError.Reason) -> Data {
    let expected = "a PEM file of an Ed25519 \(label.lowercased()), as ductus models keygen writes"
    let file = try FileSystem.contents(of: url.path) { length throws(ModelFormatError.Reason) in
      guard length <= maximumLength else { throw .malformedKey(expected: expected) }
    }
    let lines = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.count >= 3, lines.first == "-----BEGIN \(label)-----",
      lines.last == "-----END \(label)-----",
      let bytes = Data(base64Encoded: lines.dropFirst().dropLast().joined()),
      bytes.count == prefix.count + 32, bytes.starts(with: prefix)
    else { throw .malformedKey(expected: expected) }
    return Data(bytes.dropFirst(prefix.count))
  }

  static func write(_ text: String, to url: URL, mode: mode_t) throws(ModelFormatError) {
    guard FileSystem.kind(of: url.path) == nil else {
      throw ModelFormatError(.exists, path: url.path)
    }
    do throws(ModelFormatError.Reason) {
      try FileSystem.write(Data(text.utf8), to: url.path, mode: mode)
    } catch {
      throw ModelFormatError(error, path: url.path)
    }
  }
}

/// A detached Ed25519 signature with the key that it names: the contents of `manifest.sig`.
///
/// One line of text: `ed25519`, the public key and the signature, in Base64, with single spaces.
package struct ModelSignature: Hashable, Sendable {
  /// The greatest length of a signature file, in bytes.
  package static let maximumLength = 256
  static let form = "one line: ed25519, public key and signature in Base64"

  /// The key that the signature names.
  package let key: VerifyingKey
  /// The 64 bytes of the signature.
  package let bytes: Data

  init(key: VerifyingKey, bytes: Data) {
    self.key = key
    self.bytes = bytes
  }

  /// Parses the bytes of a signature file, without verifying the signature.
  ///
  /// - Throws: ``ModelFormatError/Reason/malformedKey(expected:)``.
  package init(fileContents: Data) throws(ModelFormatError.Reason) {
    guard fileContents.count <= Self.maximumLength,
      let text = String(data: fileContents, encoding: .utf8), text.last == "\n"
    else { throw .malformedKey(expected: Self.form) }
    let fields = text.dropLast().split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 3, fields[0] == "ed25519",
      let key = Data(base64Encoded: String(fields[1])).flatMap(VerifyingKey.init(bytes:)),
      let bytes = Data(base64Encoded: String(fields[2])), bytes.count == 64
    else { throw .malformedKey(expected: Self.form) }
    self.init(key: key, bytes: bytes)
  }

  /// The bytes of the signature file.
  package var fileContents: Data {
    Data("ed25519 \(key.bytes.base64EncodedString()) \(bytes.base64EncodedString())\n".utf8)
  }

  /// Returns whether this signature matches exactly these bytes and the key it names. O(bytes).
  package func isValid(for signed: Data) -> Bool {
    key.isValid(bytes, for: signed)
  }
}
