import EditorStorage
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Tables in packages")
struct TextStructureStorageTests {
  private static let text = "name\tage\nanna\tten\nben\ttwo"

  private func lines(_ editor: Editor) throws -> [TextLineReading] {
    try #require(editor.rootBlock?.children.filter { $0.type == .text }).flatMap(\.lines)
  }

  @Test("They are there without reading the page again, and the ink that follows joins them")
  func stored() throws {
    let shelf = try Shelf()
    let url = shelf.url("table")
    let written: [TextLineReading]
    do {
      let package = try shelf.engine.createPackage(at: url)
      let editor = try edit(try package.makePart(type: "Raw Content"))
      for (row, words) in [["name", "age"], ["anna", "ten"], ["ben", "two"]].enumerated() {
        for (column, word) in words.enumerated() {
          try editor.write(
            Pen.strokes(word, x: 20 + 60 * Double(column), y: 60 + 9 * Double(row)))
        }
      }
      for row in 0..<3 {
        try editor.write(Pen.strokes("plain words follow here", x: 20, y: 110 + 9 * Double(row)))
      }
      written = try lines(editor)
      #expect(written.count { $0.cell != nil } == 6)
      try editor.setPart(nil)
      try package.save()
      try package.close()
    }
    let package = try shelf.otherEngine().openPackage(at: url)
    shelf.reader.forget()
    let editor = try edit(package.allParts[0])
    try editor.waitUntilIdle()
    #expect(shelf.reader.calls.isEmpty)
    #expect(try lines(editor) == written)
    #expect(try editor.export(as: .text).contains(Self.text))
    try editor.write(Pen.strokes("s", x: 92, y: 78))
    #expect(try editor.export(as: .text).contains(Self.text + " s"))
  }
}
