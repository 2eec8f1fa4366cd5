import Crypto
import Foundation

/// A private Ed25519 key (RFC 8032) that signs models and catalogues.
///
/// On disk it is a PEM file of PKCS #8 (RFC 8410), readable by its owner alone, as other tools
/// write and read it.
public struct SigningKey: Sendable {
  private static let label = "PRIVATE KEY"
  // PKCS #8 of an Ed25519 key: all but the 32 bytes of the seed is the same for every key.
  private static let prefix = Data([
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ])

  private let key: Curve25519.Signing.PrivateKey

  /// Makes a new random key.
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

  /// The key that checks this key's signatures.
  public var verifyingKey: VerifyingKey { VerifyingKey(key.publicKey) }

  /// Writes the key file, mode 0600; a file that stands there is left alone.
  ///
  /// - Throws: ``ModelFormatError`` with `exists` or `system`.
  public func write(to url: URL) throws(ModelFormatError) {
    let text = PEM.text(Self.prefix + key.rawRepresentation, label: Self.label)
    try PEM.write(text, to: url, mode: 0o600)
  }

  /// The signature of exactly these bytes.
  ///
  /// - Throws: ``ModelFormatError/Reason/system(operation:code:)`` where there is no randomness.
  public func signature(of bytes: Data) throws(ModelFormatError.Reason) -> ModelSignature {
    guard let signature = try? key.signature(for: bytes) else {
      throw .system(operation: "signing", code: EIO)
    }
    return ModelSignature(key: verifyingKey, bytes: signature)
  }
}
