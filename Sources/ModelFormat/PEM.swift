import Foundation

/// Key files in textual encoding (RFC 7468), as far as keys of 32 bytes need it.
enum PEM {
  private static let maximumLength = 4096

  static func text(_ bytes: Data, label: String) -> String {
    "-----BEGIN \(label)-----\n\(bytes.base64EncodedString())\n-----END \(label)-----\n"
  }

  /// The 32 bytes behind the prefix.
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
