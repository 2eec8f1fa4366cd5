import Foundation
import IntensityText
import Testing

@Suite("Writing")
struct EditorTests {
  @Test("Typed text takes the current intensity and base attributes, whatever keyboard typed it")
  func typing() throws {
    var editor = IntensityEditor()
    editor.intensity = 70
    editor.type("hi")
    editor.attributes.isBold = true
    editor.intensity = 900
    editor.type("!")
    #expect(editor.text.intensities == [70, 70, 100])
    #expect(editor.text.attributes.map(\.attributes.isBold) == [false, true])
    #expect(editor.selection == 3..<3)
    try editor.select(0..<2)
    editor.intensity = 10
    editor.type("ho")
    #expect(editor.text.string == "ho!" && editor.text.intensities == [10, 10, 100])
  }

  @Test("The caret moves by characters, and deleting takes whole ones")
  func caret() throws {
    var editor = IntensityEditor(IntensityString("a👩‍👧e\u{301}"))
    editor.moveCaret(by: -1)
    #expect(editor.selection == 6..<6)
    editor.moveCaret(by: -1)
    #expect(editor.selection == 1..<1)
    editor.moveCaret(by: 1, extendsSelection: true)
    #expect(editor.selection == 1..<6)
    editor.moveCaret(by: -1)
    #expect(editor.selection == 1..<1)
    editor.deleteForward()
    #expect(editor.text.string == "ae\u{301}")
    editor.moveCaret(by: 9)
    editor.deleteBackward()
    #expect(editor.text.string == "a")
    editor.moveCaret(by: -9)
    editor.deleteBackward()
    #expect(editor.text.string == "a" && editor.selection == 0..<0)
    #expect(throws: IntensityTextError.self) { try editor.select(0..<9) }
    // A character that is longer than the first window.
    var long = IntensityEditor(IntensityString("x" + String(repeating: "\u{301}", count: 300)))
    long.deleteBackward()
    #expect(long.text.isEmpty)
  }

  @Test("Marked text keeps its intensity when its final form replaces it")
  func marked() throws {
    var editor = IntensityEditor()
    editor.intensity = 80
    try editor.setMarkedText("ni")
    #expect(editor.marked == 0..<2)
    editor.intensity = 20
    try editor.setMarkedText("nih", selected: 1..<2)
    #expect(editor.selection == 1..<2 && editor.text.intensities == [80, 80, 80])
    editor.unmark(final: "你好")
    #expect(editor.text.string == "你好" && editor.text.intensities == [80, 80])
    #expect(editor.marked == nil)
    editor.undo()
    #expect(editor.text.isEmpty)
    editor.redo()
    #expect(editor.text.string == "你好")
    try editor.setMarkedText("x")
    try editor.setMarkedText("")
    #expect(editor.text.string == "你好" && editor.marked == nil)
    #expect(throws: IntensityTextError.self) { try editor.setMarkedText("a", selected: 0..<5) }
  }

  @Test("Copy and paste keep intensities, foreign text gets the current one, plain text leaves too")
  func clipboard() throws {
    var text = try IntensityString("soft loud", intensities: [1, 2, 3, 4, 5, 96, 97, 98, 99])
    try text.setLink(URL(string: "https://example.org"), in: 5..<9)
    var editor = IntensityEditor(text)
    #expect(editor.copy() == nil)
    try editor.select(5..<9)
    let taken = editor.cut()
    let clipboard = try #require(taken)
    #expect(clipboard.plain == "loud" && clipboard.archive != nil)
    #expect(editor.text.string == "soft ")
    try editor.select(0..<0)
    editor.paste(clipboard)
    #expect(editor.text.string == "loudsoft ")
    #expect(Array(editor.text.intensities.prefix(5)) == [96, 97, 98, 99, 1])
    #expect(editor.text.links.map(\.range) == [0..<4])
    editor.intensity = 33
    editor.paste(IntensityClipboard(plain: "ab"))
    #expect(try editor.text.substring(4..<6).intensities == [33, 33])
    editor.paste(IntensityClipboard(plain: "z"))
    #expect(editor.text.intensities[6] == 33)
  }

  @Test("Typed words are one step, and undo goes back to every state")
  func history() throws {
    var editor = IntensityEditor()
    for character in "one two" { editor.type(String(character)) }
    #expect(editor.canUndo && !editor.canRedo)
    editor.undo()
    #expect(editor.text.string == "one ")
    editor.undo()
    #expect(editor.text.string == "" && !editor.canUndo)
    editor.redo()
    editor.redo()
    #expect(editor.text.string == "one two")
    try editor.select(0..<3)
    editor.setIntensityOfSelection(5)
    editor.changeAttributes { $0.isItalic = true }
    editor.setLink(URL(string: "https://example.org"))
    editor.setOptions(IntensityOptions(scheme: "hue"))
    #expect(editor.text.links.count == 1 && editor.text.intensities.first == 5)
    for _ in 0..<4 { editor.undo() }
    #expect(editor.text.links.isEmpty && editor.text.intensities.first == 50)
    #expect(editor.text.attributes.count == 1 && editor.text.options.scheme == nil)
  }

  @Test(
    "After random writing, every step can be undone and done again",
    arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) throws {
    var generator = Seeded(seed)
    let start = IntensityString("start 🇩🇪 text", intensity: 40)
    var editor = IntensityEditor(start)
    for _ in 0..<400 {
      editor.intensity = Int.random(in: 0...100, using: &generator)
      switch Int.random(in: 0..<9, using: &generator) {
      case 0, 1, 2:
        editor.type(
          ["a", " ", "é", "😀", "\u{301}", "wo rd"].randomElement(using: &generator) ?? "")
      case 3: editor.deleteBackward()
      case 4:
        editor.moveCaret(
          by: Int.random(in: -9...9, using: &generator),
          extendsSelection: .random(using: &generator))
      case 5: try editor.setMarkedText(["", "x", "yz"].randomElement(using: &generator) ?? "")
      case 6: editor.unmark()
      case 7: editor.setIntensityOfSelection(Int.random(in: 0...100, using: &generator))
      default: if let clipboard = editor.copy() { editor.paste(clipboard) }
      }
      #expect(editor.text.isConsistent)
      #expect(editor.selection.upperBound <= editor.text.count)
      #expect(!editor.text.cutsPair(editor.selection.lowerBound))
    }
    let end = editor.text
    while editor.canUndo { editor.undo() }
    #expect(editor.text == start)
    while editor.canRedo { editor.redo() }
    #expect(editor.text == end)
  }
}
