import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

@Suite("Text in the document")
struct TextTests {
  @Test("strokes become words and lines, in reading order")
  func lines() throws {
    let desk = try Desk()
    try desk.write("hello world", y: 15)
    try desk.write("second line", y: 25)
    #expect(try desk.text() == "hello world\nsecond line")
    try desk.write("above", y: 5)
    #expect(try desk.text() == "above\nhello world\nsecond line")
    let root = try desk.root
    #expect(root.lines.map(\.words.count) == [1, 2, 2])
    let word = root.lines[1].words[1]
    #expect(word.label == "world")
    #expect(word.candidates.map(\.text) == ["world", "WORLD"])
    #expect(word.characters.map(\.label) == ["w", "o", "r", "l", "d"])
    #expect(word.characters[0].candidates.map(\.text) == ["w", "W"])
    #expect(word.items.count == 5)
    #expect(abs(word.box.minX - 38) < 0.01 && abs(word.box.height - 4) < 0.01)
  }

  @Test("each line is read with the text before it")
  func preContext() throws {
    let desk = try Desk()
    try desk.write("first line of words", y: 15)
    try desk.editor.waitUntilIdle()
    desk.reader.forget()
    try desk.write("next", y: 25)
    #expect(try desk.text() == "first line of words\nnext")
    #expect(desk.reader.calls.last?.preContext == "first line of words ")
  }

  @Test("guides give the writing area if they are on")
  func guides() throws {
    let desk = try Desk()
    try desk.write("abc", y: 24)
    try desk.editor.waitUntilIdle()
    let area = try #require(desk.reader.calls.last?.area)
    #expect(area.y == 20 && area.height == 10 && area.x == 15 && area.width == 170)
    let wide = try Desk { try $0.configuration.set("text.guides.spacing", to: 12) }
    try wide.write("abc", y: 24)
    try wide.editor.waitUntilIdle()
    #expect(wide.reader.calls.last?.area?.height == 12)
    let off = try Desk { try $0.configuration.set("text.guides.enable", to: false) }
    try off.write("abc", y: 24)
    try off.editor.waitUntilIdle()
    // Letters that are 4 tall: the estimate is of their ink.
    let estimate = try #require(off.reader.calls.last?.area)
    #expect(estimate.height > 4 && estimate.height < 10 && estimate.y < 22)
    let none = try Desk { try $0.configuration.set("recognition.writing-area", to: "none") }
    try none.write("abc", y: 24)
    try none.editor.waitUntilIdle()
    #expect(none.reader.calls.last?.area == nil)
  }

  @Test("only the line that changed is read again")
  func incremental() throws {
    let desk = try Desk()
    try desk.write("one two three", y: 15)
    try desk.write("four five six", y: 25)
    _ = try desk.text()
    desk.reader.forget()
    try desk.write("x", x: 70, y: 25)
    #expect(try desk.text() == "one two three\nfour five six x")
    #expect(desk.reader.calls.allSatisfy { $0.strokes <= 12 })
    #expect(desk.reader.calls.count == 1)
  }

  @Test("a replaced word is read by itself, after the words before it, and merged")
  func replacedWord() throws {
    let desk = try Desk()
    try desk.write("alpha beta gamma")
    _ = try desk.text()
    let words = try desk.root.words
    desk.reader.forget()
    try desk.editor.removeItems(words[1].items)
    #expect(try desk.text() == "alpha gamma")
    #expect(desk.reader.calls.isEmpty)
    try desk.write("iota", x: words[1].box.minX)
    #expect(try desk.text() == "alpha iota gamma")
    #expect(desk.reader.calls.allSatisfy { $0.strokes <= 4 && $0.preContext == "alpha " })
    #expect(try desk.root.words.map(\.label) == ["alpha", "iota", "gamma"])
    // The right word comes after what was written between.
    try desk.write("z", x: words[2].box.maxX + 1)
    #expect(try desk.text() == "alpha iota gammaz")
  }

  @Test("a word that loses a letter is read again by itself")
  func damagedWord() throws {
    let desk = try Desk()
    try desk.write("alpha beta gamma")
    _ = try desk.text()
    let words = try desk.root.words
    desk.reader.forget()
    try desk.editor.removeItems([words[1].items[0]])
    #expect(try desk.text() == "alpha eta gamma")
    #expect(desk.reader.calls.map(\.strokes) == [3])
  }

  @Test("a chosen candidate lasts until the word's ink changes")
  func choice() throws {
    let desk = try Desk()
    try desk.write("alpha beta")
    _ = try desk.text()
    try desk.editor.choose("BETA", forWord: 1, in: desk.root)
    #expect(try desk.text() == "alpha BETA")
    #expect(try desk.root.words[1].isChosen)
    let box = try desk.root.words[1].box
    try desk.write("gamma", x: box.maxX + 4)
    #expect(try desk.text() == "alpha BETA gamma")
    try desk.write("delta", y: 25)
    #expect(try desk.text() == "alpha BETA gamma\ndelta")
    // A letter on the word's own ink.
    try desk.write("s", x: box.maxX - 1)
    #expect(try !desk.text().contains("BETA"))
    #expect(throws: EditorError.noSuchCandidate) {
      try desk.editor.choose("nonsense", forWord: 0, in: desk.root)
    }
    #expect(throws: EditorError.noSuchCandidate) {
      try desk.editor.choose("ALPHA", forWord: 99, in: desk.root)
    }
  }

  @Test("a missing model is reported once, the ink is kept, and read once the model is there")
  func missingModel() throws {
    let models = LoadedModels()
    models.declare(bundle: "en_US")
    let engine = Engine(models: models)
    let editor = engine.makeEditor()
    try editor.setViewSize(width: 200, height: 1000)
    editor.viewTransform = .millimetres
    let listener = Listener()
    editor.callbackExecutor = .engine
    editor.delegate = listener
    try editor.setPart(engine.makePart(type: "Text"))
    for points in Pen.strokes("abc", x: 20, y: 15) {
      try editor.pointerDown(x: points[0].x, y: points[0].y)
      for point in points.dropFirst().dropLast() { try editor.pointerMove(x: point.x, y: point.y) }
      try editor.pointerUp(x: points[points.count - 1].x, y: points[points.count - 1].y)
      try editor.waitUntilIdle()
    }
    #expect(editor.rootBlock?.items.count == 3)
    // An app that asks before it exports writes no empty text.
    #expect(editor.isIdle && editor.pendingCount == 0 && editor.unreadCount == 1)
    #expect(editor.rootBlock?.pendingCount == 1)
    #expect(try editor.export(as: .text) == "")
    let notices = listener.events.filter {
      if case .notice(let notice) = $0 { notice.code == .modelNotFound } else { false }
    }
    #expect(notices.count == 1)
    models.setText(FakeReader(), bundle: "en_US")
    engine.modelsDidChange()
    try editor.waitUntilIdle()
    #expect(editor.unreadCount == 0 && editor.rootBlock?.pendingCount == 0)
    #expect(try editor.export(as: .text) == "abc")
  }

  /// Models to which one is added during the search for it, and calls of an editor while a part is
  /// set.
  private final class BusyModels: EditorModels, @unchecked Sendable {
    // Unchecked because both are set before the models are asked.
    let loaded = LoadedModels()
    var whenLookedFor: () -> Void = {}
    var whenAsked: () -> Void = {}

    func configuration(bundle: String, name: String) -> ConfigurationLookup {
      whenAsked()
      return loaded.configuration(bundle: bundle, name: name)
    }

    func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
      let found = Result { try loaded.textRecognizer(bundle: bundle, name: name) }
      whenLookedFor()
      return try found.get()
    }

    func shapeRecognizer(name: String) throws -> any Recognizer {
      try loaded.shapeRecognizer(name: name)
    }
  }

  @Test("a model that is added during the search for it reads the ink")
  func modelComesMeanwhile() throws {
    let models = BusyModels()
    models.loaded.declare(bundle: "en_US")
    let desk = try Desk(models: models)
    models.whenLookedFor = { [unowned models] in
      models.whenLookedFor = {}
      models.loaded.setText(FakeReader(), bundle: "en_US")
      desk.engine.modelsDidChange()
    }
    try desk.write("a")
    #expect(try desk.text() == "a")
  }

  @Test("a pointer that touches while a part is set keeps its part")
  func pointerWhilePartIsSet() throws {
    let models = BusyModels()
    models.loaded.setText(FakeReader(), bundle: "en_US")
    let desk = try Desk(models: models)
    let first = try #require(desk.editor.part)
    let second = try desk.engine.makePart(type: "Text")
    models.whenAsked = { _ = try? desk.editor.pointerDown(x: 20, y: 13) }
    #expect(throws: EditorError.pointerIsDown) { try desk.editor.setPart(second) }
    models.whenAsked = {}
    try desk.editor.pointerUp(x: 22, y: 17)
    #expect(desk.editor.part === first)
    #expect(try desk.root.items.count == 1)
    try desk.editor.setPart(second)
    #expect(desk.editor.isEmpty)
  }

  @Test("an alphabet that no model can write is reported, and the ink kept")
  func unusableAlphabet() throws {
    let desk = try Desk { try $0.configuration.set("recognition.lexicon", to: ["zebra"]) }
    try desk.write("abc")
    // The reader has no word of the list.
    #expect(try desk.text() == "")
    #expect(try desk.root.items.count == 3)
    try desk.editor.configuration.set("recognition.lexicon", to: [String]())
    try desk.write("def", y: 25)
    #expect(try desk.text() == "def")
  }

  @Test("editors of one engine have separate alphabets")
  func editorsDiffer() throws {
    let desk = try Desk()
    let other = desk.engine.makeEditor()
    try other.setViewSize(width: 200, height: 1000)
    other.viewTransform = .millimetres
    try other.configuration.set("recognition.alphabet", to: "ABC ")
    try other.setPart(desk.engine.makePart(type: "Text"))
    for editor in [desk.editor, other] {
      for points in Pen.strokes("abc", x: 20, y: 15) {
        try editor.pointerDown(x: points[0].x, y: points[0].y)
        for point in points.dropFirst().dropLast() {
          try editor.pointerMove(x: point.x, y: point.y)
        }
        try editor.pointerUp(x: points[points.count - 1].x, y: points[points.count - 1].y)
      }
      try editor.waitUntilIdle()
    }
    #expect(try desk.editor.export(as: .text) == "abc")
    #expect(try other.export(as: .text) == "ABC")
  }
}

@Suite("Triggers, waiting and events")
struct TriggerTests {
  @Test("on demand, nothing is read before recognize, and what is unread is counted")
  func demand() throws {
    let desk = try Desk { try $0.configuration.set("recognition.trigger", to: "demand") }
    try desk.write("abc")
    try desk.editor.waitUntilIdle()
    #expect(desk.reader.calls.isEmpty)
    #expect(desk.editor.isIdle && desk.editor.unreadCount == 1)
    #expect(try desk.editor.export(as: .text) == "")
    try desk.editor.recognize()
    #expect(try desk.text() == "abc")
    #expect(desk.editor.unreadCount == 0)
  }

  @Test("Refused ink stays unread, and text that the settings exclude does not count")
  func unread() throws {
    let refusing = ScriptedReader { _ in throw MissingModel(name: "x") }
    let desk = try Desk()
    desk.models.setText(refusing, bundle: "en_US")
    desk.engine.modelsDidChange()
    try desk.write("abc")
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.pendingCount == 0 && desk.editor.unreadCount == 1)

    let key = "raw-content.recognition.types"
    let raw = try Desk(type: "Raw Content") { try $0.configuration.set(key, to: [String]()) }
    try raw.write("abc")
    try raw.editor.waitUntilIdle()
    #expect(raw.editor.isIdle && raw.editor.unreadCount == 0)
    try raw.editor.configuration.set(key, to: ["text"])
    try raw.editor.waitUntilIdle()
    #expect(raw.editor.unreadCount == 0)
    #expect(try raw.text().isEmpty == false)
  }

  @Test("a new trigger applies to ink that waits for the old one")
  func otherTrigger() throws {
    let key = "recognition.trigger"
    let desk = try Desk { try $0.configuration.set(key, to: "demand") }
    try desk.write("ab")
    try desk.editor.configuration.set(key, to: "stroke")
    try desk.write("c", x: 26)
    #expect(try desk.text() == "abc")
    try desk.editor.configuration.set(key, to: "idle")
    try desk.editor.configuration.set("recognition.idle-delay", to: 600_000)
    try desk.write("d", x: 29)
    #expect(!desk.editor.isIdle)
    try desk.editor.recognize()
    #expect(try desk.text() == "abcd")
    try desk.write("e", x: 32)
    try desk.editor.configuration.set(key, to: "stroke")
    try desk.write("f", x: 35)
    #expect(try desk.text() == "abcdef")
    // Ink that waits for the idle delay also waits for the demand, and for a stroke once that is
    // undone.
    try desk.editor.configuration.set(key, to: "idle")
    try desk.write("g", x: 38)
    try desk.editor.configuration.set(key, to: "demand")
    try desk.write("h", x: 41)
    #expect(try desk.editor.waitUntilIdle(timeout: 60))
    #expect(try desk.editor.export(as: .text) == "abcdef")
    try desk.editor.configuration.set(key, to: "stroke")
    try desk.editor.undo()
    #expect(try desk.text() == "abcdefg")
  }

  @Test("after an idle delay, all strokes are read at once")
  func idleDelay() throws {
    let desk = try Desk {
      try $0.configuration.set("recognition.trigger", to: "idle")
      try $0.configuration.set("recognition.idle-delay", to: 3000)
    }
    try desk.write("abcdef")
    #expect(!desk.editor.isIdle)
    #expect(try desk.text() == "abcdef")
    #expect(desk.reader.calls.count == 1)
  }

  @Test("exporting while at work is an error, never a partial answer")
  func notIdle() throws {
    let desk = try Desk {
      try $0.configuration.set("recognition.trigger", to: "idle")
      try $0.configuration.set("recognition.idle-delay", to: 600_000)
    }
    try desk.write("abc")
    #expect(!desk.editor.isIdle)
    #expect(throws: EditorError.notIdle) { try desk.editor.export(as: .text) }
    #expect(throws: EditorError.notIdle) { try desk.editor.export(as: .jiix) }
    #expect(try desk.editor.waitUntilIdle(timeout: 0) == false)
    try desk.editor.recognize()
    #expect(try desk.text() == "abc")
  }

  @Test("a callback may call the editor but not wait, and the editor is not idle in it")
  func callback() throws {
    let desk = try Desk()
    let found = Found()
    let listener = Listener { editor, event in
      if case .contentChanged = event {
        found.add(isIdle: editor.isIdle)
        do throws(EditorError) {
          try editor.waitUntilIdle()
        } catch {
          found.add(error: error)
        }
        // Calls that do not wait are answered.
        _ = editor.rootBlock?.items.count
      }
    }
    desk.editor.delegate = listener
    try desk.write("abc")
    #expect(try desk.text() == "abc")
    #expect(found.idle.allSatisfy { !$0 } && !found.idle.isEmpty)
    #expect(found.errors.allSatisfy { $0 == .insideCallback } && !found.errors.isEmpty)
  }

  @Test("a part, its blocks and the active block are reported, also as sequences")
  func events() async throws {
    let desk = try Desk(type: nil)
    let listener = Listener()
    desk.editor.delegate = listener
    let stream = desk.editor.events
    let texts = desk.editor.activeText
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    // Else what is written may be told together with the part's first content.
    try desk.editor.waitUntilIdle()
    try desk.write("abc def")
    try await desk.editor.becomeIdle()
    try desk.editor.waitUntilIdle()
    var streamed: [EditorEvent] = []
    for await event in stream {
      streamed.append(event)
      if event == .activeBlockChanged("0") { break }
    }
    #expect(listener.events.first == streamed.first)
    #expect(streamed.first == .partChanged(old: nil, new: desk.editor.part))
    #expect(streamed.contains(.activeBlockChanged("0")))
    #expect(listener.events.contains(.contentChanged(added: [], removed: [], updated: ["0"])))
    for await text in texts where text.words.count == 2 {
      #expect(text.words.map(\.label) == ["abc", "def"])
      #expect(text.words[0].candidates.map(\.text) == ["abc", "ABC"])
      break
    }
    try desk.editor.clear()
    for await text in texts {
      #expect(text.words.isEmpty)
      break
    }
  }

  @Test("a part that is set elsewhere while it is read is read completely later")
  func partChangesWhileReading() throws {
    let desk = try Desk(delay: 0.05)
    let part = try #require(desk.editor.part)
    try desk.write("abc def")
    try desk.editor.setPart(nil)
    #expect(desk.editor.rootBlock == nil)
    #expect(throws: EditorError.noPart) { try desk.editor.export(as: .text) }
    try desk.editor.setPart(part)
    #expect(try desk.text() == "abc def")
  }
}

/// The values seen by a callback.
final class Found: @unchecked Sendable {
  // Unchecked because the lock guards both.
  private let lock = NSLock()
  private var idleValues: [Bool] = []
  private var errorValues: [EditorError] = []

  var idle: [Bool] { lock.withLock { idleValues } }
  var errors: [EditorError] { lock.withLock { errorValues } }
  func add(isIdle: Bool) { lock.withLock { idleValues.append(isIdle) } }
  func add(error: EditorError) { lock.withLock { errorValues.append(error) } }
}
