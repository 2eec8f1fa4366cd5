import Foundation
import Testing

@Suite("The documents")
struct DocumentTests {
  /// The folder of the repository.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  @Test(
    "The pages that everybody reads stay short",
    arguments: [
      ("README.md", 150), ("RESULTS.md", 200), ("ROADMAP.md", 90), ("CONTRIBUTING.md", 80),
    ])
  func length(name: String, most: Int) throws {
    let lines = try Self.text(name).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count - 1 <= most, "\(name) has \(lines.count - 1) lines")
  }

  @Test("RESULTS.md has at most six tables")
  func tables() throws {
    let rules = try Self.text("RESULTS.md").split(separator: "\n").filter { $0.hasPrefix("|---") }
    #expect(rules.count <= 6)
  }

  @Test("Every row of the baseline has a command and figures, and every model that ships its size")
  func baseline() throws {
    let bytes = try Data(contentsOf: Self.root.appendingPathComponent("Benchmarks/baseline.json"))
    let baseline = try JSONDecoder().decode(Baseline.self, from: bytes)
    #expect(
      Set(["latin-lines", "latin-characters", "shapes", "gestures"]) == Set(baseline.models.keys))
    for row in baseline.rows {
      #expect(!row.command.isEmpty && !row.figures.isEmpty, "\(row.model), \(row.data)")
    }
  }

  private struct Baseline: Decodable {
    struct Model: Decodable {
      var bytes: Int
    }

    struct Row: Decodable {
      var model: String
      var data: String
      var command: String
      var figures: [String: Figure]
    }

    /// A number, a number with its interval, or numbers by name.
    struct Figure: Decodable {
      init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer().decode(Double.self) {
          guard value.isFinite, value >= 0 else {
            throw DecodingError.dataCorrupted(
              .init(codingPath: decoder.codingPath, debugDescription: "expected 0 or more"))
          }
        } else {
          _ = try [String: Figure](from: decoder)
        }
      }
    }

    var models: [String: Model]
    var rows: [Row]
  }
}
