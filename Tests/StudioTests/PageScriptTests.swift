import Foundation
import PenInput
import Studio
import Testing

@Suite("Scripts of the pages") struct PageScriptTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/Studio/Web/js").standardized

  private static func scripts() throws -> [String: String] {
    let walk = try #require(FileManager.default.enumerator(atPath: folder.path))
    var result: [String: String] = [:]
    for case let name as String in walk where name.hasSuffix(".js") {
      result[name] = try String(
        contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    return result
  }

  @Test("Palms are judged in one place, and with the number of PenInput")
  func palms() throws {
    let scripts = try Self.scripts()
    let palm = try #require(scripts["palm.js"])
    let found = try #require(palm.firstMatch(of: /export const penMemory = (\d+);/))
    #expect(Double(found.1) == PalmRejection().window)
    for (name, text) in scripts where name != "palm.js" {
      #expect(!text.contains(/penMemory =|event\.width/), "\(name)")
    }
  }

  @Test("The radius of the eraser is that of the editor, which tells the page")
  func eraser() throws {
    for (name, text) in try Self.scripts() {
      #expect(!text.contains(/eraserRadius = [1-9]/), "\(name)")
    }
  }

  @Test("Predicted places are drawn, and never become ink or are sent")
  func predictions() throws {
    let scripts = try Self.scripts()
    let users = scripts.filter { $0.value.contains("getPredictedEvents") }.keys.sorted()
    #expect(users == ["pointer.js"])
    #expect(try #require(scripts["page/connection.js"]).contains("predicted") == false)
  }
}
