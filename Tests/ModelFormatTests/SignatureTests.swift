import Foundation
import ModelFormat
import Testing

@Suite("Signatures of bundles")
struct SignatureTests {
  @Test("A signed bundle names its signer, and is accepted only if the signer is trusted")
  func signed() throws {
    let folder = try TemporaryFolder()
    let key = SigningKey()
    try Samples.writer().write(to: folder.bundle)
    #expect(try ModelBundle.open(folder.bundle).signature == nil)
    let signature = folder.bundle.appendingPathComponent("manifest.sig").path
    #expect(throws: ModelFormatError(.missing, path: signature)) {
      try ModelBundle.open(folder.bundle).requireSigner(among: [key.verifyingKey])
    }
    let bundle = try ModelBundle.sign(folder.bundle, with: key)
    #expect(bundle.signature?.key == key.verifyingKey)
    try bundle.requireSigner(among: [SigningKey().verifyingKey, key.verifyingKey])
    #expect(
      throws: ModelFormatError(
        .untrustedSigner(fingerprint: key.verifyingKey.fingerprint), path: signature)
    ) { try bundle.requireSigner(among: [SigningKey().verifyingKey]) }
    #expect(try folder.names() == ["m.ductus"])
  }

  @Test("A manifest changed after signing is refused, while its files are still verified")
  func changedManifest() throws {
    let folder = try TemporaryFolder()
    try Samples.writer().write(to: folder.bundle)
    try ModelBundle.sign(folder.bundle, with: SigningKey())
    let manifest = folder.bundle.appendingPathComponent("manifest.json")
    var bytes = try Data(contentsOf: manifest)
    bytes.append(UInt8(ascii: "\n"))
    try bytes.write(to: manifest)
    let path = folder.bundle.appendingPathComponent("manifest.sig").path
    #expect(throws: ModelFormatError(.signatureMismatch, path: path)) {
      try ModelBundle.open(folder.bundle)
    }
    #expect(throws: ModelFormatError(.signatureMismatch, path: path)) {
      try ModelBundle.signature(of: folder.bundle)
    }
    #expect(try ModelBundle.openIgnoringSignature(folder.bundle).signature == nil)
    try ModelBundle.sign(folder.bundle, with: SigningKey())
    _ = try ModelBundle.open(folder.bundle)
  }

  @Test("Any changed byte of a signature is refused")
  func changedSignature() throws {
    let folder = try TemporaryFolder()
    try Samples.writer().write(to: folder.bundle)
    try ModelBundle.sign(folder.bundle, with: SigningKey())
    let url = folder.bundle.appendingPathComponent("manifest.sig")
    let good = try Data(contentsOf: url)
    for index in good.indices {
      var bad = good
      bad[index] = bad[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      try bad.write(to: url)
      // The last digits of Base64 have unused bits, so that different texts give the same bytes.
      let isSame =
        (try? ModelSignature(fileContents: bad)) == (try ModelSignature(fileContents: good))
      if !isSame {
        #expect(throws: ModelFormatError.self, "byte \(index)") {
          try ModelBundle.open(folder.bundle)
        }
      }
    }
    for bad in [Data(), good.dropLast(), good + good, Data(count: 64), Data(count: 10_000)] {
      try bad.write(to: url)
      #expect(throws: ModelFormatError.self) { try ModelBundle.open(folder.bundle) }
    }
  }

  @Test("A link in the place of the signature is refused")
  func link() throws {
    let folder = try TemporaryFolder()
    try Samples.writer().write(to: folder.bundle)
    let url = folder.bundle.appendingPathComponent("manifest.sig")
    try FileManager.default.createSymbolicLink(
      at: url, withDestinationURL: folder.url.appendingPathComponent("elsewhere"))
    #expect(throws: ModelFormatError(.notARegularFile, path: url.path)) {
      try ModelBundle.open(folder.bundle)
    }
  }

  @Test("Keys are written and read, the private one only by its owner, and never replaced")
  func keyFiles() throws {
    let folder = try TemporaryFolder()
    let key = SigningKey()
    let secret = folder.url.appendingPathComponent("k")
    let open = folder.url.appendingPathComponent("k.pub")
    try key.write(to: secret)
    try key.verifyingKey.write(to: open)
    #expect(try SigningKey(contentsOf: secret).verifyingKey == key.verifyingKey)
    #expect(try VerifyingKey(contentsOf: open) == key.verifyingKey)
    let mode = try FileManager.default.attributesOfItem(atPath: secret.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(throws: ModelFormatError(.exists, path: secret.path)) {
      try SigningKey().write(to: secret)
    }
    #expect(throws: ModelFormatError.self) { try SigningKey(contentsOf: open) }
    #expect(throws: ModelFormatError.self) { try VerifyingKey(contentsOf: secret) }
    #expect(throws: ModelFormatError.self) {
      try VerifyingKey(contentsOf: folder.url.appendingPathComponent("none"))
    }
  }

  @Test("Keys and signatures follow RFC 8410 and RFC 8032")
  func knownKeys() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("key")
    // RFC 8410, 10.3.
    try Data(
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      -----END PRIVATE KEY-----

      """.utf8
    ).write(to: url)
    let key = try SigningKey(contentsOf: url)
    // RFC 8410, 10.1: the public key of the same example.
    let expected = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
    let open = folder.url.appendingPathComponent("key.pub")
    try key.verifyingKey.write(to: open)
    #expect(
      try String(contentsOf: open, encoding: .utf8)
        == "-----BEGIN PUBLIC KEY-----\n\(expected)\n-----END PUBLIC KEY-----\n")
    // RFC 8032, 7.1, test 1: the empty message.
    let bytes = try #require(
      hexadecimal("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
    let signature = try #require(
      hexadecimal(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b4"
          + "6bd25bf5f0595bbe24655141438e7a100b"))
    let verifying = try #require(VerifyingKey(bytes: bytes))
    #expect(verifying.isValid(signature, for: Data()))
    #expect(!verifying.isValid(signature, for: Data([0])))
  }

  @Test("A copy of a bundle has its bytes and signature, a changed copy neither")
  func copies() throws {
    let folder = try TemporaryFolder()
    try Samples.writer().write(to: folder.bundle)
    let bundle = try ModelBundle.sign(folder.bundle, with: SigningKey())
    let other = folder.url.appendingPathComponent("other.ductus")
    let copy = try ModelBundleWriter(copying: bundle).write(to: other)
    #expect(copy.manifestBytes == bundle.manifestBytes)
    #expect(copy.signature == bundle.signature)
    var writer = try ModelBundleWriter(copying: bundle)
    writer.change { $0.version = 7 }
    writer.remove(role: "language")
    try writer.add(part: "other.ngram", role: "language", data: Data([1]))
    let changed = try writer.write(to: other)
    #expect(changed.signature == nil)
    #expect(changed.manifest.modelVersion == 7)
    #expect(changed.manifest.parts.map(\.name) == ["network.safetensors", "other.ngram"])
  }

  private func hexadecimal(_ text: String) -> Data? {
    var bytes = Data()
    var rest = text[...]
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
