import Foundation
import InkCore
import InkFormats
import Studio
import Testing

@Suite("Gestures on pages") struct PageGestureTests {
  /// The strokes of a case, as large as people write: a word is 9 mm high.
  private func ink(_ name: String) throws -> [PageStroke] {
    let path = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../Cases/gestures/\(name).jsonl").standardized.path
    let record = try #require(try Array(InkReader(.jsonLines, path: path)).first?.get())
    let strokes = record.labeled.ink.strokes
    let box = try #require(Ink(strokes: Array(strokes.prefix(1))).boundingBox)
    let scale = 9 / box.height
    return strokes.map { stroke in
      PageStroke(
        x: stroke.points.map { 60 + ($0.x - box.minX) * scale },
        y: stroke.points.map { 60 + ($0.y - box.minY) * scale })
    }
  }

  @Test("A line downward in a word of one stroke inserts a space, and undo joins the word again")
  func insert() throws {
    let document = try PageDocument(engine: try PageFolder.engine())
    var ink = try ink("insert")
    // The line of the case is twice as high as the word.
    ink[1].y = ink[1].y.map { 64.5 + ($0 - 64.5) * 0.75 }
    let commands = ink.enumerated().map {
      PageCommand(id: "\($0)", action: .strokes([$1]), withGestures: true)
    }
    for command in commands {
      _ = try document.apply(command)
      try document.editor.waitUntilIdle(timeout: 120)
    }
    #expect(try document.editor.export(as: .text) == "hel lo")
    #expect(document.strokeCount == 2 && document.steps.undo == 2)
    #expect(try document.apply(PageCommand(id: "undo", action: .undo)))
    try document.editor.waitUntilIdle(timeout: 120)
    #expect(try document.editor.export(as: .text) == "hello")
    #expect(document.strokeCount == 1)
  }

  @Test("A ring around a word alone, and a box around one of two words, select it and leave no ink")
  func rings() throws {
    for (name, count) in [("surround", 1), ("surround-by-box", 2)] {
      let document = try PageDocument(engine: try PageFolder.engine())
      for (index, stroke) in try ink(name).enumerated() {
        _ = try document.apply(
          PageCommand(id: "\(index)", action: .strokes([stroke]), withGestures: true))
        try document.editor.waitUntilIdle(timeout: 120)
      }
      #expect(document.editor.selection?.items.count == 1)
      #expect(document.strokeCount == count)
    }
  }
}
