import Foundation
import ModelFormat
import Testing

@Suite("Parts that models share")
struct SharedPartsTests {
  /// Bytes that no other test has, so that no other place has them either.
  private static func unique() -> Data { Data("network \(UUID().uuidString)".utf8) }

  private static func writeBase(_ network: Data, to folder: URL) throws -> ModelBundle {
    var manifest = Samples.manifest()
    manifest.identifier = "lines"
    var writer = ModelBundleWriter(manifest: manifest)
    try writer.add(
      part: "network.safetensors", role: ModelManifest.Part.networkRole, data: network)
    return try writer.write(to: folder.appendingPathComponent("lines.ductus"))
  }

  private static func pack(sharing base: ModelBundle) throws -> ModelBundleWriter {
    var manifest = base.manifest
    (manifest.identifier, manifest.languages) = ("cs", ["cs"])
    var writer = ModelBundleWriter(manifest: manifest)
    for part in base.manifest.parts { try writer.share(part, with: base.manifest.identifier) }
    try writer.add(
      part: "language.json", role: ModelManifest.Part.rulesRole, data: Data("{}".utf8))
    writer.omitsSharedParts = true
    return writer
  }

  @Test("A pack finds the network in the bundle beside it and does not copy it")
  func beside() throws {
    let folder = try TemporaryFolder()
    let network = Self.unique()
    let base = try Self.writeBase(network, to: folder.url)
    let url = folder.url.appendingPathComponent("cs.ductus")
    let pack = try Self.pack(sharing: base).write(to: url)
    #expect(pack.manifest.formatVersion == 3)
    #expect(pack.borrowedParts == ["network.safetensors"])
    #expect(try pack.data(for: "network.safetensors") == network)
    #expect(pack.manifest.ownByteCount == 2)
    #expect(
      !FileManager.default.fileExists(
        atPath: url.appendingPathComponent("network.safetensors").path))
  }

  @Test("Without the other model the error names the part and the model")
  func missing() throws {
    let folder = try TemporaryFolder()
    let base = try Self.writeBase(Self.unique(), to: folder.url)
    let url = folder.url.appendingPathComponent("cs.ductus")
    let part = try #require(base.manifest.parts.first)
    // Written, but not opened: an open pack would keep the part in memory.
    try Self.pack(sharing: base).write(to: url, modelCard: nil) { _ in }
    try FileManager.default.removeItem(at: base.url)
    #expect(
      throws: ModelFormatError(
        .missingSharedPart("network.safetensors", sha256: part.sha256, model: "lines"),
        path: url.appendingPathComponent("network.safetensors").path)
    ) { try ModelBundle.open(url) }
  }

  @Test("A file with the right name and other bytes is not used")
  func otherBytes() throws {
    let folder = try TemporaryFolder()
    let network = Self.unique()
    let base = try Self.writeBase(network, to: folder.url)
    let url = folder.url.appendingPathComponent("cs.ductus")
    try Self.pack(sharing: base).write(to: url, modelCard: nil) { _ in }
    try Data(network.reversed()).write(
      to: base.url.appendingPathComponent("network.safetensors"))
    #expect(throws: ModelFormatError.self) { try ModelBundle.open(url) }
  }

  @Test("The blobs of a store are a place of parts")
  func store() throws {
    let folder = try TemporaryFolder()
    let network = Self.unique()
    let base = try Self.writeBase(network, to: folder.url)
    let store = folder.url.appendingPathComponent("store")
    let blobs = store.appendingPathComponent("blobs")
    try FileManager.default.createDirectory(at: blobs, withIntermediateDirectories: true)
    try network.write(to: blobs.appendingPathComponent(ModelBundle.sha256(network)))
    let alone = folder.url.appendingPathComponent("alone")
    try FileManager.default.createDirectory(at: alone, withIntermediateDirectories: true)
    let url = alone.appendingPathComponent("cs.ductus")
    try Self.pack(sharing: base).write(to: url, modelCard: nil) { _ in }
    #expect(throws: ModelFormatError.self) { try ModelBundle.open(url) }
    SharedParts.add { [store] }
    #expect(try ModelBundle.open(url).data(for: "network.safetensors") == network)
  }

  @Test("A copy of a pack is whole, keeps its signature and needs no other model")
  func copy() throws {
    let folder = try TemporaryFolder()
    let base = try Self.writeBase(Self.unique(), to: folder.url)
    let url = folder.url.appendingPathComponent("cs.ductus")
    try Self.pack(sharing: base).write(to: url)
    let signed = try ModelBundle.sign(url, with: SigningKey())
    let alone = folder.url.appendingPathComponent("alone")
    try FileManager.default.createDirectory(at: alone, withIntermediateDirectories: true)
    let copy = try ModelBundleWriter(copying: signed).write(
      to: alone.appendingPathComponent("cs.ductus"))
    #expect(copy.borrowedParts.isEmpty)
    #expect(copy.signature == signed.signature)
    #expect(copy.manifestBytes == signed.manifestBytes)
  }

  @Test("Only format 3 may have shared parts, and the model's name must be portable")
  func format() throws {
    var manifest = Samples.manifest()
    let part = ModelManifest.Part(
      name: "network.safetensors", role: "network", length: 1,
      sha256: String(repeating: "a", count: 64), sharedWith: "lines")
    manifest.parts = [part]
    #expect(
      throws: ModelFormatError.Reason.invalidField(
        "parts[0].sharedWith", expected: "none before format 3")
    ) { try manifest.validate() }
    manifest.formatVersion = 3
    try manifest.validate()
    manifest.parts[0].sharedWith = "../lines"
    #expect(throws: ModelFormatError.Reason.self) { try manifest.validate() }
  }
}
