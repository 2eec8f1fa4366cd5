import FaultServer
import Foundation
import ModelFormat
import ModelServer
import ModelStore
import Recognition
import Testing

@Suite("Catalog", .timeLimit(.minutes(20)))
struct CatalogTests {
  private static let hash = String(repeating: "a", count: 64)

  private static func entry(_ identifier: String) -> Catalog.Entry {
    Catalog.Entry(
      identifier: identifier, name: "N", kind: "glyph", version: 1, languages: ["en"],
      manifest: .init(length: 1, sha256: hash),
      parts: [.init(name: "p", role: "network", length: 2, sha256: hash)])
  }

  private static func catalog(_ entries: [Catalog.Entry] = [entry("m")]) -> Catalog {
    Catalog(formatVersion: 1, version: 1, expires: "2030-01-02T03:04:05Z", entries: entries)
  }

  @Test("A written catalogue is read unchanged")
  func roundTrip() throws {
    let catalog = Self.catalog()
    let bytes = try catalog.serialized()
    #expect(try Catalog(parsing: bytes) == catalog)
    #expect(try Catalog(parsing: bytes).serialized() == bytes)
  }

  @Test("A newer format is reported before anything else")
  func newer() {
    #expect(throws: ModelFormatError.Reason.newerFormatVersion(found: 2, supported: 1)) {
      try Catalog(parsing: Data(#"{"formatVersion": 2, "entries": 7}"#.utf8))
    }
  }

  @Test("An unknown kind does not affect other models")
  func unknownKind() throws {
    var strange = Self.entry("strange")
    strange.kind = "page"
    let catalog = try Catalog(parsing: Self.catalog([strange, Self.entry("m")]).serialized())
    #expect(catalog.entries.first?.description == nil)
    #expect(try catalog.entry(for: "en")?.identifier == "m")
  }

  @Test("Paths out of the store, overflows and deceptive entries are refused")
  func refused() throws {
    let changes: [(inout Catalog) -> Void] = [
      { $0.version = 0 }, { $0.expires = "tomorrow" }, { $0.entries.append(Self.entry("M")) },
      { $0.entries[0].identifier = "../m" }, { $0.entries[0].identifier = "" },
      { $0.entries[0].version = 0 }, { $0.entries[0].manifest.sha256 = "../../x" },
      { $0.entries[0].manifest.length = -1 }, { $0.entries[0].manifest.length = .max },
      { $0.entries[0].parts[0].name = "../p" }, { $0.entries[0].parts[0].name = "manifest.json" },
      { $0.entries[0].parts[0].length = -1 }, { $0.entries[0].parts[0].length = .max },
      { $0.entries[0].parts[0].sha256 = Self.hash.uppercased() },
      { $0.entries[0].parts += $0.entries[0].parts },
    ]
    for (index, change) in changes.enumerated() {
      var catalog = Self.catalog()
      change(&catalog)
      let bytes = try JSONEncoder().encode(catalog)
      #expect(throws: ModelFormatError.Reason.self, "change \(index)") {
        try Catalog(parsing: bytes)
      }
    }
    for text in [
      "", "{}", "[]", "{\"formatVersion\": 1}", "{\"formatVersion\":1,\"formatVersion\":1}",
    ] {
      #expect(throws: ModelFormatError.Reason.self) { try Catalog(parsing: Data(text.utf8)) }
    }
  }

  @Test("Publishing keeps earlier models, and replaces only by higher versions")
  func publish() throws {
    let folder = try TemporaryFolder()
    let site = folder.url.appendingPathComponent("site")
    let publisher = CatalogPublisher(key: SigningKey())
    let a = try Samples.write("a", to: folder.url)
    let b = try Samples.write("b", languages: ["de"], seed: 2, to: folder.url)
    #expect(try publisher.publish([a], to: site).version == 1)
    let both = try publisher.publish([b], to: site)
    #expect(both.version == 2)
    #expect(both.entries.map(\.identifier) == ["a", "b"])
    #expect(try publisher.publish([a], to: site).entries == both.entries)
    let changed = try Samples.write("a", seed: 3, to: folder.url)
    #expect(throws: ModelStoreError.downgradeRefused("a", known: 1, offered: 1)) {
      try publisher.publish([changed], to: site)
    }
    let higher = try Samples.write("a", version: 2, seed: 3, to: folder.url)
    #expect(try publisher.publish([higher], to: site).entry(for: "a")?.version == 2)
    #expect(both.search("MODEL B").map(\.identifier) == ["b"])
    #expect(both.languageIndex.elements(script: "Latn").count == 2)
    let bytes = try Data(contentsOf: site.appendingPathComponent("catalog.json"))
    let signature = try ModelSignature(
      fileContents: Data(contentsOf: site.appendingPathComponent("catalog.sig")))
    #expect(signature.isValid(for: bytes))
  }

  @Test("The server serves the catalogue and blobs with ranges and tags, and nothing else")
  func server() async throws {
    let folder = try TemporaryFolder()
    let site = folder.url.appendingPathComponent("site")
    let key = SigningKey()
    let extra = Samples.bytes(700_000, seed: 1)
    try CatalogPublisher(key: key).publish(
      [try Samples.write("m", extra: extra, to: folder.url)], to: site)
    try Data("secret".utf8).write(to: folder.url.appendingPathComponent("secret"))
    try Data("secret".utf8).write(to: site.appendingPathComponent("secret"))
    let server = try CatalogServer(folder: site, port: 0)
    let running = Task { try await server.run() }
    defer { running.cancel() }
    let url = try #require(try await server.waitUntilListening())
    let transport = URLSessionTransport()
    let blob = url.appendingPathComponent("blobs/sha256/\(ModelBundle.sha256(extra))")
    func get(_ url: URL, offset: Int = 0, tag: String? = nil) async throws -> (
      TransportResponse, Data
    ) {
      let response = try await transport.get(
        TransportRequest(url: url, offset: offset, entityTag: tag, maximumLength: 1 << 20))
      var bytes = Data()
      for try await chunk in response.body { bytes += chunk }
      return (response, bytes)
    }
    let (whole, bytes) = try await get(blob)
    #expect(whole.statusCode == 200 && bytes == extra)
    let tag = try #require(whole.entityTag)
    let (part, rest) = try await get(blob, offset: 600_000, tag: tag)
    #expect(part.statusCode == 206 && rest == extra.dropFirst(600_000))
    #expect(part.contentRange == "bytes 600000-699999/700000")
    let (changed, again) = try await get(blob, offset: 600_000, tag: "\"other\"")
    #expect(changed.statusCode == 200 && again == extra)
    #expect(try await get(blob, offset: 700_000, tag: tag).0.statusCode == 416)
    for path in ["secret", "../secret", "%2e%2e/secret", "blobs", "", "blobs/sha256/../../secret"] {
      let hidden = try #require(URL(string: url.absoluteString + path))
      #expect(try await get(hidden).0.statusCode == 404, "\(path)")
    }
    let manager = try ModelManager(
      storage: folder.url.appendingPathComponent("store"), catalog: url,
      trustedKeys: [key.verifyingKey])
    #expect(try await manager.download("en").installed().identifier == "m")
  }
}
