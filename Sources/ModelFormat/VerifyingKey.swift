import Crypto
import Foundation

/// A public Ed25519 key: whose signatures are to be trusted.
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

  /// Makes a key of its 32 bytes, for keys that are part of a program; nil where they are none.
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

  /// Writes the key file; a file that stands there is left alone.
  ///
  /// - Throws: ``ModelFormatError`` with `exists` or `system`.
  public func write(to url: URL) throws(ModelFormatError) {
    try PEM.write(PEM.text(Self.prefix + bytes, label: Self.label), to: url, mode: 0o644)
  }

  /// A short name of the key for people: `ed25519:` and the first 16 hexadecimal digits of the
  /// SHA-256 of its bytes.
  public var fingerprint: String { "ed25519:\(ModelBundle.sha256(bytes).prefix(16))" }

  /// Whether a signature is of exactly these bytes by this key.
  public func isValid(_ signature: Data, for bytes: Data) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: self.bytes) else {
      return false
    }
    return key.isValidSignature(signature, for: bytes)
  }
}
