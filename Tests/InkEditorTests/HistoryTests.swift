import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Undo and redo")
struct HistoryTests {
  /// The complete content of a document, with ids and positions.
  private func content(_ desk: Desk) throws -> String {
    try desk.editor.waitUntilIdle()
    return try desk.editor.export(as: .jiix)
  }

  /// Makes changes, undoes all of them and redoes them; at each state the document must have the
  /// same content as before.
  private func check(
    _ desk: Desk, sourceLocation: SourceLocation = #_sourceLocation,
    _ changes: [(Desk) throws -> Void]
  ) throws {
    var states = [try content(desk)]
    let first = desk.editor.undoStackIndex
    for (place, change) in changes.enumerated() {
      try change(desk)
      states.append(try content(desk))
      #expect(states[place] != states[place + 1], "change \(place)", sourceLocation: sourceLocation)
      #expect(desk.editor.undoStackIndex == first + place + 1, sourceLocation: sourceLocation)
    }
    for _ in 0..<2 {
      for place in changes.indices.reversed() {
        #expect(try desk.editor.undo(), sourceLocation: sourceLocation)
        #expect(
          try content(desk) == states[place], "undo of \(place)", sourceLocation: sourceLocation)
      }
      for place in changes.indices {
        #expect(try desk.editor.redo(), sourceLocation: sourceLocation)
        #expect(
          try content(desk) == states[place + 1], "redo of \(place)",
          sourceLocation: sourceLocation)
      }
      #expect(!desk.editor.canRedo, sourceLocation: sourceLocation)
    }
  }

  private static func stroke(_ letter: String, x: Double, y: Double = 15) -> (Desk) throws -> Void {
    { desk in try desk.write(letter, x: x, y: y) }
  }

  @Test("strokes of text, erasing, a chosen candidate, pasting and clearing")
  func text() throws {
    let desk = try Desk()
    try check(
      desk,
      [
        Self.stroke("a", x: 20), Self.stroke("b", x: 23), Self.stroke("c", x: 32),
        // Between the words, and on a separate line.
        Self.stroke("d", x: 27), Self.stroke("e", x: 20, y: 30),
        { try $0.editor.choose("AB", forWord: 0, in: $0.root) },
        { desk in
          try desk.editor.pointerDown(x: 33, y: 15, type: .eraser)
          try desk.editor.pointerUp(x: 33, y: 16, type: .eraser)
        },
        { desk in
          try desk.editor.copy(desk.root)
          try desk.editor.paste(x: 60, y: 50)
        },
        { try $0.editor.removeItems([try #require($0.root.items.first)]) },
        { desk in
          let json = try desk.editor.export(as: .jiix)
          let label = try #require(desk.root.words.first?.label)
          let changed = json.replacingOccurrences(
            of: "\"label\":\"\(label)\"", with: "\"label\":\"\(label.uppercased())\"")
          try desk.editor.importCandidates(changed)
        },
        { try $0.editor.clear() }, Self.stroke("g", x: 20),
      ])
  }

  @Test("shapes, drawings, blocks that are added, removed and changed to another type")
  func rawContent() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.editor.configuration.set("text.eraser.erase-precisely", to: true)
    try check(
      desk,
      [
        Self.stroke("a", x: 20), Self.stroke("b", x: 23),
        // Two strokes are one shape only together.
        { try $0.draw([Array(Pen.rectangle(x: 20, y: 40, width: 40, height: 25)[..<20])]) },
        { try $0.draw([Array(Pen.rectangle(x: 20, y: 40, width: 40, height: 25)[19...])]) },
        Self.stroke("c", x: 36, y: 52),
        { desk in
          let strokes = Pen.strokes("de", x: 90, y: 50).map { Stroke(points: $0) }
          try desk.editor.addBlock(type: "Text", ink: Ink(strokes: strokes))
        },
        { desk in
          let items = Array(try desk.root.items.prefix(2))
          try desk.editor.set(type: .drawing, for: items, asOneBlock: true)
        },
        { desk in
          try desk.editor.pointerDown(x: 60, y: 50, type: .eraser)
          try desk.editor.pointerUp(x: 60, y: 51, type: .eraser)
        },
        { try $0.editor.removeBlock(try #require($0.root.children.last)) },
      ])
  }

  @Test("a batch of events is one change; calls without an effect are not")
  func steps() throws {
    let desk = try Desk()
    let events = Pen.strokes("abc", x: 20, y: 15).flatMap { points in
      points.enumerated().map { index, point in
        PointerEvent(
          index == 0 ? .down : index == points.count - 1 ? .up : .move, x: point.x, y: point.y,
          id: 0)
      }
    }
    try desk.editor.pointerEvents(events, processGestures: false)
    #expect(desk.editor.possibleUndoCount == 1)
    try desk.editor.removeItems([99])
    try desk.editor.pointerDown(x: 150, y: 150, type: .eraser)
    try desk.editor.pointerUp(x: 150, y: 151, type: .eraser)
    try desk.editor.pointerDown(x: 5, y: 5)
    try desk.editor.pointerCancel()
    #expect(desk.editor.possibleUndoCount == 1)
    #expect(try desk.editor.undo() && desk.editor.isEmpty)
    #expect(try !desk.editor.undo() && !desk.editor.canUndo)
    try desk.editor.clear()
    #expect(desk.editor.canRedo, "clearing an empty page changes nothing")
    // Undone changes are lost after another change.
    try desk.write("x")
    #expect(try !desk.editor.redo() && !desk.editor.canRedo)
    #expect(try desk.text() == "x")
  }

  @Test("refused without a part, while a pointer is down, and in a callback")
  func refusals() throws {
    let empty = try Desk(type: nil)
    #expect(throws: EditorError.noPart) { try empty.editor.undo() }
    #expect(!empty.editor.canUndo && empty.editor.undoStackIndex == 0)
    let desk = try Desk()
    try desk.write("a")
    try desk.editor.pointerDown(x: 5, y: 5)
    #expect(throws: EditorError.pointerIsDown) { try desk.editor.undo() }
    try desk.editor.pointerCancel()
    let refused = Mailbox<EditorError>()
    let listener = Listener { editor, _ in
      do throws(EditorError) { try editor.undo() } catch { refused.put(error) }
    }
    desk.editor.delegate = listener
    try desk.write("b", x: 23)
    try desk.editor.waitUntilIdle()
    #expect(Set(refused.all) == [.insideCallback])
    #expect(try desk.text() == "ab")
  }

  @Test("readings of ink that is undone meanwhile are not reported")
  func staleReadings() throws {
    let desk = try Desk(delay: 0.05)
    try desk.write("a")
    try desk.editor.undo()
    #expect(try desk.text() == "" && desk.root.words.isEmpty)
    try desk.editor.redo()
    #expect(try desk.text() == "a")
    // Undone while it is read, and something else written in its place.
    try desk.write("b", x: 23)
    Thread.sleep(forTimeInterval: 0.01)
    try desk.editor.undo()
    try desk.write("cd", x: 23)
    #expect(try desk.text() == "acd")
    try desk.editor.undo()
    #expect(try desk.text() == "ac")
  }

  @Test("a pending reading is not used for another run with the same number and version")
  func staleVersions() throws {
    let desk = try Desk(delay: 0.1)
    let items = try desk.write("ab")
    try desk.editor.waitUntilIdle()
    // The run gets a third version while it is read, is restored to the second, and gets another third.
    let more = try desk.write("c", x: 26)
    Thread.sleep(forTimeInterval: 0.02)
    try desk.editor.removeItems([items[1]])
    Thread.sleep(forTimeInterval: 0.12)
    try desk.editor.undo()
    try desk.editor.removeItems([items[0]])
    #expect(try desk.text() == "bc")
    #expect(try desk.root.items == [items[1]] + more)
  }

  @Test("a requested shape is requested again after undo and redo")
  func forcedShape() throws {
    let desk = try Desk(type: "Raw Content")
    let items = try desk.write("ab")
    try desk.editor.waitUntilIdle()
    for _ in 0..<20 {
      try desk.editor.set(type: .shape, for: items, asOneBlock: true)
      try desk.editor.undo()
      try desk.editor.redo()
      try desk.editor.waitUntilIdle()
      #expect(try desk.root.children.map(\.type) == [.edge])
      try desk.editor.undo()
      #expect(try desk.text() == "ab")
    }
  }

  @Test("ink that waited for a model when it was saved is read when it is restored")
  func models() throws {
    let desk = try Desk(hasTextModel: false)
    try desk.write("a")
    #expect(try desk.text() == "")
    try desk.write("b", x: 23)
    #expect(try desk.text() == "")
    desk.models.setText(desk.reader, bundle: "en_US")
    desk.engine.modelsDidChange()
    #expect(try desk.text() == "ab")
    try desk.editor.undo()
    #expect(try desk.text() == "a")
  }

  @Test("a late correction of a stroke is applied to restored states")
  func corrections() throws {
    let document = Document(type: .text)
    for item in 1...2 {
      if item == 2 { document.remember(document.makeState()) }
      let points = Pen.strokes("a", x: Double(20 * item), y: 15)[0]
      document.append(InkStroke(id: item, pointer: .pen, points: points))
      while let (run, _) = document.takeDirtyRun() { run.state = .current }
    }
    document.replace(points: Pen.strokes("b", x: 20, y: 15)[0], of: 1, movesInk: true)
    let state = try #require(document.history.undo { document.makeState() })
    document.install(state)
    #expect(document.strokes[1]?.points.count == 4 && document.strokes[2] == nil)
    #expect(document.takeDirtyRun()?.run.items == [1])
  }

  @Test("changes of blocks are reported once, for any changes before the report")
  func mergedChanges() {
    let block = BlockNode(id: "7", type: .text, parent: nil)
    func changes(_ steps: String) -> [[String]] {
      var changes = BlockChanges()
      for step in steps {
        switch step {
        case "a": changes.add(block)
        case "r": changes.remove(block)
        default: changes.update(block)
        }
      }
      return [changes.added, changes.removed, changes.updated]
    }
    for (steps, expected) in [
      ("a", [["7"], [], []]), ("au", [["7"], [], []]), ("ar", [[], [], []]),
      ("ara", [["7"], [], []]), ("r", [[], ["7"], []]), ("ur", [[], ["7"], []]),
      ("ra", [[], [], ["7"]]), ("ura", [[], [], ["7"]]), ("rar", [[], ["7"], []]),
      ("uu", [[], [], ["7"]]),
    ] {
      #expect(changes(steps) == expected, "\(steps)")
    }
  }

  @Test("restored blocks are reported, and their handles are valid again")
  func events() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("a")
    try desk.editor.waitUntilIdle()
    let block = try #require(desk.root.children.first)
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(!block.isValid)
    try desk.editor.redo()
    try desk.editor.waitUntilIdle()
    #expect(block.isValid && block.words.map(\.label) == ["a"])
    let changes = listener.events.compactMap { event in
      if case .contentChanged(let added, let removed, _) = event { [added, removed] } else { nil }
    }
    #expect(changes == [[[], [block.id]], [[block.id], []]])
  }

  @Test("ink that waits for a demand still waits")
  func demand() throws {
    let desk = try Desk { try $0.configuration.set("recognition.trigger", to: "demand") }
    try desk.write("a")
    try desk.write("b", x: 23)
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(desk.reader.calls.isEmpty && !desk.editor.isEmpty)
    try desk.editor.recognize()
    #expect(try desk.text() == "a")
    // Nothing waits on a page that is read: it can be exported at once.
    try desk.write("c", x: 23)
    try desk.editor.undo()
    #expect(try desk.text() == "a")
    // Ink that was cleared before it was read is restored unread.
    try desk.write("d", x: 23)
    desk.reader.forget()
    try desk.editor.clear()
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(desk.reader.calls.isEmpty)
    #expect(desk.editor.unreadCount > 0)
    try desk.editor.recognize()
    #expect(try desk.text() == "ad")
  }

  @Test("a part keeps its history; the oldest changes are dropped")
  func bounds() throws {
    let desk = try Desk(type: "Drawing")
    for index in 0..<130 { try desk.write("a", x: Double(index), y: 10) }
    #expect(desk.editor.possibleUndoCount == History.mostSteps)
    #expect(desk.editor.undoStackIndex == 130)
    let part = try #require(desk.editor.part)
    try desk.editor.setPart(nil)
    #expect(!desk.editor.canUndo)
    try desk.editor.setPart(part)
    while try desk.editor.undo() {}
    #expect(try desk.root.items.count == 30)
    #expect(desk.editor.undoStackIndex == 30 && desk.editor.possibleRedoCount == 100)
  }

  @Test("removed ink is kept as long as a change can restore it")
  func removedInk() throws {
    let desk = try Desk(type: "Drawing")
    for _ in 0..<1500 {
      let items = try desk.draw([Pen.strokes("a", x: 20, y: 15)[0]])
      try desk.editor.removeItems(items)
    }
    let document = try #require(desk.editor.part?.document)
    #expect((50...1100).contains(document.removed.count), "\(document.removed.count)")
    for step in 1...100 {
      #expect(try desk.editor.undo())
      let items = try desk.root.items
      #expect(items.count == step % 2, "step \(step)")
      for item in items { #expect(try desk.editor.stroke(of: item)?.points.count == 3) }
    }
    #expect(!desk.editor.canUndo)
  }

  @Test("with many strokes fewer changes are kept")
  func strokes() {
    var history = History()
    let document = Document(type: .drawing)
    for index in 1...100_000 {
      document.append(
        InkStroke(id: index, pointer: .pen, points: [StrokePoint(x: 0, y: 0)]))
    }
    for count in 1...5 {
      history.push(document.makeState())
      #expect(history.undoCount == min(count, 2) && history.index == count)
    }
  }
}

/// The values that threads produce in a test.
private final class Mailbox<Value: Sendable>: @unchecked Sendable {
  // Unchecked because the lock guards the values.
  private let lock = NSLock()
  private var values: [Value] = []

  func put(_ value: Value) { lock.withLock { values.append(value) } }
  var all: [Value] { lock.withLock { values } }
}
