import Foundation
import InkEditor
import Testing

@Suite("Spaces set by hand in JIIX")
struct SpaceExportTests {
  private func desk(joined: Bool) throws -> Desk {
    let desk = try Desk()
    try desk.write(joined ? "he llo" : "hello")
    #expect(try desk.text() == (joined ? "he llo" : "hello"))
    let line =
      joined
      ? GestureInk.line(from: (27, 19), to: (27, 11))
      : GestureInk.line(from: (25.5, 11), to: (25.5, 19))
    try desk.draw([line])
    #expect(try desk.text() == (joined ? "hello" : "he llo"))
    return desk
  }

  @Test(
    "A document that is read from JIIX keeps them when it is read again", arguments: [true, false])
  func roundTrip(joined: Bool) throws {
    let desk = try desk(joined: joined)
    let text = try desk.text()
    let json = try desk.editor.export(as: .jiix)
    let kind = joined ? "none" : "space"
    #expect(json.contains(#""spaces":[{"kind":"\#(kind)""#))
    #expect(try JSONSchema.jiix().faults(json) == [])
    let other = try Desk()
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(try other.editor.export(as: .jiix) == json)
    try other.editor.recognize(again: true)
    #expect(try other.text() == text)
    try other.editor.undo()
    #expect(other.editor.isEmpty)
  }

  @Test("Another kind is a typed error; strokes that are not there are left out")
  func foreign() throws {
    let json = try desk(joined: false).editor.export(as: .jiix)
    let other = try Desk()
    let changed = json.replacingOccurrences(of: #""kind":"space""#, with: #""kind":"wide""#)
    #expect(changed != json)
    #expect(throws: EditorError.self) {
      try other.editor.importDocument(Data(changed.utf8), as: .jiix)
    }
    #expect(other.editor.isEmpty)
    let elsewhere = json.replacingOccurrences(of: #""left":""#, with: #""left":"9"#)
    #expect(elsewhere != json)
    try other.editor.importDocument(Data(elsewhere.utf8), as: .jiix)
    #expect(try !other.editor.export(as: .jiix).contains(#""spaces""#))
  }
}
