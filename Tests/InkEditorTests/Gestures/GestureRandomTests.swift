import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Random gestures over text", .serialized)
struct GestureRandomTests {
  private static let words = ["abc", "hello", "wow", "def", "ghi", "xyz", "a", "no"]

  private static func stroke(_ random: inout SeededGenerator) -> [StrokePoint] {
    let x = Double(20 + random.index(below: 120))
    let y = Double(12 + random.index(below: 40))
    let width = Double(3 + random.index(below: 30))
    let box = BoundingBox(minX: x, minY: y - 2, maxX: x + width, maxY: y + 3)
    return switch random.index(below: 6) {
    case 0: GestureInk.zigzag(box)
    case 1: GestureInk.loop(box)
    case 2: GestureInk.line(from: (x, y), to: (x + width, y + 0.3))
    case 3: GestureInk.line(from: (x, y - 5), to: (x + 0.4, y + 5))
    case 4: GestureInk.line(from: (x, y + 5), to: (x + 0.4, y - 5))
    default: Pen.strokes(words[random.index(below: words.count)], x: x, y: y)[0]
    }
  }

  /// The place where two texts begin to differ.
  private static func difference(_ one: String, _ other: String) -> String {
    let count = zip(one, other).prefix { $0 == $1 }.count
    return [one, other].map { String($0.dropFirst(max(0, count - 120)).prefix(240)) }
      .joined(separator: " instead of ")
  }

  @Test(
    "The document stays right, and undo and redo give the identical document",
    arguments: ["Text", "Raw Content", "Diagram", "Text Document", "Drawing"], UInt64(1)...8)
  func random(_ type: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let desk = try Desk(type: type) { editor in
      try editor.configuration.set("raw-content.pen.gestures", to: GestureKind.names)
      if seed.isMultiple(of: 2) {
        try editor.configuration.set("gesture.strike-through.action", to: "erase")
        try editor.configuration.set("gesture.surround.action", to: "highlight")
      }
    }
    for row in 0..<3 {
      var x = 20.0
      for _ in 0..<4 {
        let word = Self.words[random.index(below: Self.words.count)]
        try desk.write(word, x: x, y: 15 + 10 * Double(row))
        x += 3 * Double(word.count) + 4
      }
    }
    try desk.editor.waitUntilIdle()
    var documents = [try desk.editor.export(as: .jiix)]
    for _ in 0..<25 {
      let index = desk.editor.undoStackIndex
      try desk.draw([Self.stroke(&random)])
      try desk.editor.waitUntilIdle()
      #expect(desk.editor.read { $0.document?.faults } == [], "\(type) \(seed)")
      guard desk.editor.undoStackIndex > index else { continue }
      #expect(desk.editor.undoStackIndex == index + 1, "\(type) \(seed)")
      documents.append(try desk.editor.export(as: .jiix))
    }
    for document in documents.dropLast().reversed() {
      try desk.editor.undo()
      try desk.editor.waitUntilIdle()
      #expect(desk.editor.read { $0.document?.faults } == [], "\(type) \(seed)")
      let found = try desk.editor.export(as: .jiix)
      #expect(found == document, "\(type) \(seed) \(Self.difference(found, document))")
    }
    for document in documents.dropFirst() {
      try desk.editor.redo()
      try desk.editor.waitUntilIdle()
      let found = try desk.editor.export(as: .jiix)
      #expect(found == document, "\(type) \(seed) \(Self.difference(found, document))")
    }
  }
}
