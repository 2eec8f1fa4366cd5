import EditorStorage
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Spaces that were set by hand")
struct SpacingTests {
  @Test("They stay when a package is saved, opened, and its ink is read again")
  func stored() throws {
    let shelf = try Shelf()
    let url = shelf.url("spaces")
    do {
      let package = try shelf.engine.createPackage(at: url)
      let part = try package.makePart(type: "Text")
      let editor = try edit(part)
      try editor.write(Pen.strokes("hello wo rld", x: 20, y: 15))
      // A space into the first word, and one out of the last.
      try editor.write([
        (0..<10).map { StrokePoint(x: 25.5, y: 11 + 0.9 * Double($0)) }
      ])
      #expect(try editor.export(as: .text) == "he llo wo rld")
      let box = try #require(editor.rootBlock?.words.last?.box)
      try editor.write([
        (0..<10).map { StrokePoint(x: box.minX - 2, y: 19 - 0.9 * Double($0)) }
      ])
      #expect(try editor.export(as: .text) == "he llo world")
      try editor.setPart(nil)
      try package.save()
      try package.close()
    }
    let package = try shelf.otherEngine().openPackage(at: url)
    let editor = try edit(package.allParts[0])
    #expect(try editor.export(as: .text) == "he llo world")
    try editor.recognize(again: true)
    try editor.waitUntilIdle()
    #expect(try editor.export(as: .text) == "he llo world")
  }
}
