import Foundation
import ModelFormat
import Testing

@Suite("ModelBundle")
struct ModelBundleTests {
  @Test("A written bundle is opened unchanged")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let writer = try Samples.writer()
    let written = try writer.write(to: folder.bundle)
    let opened = try ModelBundle.open(folder.bundle)
    #expect(opened.manifest == writer.manifest)
    #expect(written.manifest == writer.manifest)
    #expect(try opened.data(for: "network.safetensors") == Samples.network)
    #expect(try opened.data(for: "language.ngram") == Data())
    #expect(opened.byteCount == opened.manifestBytes.count + 1000)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.bundle.path).sorted()
        == ["MODELCARD.md", "language.ngram", "manifest.json", "network.safetensors"])
    #expect(try folder.names() == ["m.ductus"])
  }

  @Test("The hash of a part is the SHA-256 of FIPS 180-4")
  func knownHash() {
    #expect(
      ModelBundle.sha256(Data("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("The same manifest gives the same bytes, read and written again")
  func stableManifest() throws {
    let folder = try TemporaryFolder()
    let bundle = try Samples.writer().write(to: folder.bundle)
    #expect(try bundle.manifest.serialized() == bundle.manifestBytes)
  }

  @Test("The error for a missing part names it")
  func unknownPart() throws {
    let folder = try TemporaryFolder()
    let bundle = try Samples.writer().write(to: folder.bundle)
    #expect(throws: ModelFormatError(.unknownPart("x"), path: folder.bundle.path)) {
      try bundle.data(for: "x")
    }
  }

  @Test("A path with nothing at it is refused")
  func missing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ModelFormatError(.missing, path: folder.bundle.path)) {
      try ModelBundle.open(folder.bundle)
    }
  }

  @Test("A file in the place of the folder is refused")
  func notAFolder() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.bundle)
    #expect(throws: ModelFormatError(.notAFolder, path: folder.bundle.path)) {
      try ModelBundle.open(folder.bundle)
    }
  }

  @Test(
    "A bundle without a file of its own is refused", arguments: ["manifest.json", "language.ngram"])
  func missingFile(name: String) throws {
    try expectRefusal(of: name, .missing) { try FileManager.default.removeItem(at: $0) }
  }

  @Test("A link in the place of a file is refused", arguments: ["manifest.json", "language.ngram"])
  func link(name: String) throws {
    try expectRefusal(of: name, .notARegularFile) { url in
      let real = url.deletingLastPathComponent().appendingPathComponent("real")
      try FileManager.default.moveItem(at: url, to: real)
      try FileManager.default.createSymbolicLink(at: url, withDestinationURL: real)
    }
  }

  @Test("A folder in the place of a part is refused")
  func folderAsPart() throws {
    try expectRefusal(of: "language.ngram", .notARegularFile) { url in
      try FileManager.default.removeItem(at: url)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
  }

  @Test("A pipe in the place of a part is refused without blocking")
  func pipeAsPart() throws {
    try expectRefusal(of: "language.ngram", .notARegularFile) { url in
      try FileManager.default.removeItem(at: url)
      #expect(mkfifo(url.path, 0o600) == 0)
    }
  }

  @Test("A truncated part is refused")
  func shortPart() throws {
    try expectRefusal(of: "network.safetensors", .partLength(expected: 1000, found: 999)) {
      try Samples.network.dropLast().write(to: $0)
    }
  }

  @Test("A part with additional bytes is refused")
  func longPart() throws {
    try expectRefusal(of: "language.ngram", .partLength(expected: 0, found: 1)) {
      try Data([0]).write(to: $0)
    }
  }

  @Test("A part with one bit changed is refused")
  func changedPart() throws {
    var changed = Samples.network
    changed[500] ^= 1
    try expectRefusal(
      of: "network.safetensors",
      .partHash(
        expected: ModelBundle.sha256(Samples.network), found: ModelBundle.sha256(changed))
    ) { try changed.write(to: $0) }
  }

  @Test("The first damaged part of the manifest is named, for any order of reading")
  func damagedParts() throws {
    let folder = try TemporaryFolder()
    let writer = try Samples.writer()
    try writer.write(to: folder.bundle)
    for part in writer.manifest.parts {
      try Data([7]).write(to: folder.bundle.appendingPathComponent(part.name))
    }
    let first = try #require(writer.manifest.parts.first)
    let path = folder.bundle.appendingPathComponent(first.name).path
    for _ in 0..<20 {
      #expect(
        throws: ModelFormatError(.partLength(expected: first.length, found: 1), path: path)
      ) { try ModelBundle.open(folder.bundle) }
    }
  }

  @Test("A manifest that is too long is refused without reading it")
  func longManifest() throws {
    let maximum = ModelManifest.maximumLength
    try expectRefusal(
      of: "manifest.json", .manifestTooLong(bytes: maximum + 1, maximum: maximum)
    ) { try Data(count: maximum + 1).write(to: $0) }
  }

  @Test("Other files in the folder are not read")
  func otherFiles() throws {
    let folder = try TemporaryFolder()
    try Samples.writer().write(to: folder.bundle)
    try Data([1]).write(to: folder.bundle.appendingPathComponent("notes.txt"))
    _ = try ModelBundle.open(folder.bundle)
  }

  @Test("Every reason has its own message")
  func descriptions() {
    let reasons: [ModelFormatError.Reason] = [
      .missing, .notAFolder, .movedAside(to: "x"), .notARegularFile,
      .manifestTooLong(bytes: 2, maximum: 1), .malformedJSON(offset: 1, expected: "{"),
      .duplicateKey("k"), .unknownKey("k"), .newerFormatVersion(found: 2, supported: 1),
      .invalidField("f", expected: "x"), .invalidPartName("../x"), .duplicatePart("p"),
      .unknownPart("p"), .partLength(expected: 1, found: 2), .partHash(expected: "a", found: "b"),
      .malformedKey(expected: "a key"), .signatureMismatch, .exists,
      .untrustedSigner(fingerprint: "ed25519:0"),
      .destinationNotABundle, .system(operation: "reading", code: ENOENT),
    ]
    let texts = reasons.map { ModelFormatError($0, path: "/m.ductus").description }
    #expect(Set(texts).count == reasons.count)
    for text in texts {
      #expect(text.hasPrefix("/m.ductus: "))
      #expect(text.count > 30)
    }
  }

  private func expectRefusal(
    of name: String, _ reason: ModelFormatError.Reason, after change: (URL) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    try Samples.writer().write(to: folder.bundle)
    let url = folder.bundle.appendingPathComponent(name)
    try change(url)
    #expect(throws: ModelFormatError(reason, path: url.path)) {
      try ModelBundle.open(folder.bundle)
    }
  }
}
