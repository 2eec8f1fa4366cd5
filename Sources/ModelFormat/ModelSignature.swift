import Foundation

/// A detached Ed25519 signature and the key that it claims: the contents of `manifest.sig`.
///
/// One line of text: `ed25519`, the public key and the signature, in Base64, with single spaces.
public struct ModelSignature: Hashable, Sendable {
  /// No file of a signature is longer, in bytes.
  public static let maximumLength = 256
  static let form = "one line: ed25519, public key and signature in Base64"

  /// The key that the signature names.
  public let key: VerifyingKey
  /// The 64 bytes of the signature.
  public let bytes: Data

  init(key: VerifyingKey, bytes: Data) {
    self.key = key
    self.bytes = bytes
  }

  /// Reads the bytes of a signature file. Says nothing of whether the signature is right.
  ///
  /// - Throws: ``ModelFormatError/Reason/malformedKey(expected:)``.
  public init(fileContents: Data) throws(ModelFormatError.Reason) {
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
  public var fileContents: Data {
    Data("ed25519 \(key.bytes.base64EncodedString()) \(bytes.base64EncodedString())\n".utf8)
  }

  /// Whether this is a signature of exactly these bytes by the key it names. O(bytes).
  public func isValid(for signed: Data) -> Bool {
    key.isValid(bytes, for: signed)
  }
}
