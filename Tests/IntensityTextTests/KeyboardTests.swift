import Foundation
import IntensityText
import Testing

/// Completions of a test, in an order that is not that of the alphabet.
private struct ListedWords: SuggestionSource {
  let words: [String]

  func completions(of beginning: String, after text: String, limit: Int) -> [String] {
    words.filter { $0.hasPrefix(beginning) }
  }
}

@Suite("Keyboard and accessory")
struct KeyboardTests {
  /// The place of a character's key on a page.
  private func place(_ character: String, _ keys: KeySet, page: Int = 0) throws -> (Int, Int) {
    for (row, keys) in keys.pages[page].rows.enumerated() {
      for (column, key) in keys.enumerated() {
        if case .type(let plain, _) = key.action, plain == character { return (row, column) }
      }
    }
    throw IntensityTextError(.unknownName, "key", expected: "a key", found: "none")
  }

  private func press(
    _ character: String, force: Double, at time: Double, on keyboard: inout KeyboardMachine
  ) throws -> [KeyEffect] {
    let (row, column) = try place(character, keyboard.keys)
    func sample(_ offset: Double) -> TouchSample {
      TouchSample(time: time + offset, force: force, maximumForce: 1)
    }
    _ = try keyboard.handle(.down(row: row, key: column, sample: sample(0)))
    _ = try keyboard.handle(.press(sample(0.05)))
    return try keyboard.handle(.up(TouchSample(time: time + 0.1, force: 0, maximumForce: 1)))
  }

  @Test("A log of pressed keys becomes a text with intensities")
  func log() throws {
    var keyboard = KeyboardMachine(keys: try KeySet.basicLatin())
    var editor = IntensityEditor()
    for (character, force) in [("h", 0.2), ("i", 0.9), (" ", 0.5)] {
      for effect in try press(character, force: force, at: 0, on: &keyboard) {
        editor.apply(effect)
      }
    }
    #expect(editor.text.string == "hi " && editor.text.intensities == [20, 90, 50])
    #expect(keyboard.currentIntensity == nil)
  }

  @Test("Without force the duration counts, and a cancelled touch types nothing")
  func duration() throws {
    var keyboard = KeyboardMachine(keys: try KeySet.basicLatin(), hasForce: false)
    let (row, column) = try place("a", keyboard.keys)
    _ = try keyboard.handle(.down(row: row, key: column, sample: TouchSample(time: 1)))
    #expect(try keyboard.handle(.up(TouchSample(time: 1.25))) == [.type("a", intensity: 50)])
    _ = try keyboard.handle(.down(row: row, key: column, sample: TouchSample(time: 2)))
    #expect(try keyboard.handle(.cancelled) == [])
    #expect(try keyboard.handle(.up(TouchSample(time: 3))) == [])
    #expect(throws: IntensityTextError.self) {
      try keyboard.handle(.down(row: 9, key: 0, sample: TouchSample(time: 1)))
    }
    #expect(throws: IntensityTextError.self) {
      try keyboard.handle(.down(row: row, key: column, sample: TouchSample(time: .nan)))
    }
  }

  @Test("A key that is held gives variants, and the chosen one is typed")
  func variants() throws {
    var keyboard = KeyboardMachine(keys: try KeySet.basicLatin(), hasForce: false)
    let (row, column) = try place("e", keyboard.keys)
    _ = try keyboard.handle(.down(row: row, key: column, sample: TouchSample(time: 0)))
    #expect(try keyboard.handle(.press(TouchSample(time: 0.4))) == [])
    #expect(try keyboard.handle(.press(TouchSample(time: 0.6))) == [.expand(["é", "è", "ê", "ë"])])
    _ = try keyboard.handle(.variant(2))
    let effects = try keyboard.handle(.up(TouchSample(time: 0.7)))
    #expect(effects == [.collapse, .type("ê", intensity: 100)])
    _ = try keyboard.handle(.down(row: row, key: column, sample: TouchSample(time: 2)))
    _ = try keyboard.handle(.press(TouchSample(time: 2.6)))
    _ = try keyboard.handle(.variant(1))
    _ = try keyboard.handle(.variant(nil))
    #expect(try keyboard.handle(.up(TouchSample(time: 2.7))).last == .type("e", intensity: 100))
  }

  @Test("Shift holds for one character, and pages are switched")
  func shift() throws {
    var keyboard = KeyboardMachine(keys: try KeySet.basicLatin(), hasForce: false)
    func tap(_ row: Int, _ column: Int) throws -> [KeyEffect] {
      _ = try keyboard.handle(.down(row: row, key: column, sample: TouchSample(time: 0)))
      return try keyboard.handle(.up(TouchSample(time: 0.25)))
    }
    #expect(try tap(2, 0) == [.redraw] && keyboard.isShifted)
    #expect(try tap(0, 0) == [.type("Q", intensity: 50), .redraw])
    #expect(try tap(0, 0) == [.type("q", intensity: 50)])
    #expect(try tap(3, 0) == [.redraw] && keyboard.page == 1)
    #expect(try tap(0, 0) == [.type("1", intensity: 50)])
    #expect(try tap(2, 1) == [.delete])
    #expect(try tap(3, 1) == [.type("\n", intensity: 50)])
  }

  @Test("Basic Latin has each printable ASCII character once, in two pages")
  func basicLatin() throws {
    let keys = try KeySet.basicLatin()
    #expect(keys.pages.count == 2)
    #expect(keys.characters.count == 95)
    #expect(Set(keys.characters) == Set((0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }))
  }

  @Test("A second set is loaded, and malformed ones are refused")
  func sets() throws {
    let json =
      #"{"name": "greek", "pages": [{"rows": [["αΑ", {"type": "βΒ", "variants": ["ϐ"]}], ["delete"]]}]}"#
    let keys = try KeySet(json: Data(json.utf8))
    #expect(keys.name == "greek" && keys.characters == ["α", "Α", "β", "Β"])
    var keyboard = KeyboardMachine(keys: try KeySet.basicLatin(), hasForce: false)
    keyboard.show(keys)
    _ = try keyboard.handle(.down(row: 0, key: 1, sample: TouchSample(time: 0)))
    #expect(try keyboard.handle(.up(TouchSample(time: 1))) == [.type("β", intensity: 100)])
    let malformed = [
      "", "{}", #"{"name": "a", "pages": []}"#, #"{"name": "a", "pages": [{"rows": []}]}"#,
      #"{"name": "a", "pages": [{"rows": [1]}]}"#, #"{"name": "a", "pages": [{"rows": [[1]]}]}"#,
      #"{"name": "a", "pages": [{"rows": [["abc"]]}]}"#,
      #"{"name": "a", "pages": [{"rows": [["page 2"]]}]}"#,
      #"{"name": "a", "pages": [{"rows": [["aA", "bA"]]}]}"#,
      #"{"name": "a", "pages": [{"rows": [[{"type": "a", "width": -1}]]}]}"#,
    ]
    for json in malformed {
      #expect(throws: IntensityTextError.self, "\(json)") { try KeySet(json: Data(json.utf8)) }
    }
  }

  @Test("Suggestions are in the order of likelihood, and a chosen one has the mean of the word")
  func suggestions() throws {
    let source = ListedWords(words: ["there", "the", "then", "the", "than"])
    var bar = SuggestionBar(source: source, limit: 3)
    var editor = IntensityEditor()
    editor.type("say ")
    bar.update(for: editor)
    #expect(bar.suggestions.isEmpty)
    for (character, number) in [("t", 20), ("h", 40), ("e", 90)] {
      editor.intensity = number
      editor.type(character)
    }
    bar.update(for: editor)
    #expect(bar.suggestions == ["there", "the", "then"])
    #expect(bar.range == 4..<7)
    try bar.choose(0, in: &editor)
    #expect(editor.text.string == "say there ")
    #expect(Array(editor.text.intensities.dropFirst(4)) == [50, 50, 50, 50, 50, 50])
    #expect(editor.selection == 10..<10 && bar.suggestions.isEmpty)
    #expect(throws: IntensityTextError.self) { try bar.choose(0, in: &editor) }
    editor.type("the")
    bar.update(for: editor)
    editor.moveCaret(by: -5)
    #expect(throws: IntensityTextError.self) { try bar.choose(0, in: &editor) }
    bar.update(for: IntensityEditor())
    #expect(bar.range == nil)
  }

  @Test("The accessory is a key, a slider and a choice of everything")
  func accessory() throws {
    var accessory = AccessoryMachine(hasForce: false)
    var editor = IntensityEditor(IntensityString("a"))
    func send(_ event: AccessoryEvent) throws -> [AccessoryEffect] {
      let effects = try accessory.handle(event)
      for effect in effects { editor.apply(effect) }
      return effects
    }
    #expect(accessory.readout == 50 && accessory.slider == 0.5)
    #expect(try send(.slider(0.7)) == [.intensity(70)])
    #expect(editor.intensity == 70)
    editor.type("b")
    _ = try send(.readout(TouchSample(time: 0), isDown: true))
    #expect(try send(.readout(TouchSample(time: 0.125), isDown: true)) == [.intensity(25)])
    #expect(try send(.readout(TouchSample(time: 0.25), isDown: false)) == [.intensity(50)])
    #expect(accessory.readout == 50 && editor.intensity == 50)
    #expect(try send(.open(.schemes)) == [.panel(.schemes)])
    _ = try send(.scheme("hue"))
    #expect(accessory.panel == nil && editor.text.options.scheme == "hue")
    #expect(try send(.open(.smoothings)) == [.panel(.smoothings)])
    #expect(try send(.open(.smoothings)) == [.panel(nil)])
    _ = try send(.smoothing(.word))
    #expect(editor.text.options == IntensityOptions(scheme: "hue", smoothing: .word))
    #expect(try send(.swapKeyboards) == [.keyboard(isPressure: false)])
    #expect(try send(.swapKeyboards) == [.keyboard(isPressure: true)])
    let picture = try Attachment(image: .reference("cat"), width: 3, height: 2)
    _ = try send(.open(.pictures))
    _ = try send(.picture(picture))
    #expect(editor.text.attachments.map(\.index) == [2] && accessory.panel == nil)
    #expect(try send(.open(.preferences)) == [.panel(.preferences)])
    #expect(throws: IntensityTextError.self) { try send(.scheme("none")) }
    #expect(throws: IntensityTextError.self) { try send(.slider(.nan)) }
    accessory.show(400)
    #expect(accessory.readout == 100)
  }
}
