import Foundation
import Studio
import Testing

@Suite("Commands of pages") struct PageCommandTests {
  private func refusal(_ text: String) -> StudioError? {
    do throws(PageMessage.Refusal) {
      _ = try PageMessage(parsing: text)
      return nil
    } catch {
      return error.error
    }
  }

  private static func strokes(_ stroke: String) -> String {
    #"{"id": "a", "type": "strokes", "strokes": [\#(stroke)]}"#
  }

  @Test(
    "A malformed message is refused with a code, and never crashes",
    arguments: [
      "", "{", "[]", "null", "1", "{}", #"{"type": 1}"#, #"{"type": "undo"}"#,
      #"{"type": "undo", "id": 1}"#, #"{"type": "undo", "id": ""}"#,
      #"{"type": "undo", "id": "a b"}"#, #"{"type": "undo", "id": "ä"}"#,
      #"{"type": "undo", "id": "\#(String(repeating: "a", count: 65))"}"#,
      #"{"type": "seen"}"#, #"{"type": "seen", "serial": 1e300}"#,
      #"{"type": "hello", "revision": "x"}"#,
      strokes(""), strokes("1"), strokes("{}"), strokes(#"{"x": [], "y": []}"#),
      strokes(#"{"x": [1], "y": [1, 2]}"#), strokes(#"{"x": [1e999], "y": [1]}"#),
      strokes(#"{"x": [1e6], "y": [1]}"#), strokes(#"{"x": ["1"], "y": [1]}"#),
      strokes(#"{"x": [1, 2], "y": [1, 2], "t": [5, 4]}"#),
      strokes(#"{"x": [1], "y": [1], "t": [-1]}"#), strokes(#"{"x": [1], "y": [1], "t": []}"#),
      strokes(#"{"x": [1], "y": [1], "time": -1}"#),
      strokes(#"{"x": [1], "y": [1], "time": 1e18}"#),
      strokes(#"{"x": [1], "y": [1], "force": [2]}"#),
      strokes(#"{"x": [1], "y": [1], "azimuth": [100]}"#),
      #"{"id": "a", "type": "erase"}"#, #"{"id": "a", "type": "choose", "text": "x"}"#,
      #"{"id": "a", "type": "choose", "text": "", "items": [1]}"#,
      #"{"id": "a", "type": "choose", "text": "x", "items": []}"#,
      #"{"id": "a", "type": "type", "content": "music", "items": [1]}"#,
      #"{"id": "a", "type": "select"}"#, #"{"id": "a", "type": "select", "unit": "line"}"#,
      #"{"id": "a", "type": "select", "unit": "word", "x": 1}"#,
      #"{"id": "a", "type": "select", "unit": "block", "x": 1e6, "y": 1}"#,
      #"{"id": "a", "type": "select", "unit": "items", "items": []}"#,
      #"{"id": "a", "type": "select", "unit": "lasso", "path": {"x": [], "y": []}}"#,
      #"{"id": "a", "type": "edit"}"#, #"{"id": "a", "type": "edit", "edit": "sell"}"#,
      #"{"id": "a", "type": "edit", "edit": "move", "dx": 1}"#,
      #"{"id": "a", "type": "edit", "edit": "move", "dx": 1e6, "dy": 0}"#,
      #"{"id": "a", "type": "edit", "edit": "scale", "x": 0, "y": 1, "about": "top"}"#,
      #"{"id": "a", "type": "edit", "edit": "scale", "x": 1, "y": 101, "about": "top"}"#,
      #"{"id": "a", "type": "edit", "edit": "scale", "x": 1, "y": 1, "about": "middle"}"#,
      #"{"id": "a", "type": "edit", "edit": "color", "color": "red"}"#,
      #"{"id": "a", "type": "edit", "edit": "type", "content": "music"}"#,
      #"{"id": "a", "type": "edit", "edit": "delete", "items": []}"#,
      #"{"id": "a", "type": "paste", "x": 1}"#, #"{"id": "a", "type": "paste", "x": 1, "y": -1e6}"#,
    ])
  func malformed(text: String) {
    #expect(refusal(text)?.code == .invalidValue)
  }

  @Test("Too many points, strokes and bytes are refused")
  func limits() {
    let many = Array(repeating: "1", count: PageLimits.points + 1).joined(separator: ",")
    #expect(refusal(Self.strokes(#"{"x": [\#(many)], "y": [\#(many)]}"#))?.code == .invalidValue)
    let strokes = Array(
      repeating: #"{"x": [1], "y": [1]}"#, count: PageLimits.strokesPerCommand + 1)
    #expect(refusal(Self.strokes(strokes.joined(separator: ",")))?.code == .invalidValue)
    let long = String(repeating: " ", count: PageLimits.messageBytes + 1)
    #expect(refusal(long)?.code == .tooLarge)
  }

  @Test("A refusal names the command and the member")
  func field() {
    do throws(PageMessage.Refusal) {
      _ = try PageMessage(parsing: Self.strokes(#"{"x": [1], "y": [1, 2]}"#))
      Issue.record("expected a refusal")
    } catch {
      #expect(error.id == "a")
      #expect(error.error.field == "strokes[0].y")
    }
  }

  @Test("Commands about selections are read as they were written")
  func selections() throws {
    let path = PageStroke(x: [1, 2, 3], y: [3, 1, 2])
    let actions: [PageCommand.Action] = [
      .select(.lasso(path)), .select(.word(x: 1, y: 2)), .select(.block(x: 1, y: 2)),
      .select(.items([4, 2])), .select(.all), .select(.none),
      .edit(.delete, items: [1, 2]), .edit(.move(dx: 1.5, dy: -2), items: nil),
      .edit(.scale(x: 2, y: 0.5, about: .bottomRight), items: [3]), .edit(.copy, items: nil),
      .edit(.cut, items: [1]), .edit(.color("#12AB9F"), items: nil), .edit(.color(nil), items: [7]),
      .edit(.type(.drawing), items: nil), .paste(x: -1, y: 2),
    ]
    for action in actions {
      let command = try PageCommand(id: "a", action: action).checked()
      #expect(command.action == action)
      let read = try JSONDecoder().decode(PageCommand.self, from: JSONEncoder().encode(command))
      #expect(read == command)
    }
  }

  @Test("Values are rounded once: reading what was written gives the same command")
  func rounding() throws {
    let stroke = PageStroke(
      x: [1.000_049_9, 1.0 / 3], y: [-0.000_4, 7e4], t: [0.4, 7.6], force: [0.123_456, 1],
      time: 1_700_000_000_000.4)
    let command = try PageCommand(id: "a", action: .strokes([stroke])).checked()
    let read = try JSONDecoder().decode(
      PageCommand.self, from: JSONEncoder().encode(command))
    #expect(read == command)
    #expect(try read.checked() == command)
    guard case .strokes(let strokes) = command.action else { return }
    #expect(strokes[0].x == [1, 0.333])
    #expect(strokes[0].t == [0, 8])
  }
}
