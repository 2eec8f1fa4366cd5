import FaultServer
import Foundation
import ModelFormat
import ModelStore
import Recognition
import Testing

@Suite("Language packs in a store", .timeLimit(.minutes(20)))
struct PackTests {
  /// A base with a large part, and a pack that shares everything except a part of its own.
  private static func write(
    seed: UInt64, to folder: URL
  ) throws -> (base: URL, pack: URL, shared: ModelManifest.Part) {
    let base = try Samples.write(
      "lines", seed: seed, extra: Samples.bytes(500_000, seed: seed), to: folder)
    let bundle = try ModelBundle.open(base)
    var writer = ModelBundleWriter(manifest: bundle.manifest)
    writer.change { ($0.identifier, $0.languages) = ("cs", ["cs"]) }
    for part in bundle.manifest.parts { try writer.share(part, with: "lines") }
    try writer.add(
      part: "words.txt", role: ModelManifest.Part.wordsRole, data: Samples.bytes(2000, seed: seed))
    writer.omitsSharedParts = true
    let pack = folder.appendingPathComponent("cs.ductus")
    try writer.write(to: pack)
    let shared = try #require(bundle.manifest.parts.first { $0.name == "extra.bin" })
    return (base, pack, shared)
  }

  @Test("A pack fetches only its own parts if the shared ones are installed")
  func ownParts() async throws {
    let site = try Site()
    let (base, pack, shared) = try Self.write(seed: 71, to: site.folder.url)
    try site.publish(base, pack)
    let manager = try site.manager()
    for try await _ in manager.download("lines") {}
    // The site loses the shared part: only the store has it.
    try FileManager.default.removeItem(
      at: site.site.appendingPathComponent("blobs/sha256/\(shared.sha256)"))
    let before = manager.occupiedBytes
    for try await _ in manager.download("cs") {}
    #expect(manager.isDownloaded("cs-CZ"))
    #expect(manager.occupiedBytes - before < 20_000)
    // The pack stays whole when the other model is deleted.
    try manager.deleteNow("lines")
    #expect(try manager.verify("cs").damage == nil)
  }

  @Test("A pack takes shared parts from a folder that the program has named")
  func namedFolder() async throws {
    let site = try Site()
    let (base, pack, shared) = try Self.write(seed: 72, to: site.folder.url)
    try site.publish(base, pack)
    try FileManager.default.removeItem(
      at: site.site.appendingPathComponent("blobs/sha256/\(shared.sha256)"))
    let folder = site.folder.url
    SharedParts.add { [folder] }
    let manager = try site.manager()
    for try await _ in manager.download("cs") {}
    #expect(try manager.verify("cs").damage == nil)
  }

  @Test("A folder with a pack is installed whole")
  func install() throws {
    let site = try Site()
    let (_, pack, _) = try Self.write(seed: 73, to: site.folder.url)
    let manager = try site.manager()
    let model = try manager.install(from: pack)
    #expect(try ModelBundle.open(model.url).borrowedParts.isEmpty)
    #expect(try manager.verify("cs").damage == nil)
  }
}
