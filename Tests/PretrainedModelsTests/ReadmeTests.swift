import Foundation
import Testing

@Suite("The README's Swift") struct ReadmeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ url: URL) throws -> String {
    try String(contentsOf: url, encoding: .utf8)
  }

  /// The Swift blocks of the README, line by line, without indentation.
  private static func snippets() throws -> [[String]] {
    try text(root.appendingPathComponent("README.md")).components(separatedBy: "```swift\n")
      .dropFirst().map { lines(of: $0.components(separatedBy: "\n```")[0]) }
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("Each snippet is compiled in this target, line by line")
  func compiled() throws {
    let code = try Self.lines(
      of: Self.text(Self.folder.appendingPathComponent("ReadmeExamples.swift")))
    let snippets = try Self.snippets().filter { $0.first != "// Package.swift" }
    #expect(snippets.count == 2)
    for snippet in snippets {
      let statements = snippet.filter { !$0.hasPrefix("import ") }
      #expect(code.contains(statements), "\(snippet.first ?? "an empty snippet")")
      #expect(snippet.count <= 8)
    }
  }

  @Test("The products that it names are in the manifest")
  func products() throws {
    let manifest = try Self.text(Self.root.appendingPathComponent("Package.swift"))
    let named = try Self.snippets().filter { $0.first == "// Package.swift" }.flatMap { $0 }
      .compactMap { $0.firstMatch(of: /\.product\(name: "(\w+)", package: "ductus"\)/)?.1 }
    #expect(!named.isEmpty)
    for name in named { #expect(manifest.contains(".library(name: \"\(name)\"")) }
  }

  @Test("The first screen reads what it says")
  func reads() async throws {
    #expect(try await readmeFirstScreen() == "7")
  }
}
