import DuctusKit
import Foundation
import Testing

@Suite("The documents")
struct DocsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func page(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("Examples/ of this target is what the pages have; scripts/doc-examples writes it again")
  func examples() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", Self.root.appendingPathComponent("scripts/doc-examples").path, "--check",
    ]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: text, as: UTF8.self))")
  }

  @Test("The example of Shipping.md makes a manager that trusts the key of 'models keygen'")
  func shipping() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("release.key.pub")
    let key = SigningKey()
    try key.verifyingKey.write(to: file)
    #expect(try VerifyingKey(contentsOf: file) == key.verifyingKey)
    let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
    _ = try ModelManager(
      storage: folder, catalog: nowhere, trustedKeys: [VerifyingKey(contentsOf: file)])
    let none = folder.appendingPathComponent("none.pub")
    // The key is read first, before anything else of the example.
    await #expect(throws: ModelFormatError.self) { try await exampleShipping2(nowhere, none) }
  }

  @Test("The documents count the languages as the table of known languages does")
  func languages() throws {
    // English is a model of its own; all others are packs.
    let latin = KnownLanguages.languages(script: "Latn")
    let others = ["Cyrl", "Grek", "Geor", "Hebr", "Armn"].reduce(0) {
      $0 + KnownLanguages.languages(script: $1).count
    }
    let packs = latin.count - 1
    let pages = ["README.md", "docs/Languages.md", "docs/Compatibility.md", "docs/Data.md"]
    var found = 0
    for name in pages {
      for match in try Self.page(name).matches(of: /\b(\d\d) languages of the Latin script/) {
        found += 1
        #expect(Int(match.output.1) == packs + 1, "\(name)")
      }
      for match in try Self.page(name).matches(of: /packs of (?:all )?(\d\d) languages\b(?! with)/)
      {
        found += 1
        #expect(Int(match.output.1) == packs, "\(name)")
      }
    }
    #expect(found > 0)
    let letters = latin.count { $0.availability == .lettersOnly }
    let readme = try Self.page("README.md")
    #expect(readme.contains("packs of \(packs - letters) languages with a language model"))
    #expect(readme.contains("packs of \(letters) languages with letters only"))
    #expect(readme.contains("\(others) languages of these scripts"))
  }

  @Test("The README gives the figures that an app gets, as RESULTS.md has them")
  func figures() throws {
    let readme = try Self.page("README.md")
    let row = try #require(
      try Self.page("RESULTS.md").firstMatch(
        of: /the same, area from sizes alone \| [\d,]+ \| top-1, top-3 \| ([\d.]+), ([\d.]+)/))
    let values = [row.output.1, row.output.2].compactMap { Double($0) }
    try #require(values.count == 2)
    let text = String(format: "%.1f %% right, %.1f %% in the top 3", values[0], values[1])
    #expect(readme.contains(text), "\(text)")
  }
}
