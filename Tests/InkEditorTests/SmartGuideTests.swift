import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

@Suite("Smart guide")
struct SmartGuideTests {
  private func typed(_ desk: Desk, candidates: Int? = nil) throws -> TypedText {
    try desk.editor.waitUntilIdle()
    return try #require(desk.editor.typedText(candidates: candidates))
  }

  @Test("The word with the newest ink is emphasised, and none when it is erased")
  func newestInk() throws {
    let desk = try Desk()
    try desk.write("alpha beta gamma delta")
    let words = try typed(desk).words
    #expect(try typed(desk).emphasized == 3)
    try desk.editor.removeItems(words[1].items)
    let items = try desk.write("iota", x: words[1].box.minX)
    #expect(try typed(desk).text == "alpha iota gamma delta")
    #expect(try typed(desk).emphasized == 1)
    try desk.editor.removeItems(items)
    #expect(try typed(desk).emphasized == nil)
    #expect(try typed(desk).text == "alpha gamma delta")
    // Undo brings the word back, with its emphasis.
    try desk.editor.undo()
    #expect(try typed(desk).emphasized == 1)
  }

  @Test("A chosen word is emphasised until more is written")
  func chosenWord() throws {
    let desk = try Desk()
    try desk.write("alpha beta")
    try desk.editor.choose("ALPHA", for: typed(desk).words[0])
    #expect(try typed(desk).emphasizedWord?.label == "ALPHA")
    try desk.write("gamma", y: 25)
    #expect(try typed(desk).emphasizedWord?.label == "gamma")
  }

  @Test("A choice means the word that was shown, or is refused")
  func staleChoice() throws {
    let desk = try Desk()
    try desk.write("alpha beta gamma")
    let shown = try typed(desk).words
    try desk.editor.removeItems(shown[0].items)
    try desk.editor.choose("BETA", for: shown[1])
    #expect(try typed(desk).text == "BETA gamma")
    #expect(throws: EditorError.staleWord(shown[0].id)) {
      try desk.editor.choose("ALPHA", for: shown[0])
    }
    try desk.editor.removeItems([shown[2].items[0]])
    _ = try typed(desk)
    #expect(throws: EditorError.staleWord(shown[2].id)) {
      try desk.editor.choose("GAMMA", for: shown[2])
    }
    // The same ids in another part.
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    try desk.write("alpha beta gamma")
    _ = try typed(desk)
    #expect(throws: EditorError.staleWord(shown[1].id)) {
      try desk.editor.choose("BETA", for: shown[1])
    }
  }

  @Test("Each word has its range of the text; spaces and breaks belong to no word")
  func ranges() throws {
    let desk = try Desk()
    try desk.write("alpha beta", y: 15)
    try desk.write("gamma", y: 25)
    let typed = try typed(desk)
    #expect(typed.text == "alpha beta\ngamma")
    #expect(typed.words.map { String(typed.text[$0.range]) } == ["alpha", "beta", "gamma"])
    #expect(typed.words.map(\.line) == [0, 0, 1])
    #expect(typed.words.map(\.utf16Range) == [0..<5, 6..<10, 11..<16])
    let covered = typed.words.reduce(0) { $0 + typed.text[$1.range].count }
    #expect(typed.text.count - covered == 2)
    #expect(Set(typed.words.map(\.id)).count == 3)
  }

  @Test("A place in the text leads to the word, and a tap on ink emphasises it")
  func places() throws {
    let desk = try Desk()
    // Two pixels a millimetre, and scrolled.
    try desk.write("alpha beta")
    _ = try typed(desk)
    desk.editor.viewTransform = try ViewTransform(
      dpiX: 50.8, dpiY: 50.8, offsetX: -10, offsetY: 30)
    let typed = try typed(desk)
    let place = typed.text.index(typed.text.startIndex, offsetBy: 7)
    #expect(typed.word(at: place) == 1 && typed.word(atUTF16: 0) == 0)
    #expect(typed.word(atUTF16: 5) == 0 && typed.word(atUTF16: 99) == nil)
    #expect(typed.word(ofItem: typed.words[1].items[0]) == 1)
    let word = typed.words[0]
    #expect(abs(word.viewBox.minX - (2 * word.box.minX - 10)) < 1e-9)
    #expect(abs(word.viewBox.maxY - (2 * word.box.maxY + 30)) < 1e-9)
    #expect(typed.word(atX: word.viewBox.midX, y: word.viewBox.midY) == 0)
    #expect(typed.word(atX: word.viewBox.midX, y: word.viewBox.maxY + 9) == nil)
    let tapped = try desk.editor.emphasizeWord(atX: word.viewBox.midX, y: word.viewBox.midY)
    #expect(tapped?.emphasized == 0)
    #expect(desk.editor.typedText()?.emphasized == 0)
    #expect(try desk.editor.emphasizeWord(atX: 5000, y: 5000) == nil)
    #expect(throws: EditorError.self) { try desk.editor.emphasizeWord(atX: .nan, y: 0) }
    try desk.editor.emphasize(typed.words[1])
    #expect(desk.editor.typedText()?.emphasized == 1)
  }

  @Test("Unread ink is a word of its own, with its items")
  func unread() throws {
    let desk = try Desk { try $0.configuration.set("recognition.trigger", to: "demand") }
    let items = try desk.write("ab")
    let before = try typed(desk)
    #expect(before.text == TypedText.unreadLabel)
    #expect(before.words.map(\.items) == [items] && before.words[0].isUnread)
    #expect(before.words[0].candidates.isEmpty && before.emphasized == 0)
    #expect(throws: EditorError.self) { try desk.editor.setLabel("x", of: before.words[0]) }
    try desk.editor.recognize()
    #expect(try typed(desk).text == "ab")
    let more = try desk.write("c", x: 40)
    let after = try typed(desk)
    #expect(after.text == "ab \(TypedText.unreadLabel)")
    #expect(after.words.map(\.isUnread) == [false, true] && after.words[1].items == more)
  }

  @Test("Ink that is emphasised before it is read keeps the emphasis")
  func unreadEmphasis() throws {
    let desk = try Desk { try $0.configuration.set("recognition.trigger", to: "demand") }
    try desk.write("ab", y: 15)
    try desk.write("cd", y: 25)
    let box = try typed(desk).words[0].viewBox
    try desk.editor.emphasizeWord(atX: box.midX, y: box.midY)
    #expect(try typed(desk).emphasized == 0)
    try desk.editor.recognize()
    #expect(try typed(desk).emphasizedWord?.label == "ab")
  }

  @Test("Unread ink of raw content that is in no block yet is shown too")
  func unsorted() throws {
    let desk = try Desk(type: "Raw Content") {
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    let items = try desk.write("ab")
    let before = try typed(desk)
    #expect(before.block == nil && before.words.map(\.items) == [items])
    try desk.editor.recognize()
    #expect(try typed(desk).text == "ab" && typed(desk).block != nil)
  }

  /// A reader of one word with many readings, two of them equal.
  private static let wordReader = ScriptedReader { ink in
    let texts = ["cat", "cut", "cot", "cut", "oat", "car", "eat", "bat"]
    return RecognitionResult(
      candidates: texts.enumerated().map {
        RecognitionCandidate(text: $0.element, score: -Double($0.offset) - 0.5)
      })
  }

  @Test("Candidates: the chosen one first, each once, as many as asked for, and as in JIIX")
  func candidates() throws {
    let desk = try Desk()
    desk.models.setText(Self.wordReader, bundle: "en_US")
    try desk.write("x")
    var typed = try typed(desk)
    #expect(
      typed.words[0].candidates.map(\.text) == ["cat", "cut", "cot", "oat", "car", "eat", "bat"])
    try desk.editor.choose("cot", for: typed.words[0])
    typed = try self.typed(desk)
    #expect(
      typed.words[0].candidates.map(\.text) == ["cot", "cat", "cut", "oat", "car", "eat", "bat"])
    let exported = try desk.editor.exportDocument().words?.first?.candidates
    #expect(exported == typed.words[0].candidates.map(\.text))
    let five = try self.typed(desk, candidates: 5)
    #expect(five.words[0].candidates.map(\.text) == ["cot", "cat", "cut", "oat", "car"])
    // A choice by a short list is as good.
    try desk.editor.choose("oat", for: five.words[0])
    #expect(try self.typed(desk).text == "oat")
    #expect(throws: EditorError.noSuchCandidate) {
      try desk.editor.choose("dog", for: self.typed(desk).words[0])
    }
  }

  @Test("A candidate of one character is chosen alone: the others stay")
  func character() throws {
    let desk = try Desk()
    desk.models.setText(
      ScriptedReader { ink in
        let parts = ink.strokes.indices.map { index in
          CharacterInk(parts: [
            .init(stroke: index, points: 0..<ink.strokes[index].points.count)
          ])
        }
        return RecognitionResult(
          candidates: ["al0", "a10", "alO"].enumerated().map {
            RecognitionCandidate(
              text: $0.element, score: -Double($0.offset) - 0.7, characters: parts)
          })
      }, bundle: "en_US")
    try desk.write("abc")
    let word = try typed(desk).words[0]
    #expect(word.label == "al0" && word.characters[1].candidates.map(\.text) == ["l", "1"])
    try desk.editor.choose("1", forCharacter: 1, of: word)
    let changed = try typed(desk).words[0]
    #expect(changed.label == "a10" && changed.id == word.id && changed.isChosen)
    #expect(changed.characters.map(\.id) == word.characters.map(\.id))
    #expect(changed.characters.map(\.parts) == word.characters.map(\.parts))
    // A label that no reading of the word has.
    try desk.editor.choose("O", forCharacter: 2, of: changed)
    #expect(try typed(desk).text == "a1O")
    #expect(throws: EditorError.noSuchCandidate) {
      try desk.editor.choose("x", forCharacter: 0, of: self.typed(desk).words[0])
    }
    #expect(throws: EditorError.noSuchCandidate) {
      try desk.editor.choose("a", forCharacter: 9, of: self.typed(desk).words[0])
    }
    try desk.editor.undo()
    #expect(try typed(desk).text == "a10")
  }

  @Test("A typed label that is no candidate holds as a choice does")
  func freeText() throws {
    let desk = try Desk()
    try desk.write("alpha beta")
    try desk.editor.setLabel("  Zo\n ë ", of: typed(desk).words[1])
    #expect(try typed(desk).text == "alpha Zo ë")
    let box = try typed(desk).words[1].box
    try desk.write("gamma", x: box.maxX + 4)
    try desk.editor.recognize(again: true)
    let typed = try typed(desk)
    #expect(typed.text == "alpha Zo ë gamma" && typed.words[1].isChosen)
    #expect(typed.words[1].candidates.map(\.text) == ["Zo ë", "beta", "BETA"])
    try desk.editor.choose("beta", for: typed.words[1])
    #expect(try self.typed(desk).text == "alpha beta gamma")
    for bad in ["", " \n", String(repeating: "x", count: Editor.longestLabel + 1)] {
      #expect(throws: EditorError.self) {
        try desk.editor.setLabel(bad, of: self.typed(desk).words[0])
      }
    }
    // A letter on the word's own ink.
    try desk.editor.setLabel("Zoë", of: self.typed(desk).words[1])
    try desk.write("s", x: box.maxX - 1)
    #expect(try !self.typed(desk).text.contains("Zoë"))
  }

  @Test("It follows the active block, another part, none, and undo")
  func following() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("alpha", y: 15)
    let first = try typed(desk)
    #expect(first.text == "alpha")
    try desk.write("beta", y: 80)
    let second = try typed(desk)
    #expect(second.text == "beta" && second.block != first.block)
    // Another block, by a tap.
    let box = first.words[0].viewBox
    try desk.editor.emphasizeWord(atX: box.midX, y: box.midY)
    #expect(try typed(desk).text == "alpha")
    try desk.write("gamma", y: 82)
    let part = try #require(desk.editor.part)
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    #expect(try typed(desk).text.isEmpty)
    try desk.editor.setPart(nil)
    #expect(desk.editor.typedText() == nil)
    try desk.editor.setPart(part)
    let before = try typed(desk).text
    try desk.write("x", y: 140)
    #expect(try typed(desk).text == "x")
    try desk.editor.undo()
    #expect(try typed(desk).text == before)
  }

  @Test(
    "The stream of the active text tells another block before it is read", .timeLimit(.minutes(1)))
  func stream() async throws {
    let desk = try Desk(type: "Text Document") {
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    var texts = desk.editor.activeText.makeAsyncIterator()
    #expect(await texts.next()?.block == nil)
    try desk.write("a")
    let active = try #require(desk.editor.activeBlock?.id)
    #expect(await texts.next()?.block == active)
  }

  @Test("The guide is above the block and on the screen, at each corner of the view")
  func placement() throws {
    let view = (width: 400.0, height: 300.0)
    func place(_ x: Double, _ y: Double) -> BoundingBox {
      GuidePlacement.rectangle(
        width: 200, height: 40, beside: BoundingBox(minX: x, minY: y, maxX: x + 60, maxY: y + 20),
        view: view, gap: 8)
    }
    #expect(place(50, 150) == BoundingBox(minX: 50, minY: 102, maxX: 250, maxY: 142))
    // Upper corners: no room above.
    #expect(place(0, 0) == BoundingBox(minX: 0, minY: 28, maxX: 200, maxY: 68))
    #expect(place(340, 0) == BoundingBox(minX: 200, minY: 28, maxX: 400, maxY: 68))
    // Lower corners.
    #expect(place(0, 280) == BoundingBox(minX: 0, minY: 232, maxX: 200, maxY: 272))
    #expect(place(340, 280) == BoundingBox(minX: 200, minY: 232, maxX: 400, maxY: 272))
    // Outside of the view on every side.
    for (x, y) in [(-500.0, -500.0), (900, -500), (-500, 900), (900, 900)] {
      let box = place(x, y)
      #expect(box.minX >= 0 && box.maxX <= 400 && box.minY >= 0 && box.maxY <= 300, "\(x) \(y)")
    }
    let tall = GuidePlacement.rectangle(
      width: 50, height: 40, beside: BoundingBox(minX: 0, minY: 10, maxX: 50, maxY: 290),
      view: view, gap: 8)
    #expect(tall.minY == 0)
  }

  @Test("The guide moves with the view")
  func scrolledPlacement() throws {
    let desk = try Desk()
    #expect(try desk.editor.guideRectangle(width: 50, height: 20) == nil)
    try desk.write("alpha", x: 20, y: 200)
    let first = try #require(try desk.editor.guideRectangle(width: 50, height: 20))
    desk.editor.viewTransform = try ViewTransform(dpiX: 25.4, dpiY: 25.4, offsetX: 7, offsetY: -30)
    let second = try #require(try desk.editor.guideRectangle(width: 50, height: 20))
    #expect(abs(second.minX - first.minX - 7) < 1e-9 && abs(second.minY - first.minY + 30) < 1e-9)
    #expect(throws: EditorError.self) { try desk.editor.guideRectangle(width: 0, height: 20) }
    try desk.editor.setPart(nil)
    #expect(throws: EditorError.noPart) { try desk.editor.guideRectangle(width: 50, height: 20) }
  }

  @Test("Only possible actions are listed for a block")
  func actions() throws {
    let raw = try Desk(type: "Raw Content")
    #expect(try raw.editor.actions().isEmpty)
    try raw.write("alpha")
    _ = try typed(raw)
    #expect(try raw.editor.actions() == [.copyText, .copy, .convert, .export])
    let text = try #require(raw.editor.activeBlock)
    #expect(try raw.editor.actions(for: text) == BlockAction.allCases)
    let drawing = try Desk(type: "Drawing")
    try drawing.write("alpha")
    #expect(try drawing.editor.actions() == [.copy, .export])
    try raw.editor.removeBlock(text)
    #expect(throws: EditorError.invalidBlock(text.id)) { try raw.editor.actions(for: text) }
    try raw.editor.setPart(nil)
    #expect(throws: EditorError.noPart) { try raw.editor.actions() }
  }

  @Test("A second label of a shape is chosen: the kind of the block and its form change")
  func shapes() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.draw([Pen.rectangle(x: 20, y: 20, width: 40, height: 30)])
    try desk.editor.waitUntilIdle()
    let node = try #require(desk.root.children.first)
    let shape = try #require(node.shape)
    #expect(node.type == .node && shape.candidates.map(\.text) == ["rectangle", "line"])
    let edge = try desk.editor.choose("line", forShape: node)
    #expect(edge.type == .edge && edge.items == [1] && !node.isValid)
    #expect(edge.shape?.label == "line" && edge.shape?.candidates.first?.text == "line")
    #expect(try desk.root.children.count == 1)
    let again = try desk.editor.choose("rectangle", forShape: edge)
    #expect(again.type == .node && again.shape?.label == "rectangle")
    #expect(try desk.editor.exportDocument(again).kind == "rectangle")
    try desk.editor.undo()
    #expect(try desk.root.children.first?.type == .edge)
    #expect(throws: EditorError.noSuchCandidate) {
      try desk.editor.choose("star", forShape: desk.root.children[0])
    }
    #expect(throws: EditorError.noSuchCandidate) {
      try desk.editor.choose("line", forShape: desk.root)
    }
  }

  @Test("A word of the user is read the second time")
  func userWords() throws {
    let desk = try Desk()
    desk.models.setText(
      ScriptedReader { _ in
        RecognitionResult(candidates: [
          RecognitionCandidate(text: "Mira", score: -0.4),
          RecognitionCandidate(text: "Mirae", score: -2),
        ])
      }, bundle: "en_US")
    try desk.write("x")
    #expect(try typed(desk).text == "Mira")
    try desk.engine.addUserWord("Mirae")
    try desk.engine.addUserWord("Mirae")
    #expect(desk.engine.userWords == ["Mirae"])
    try desk.write("y", y: 45)
    let typed = try typed(desk)
    #expect(typed.text == "Mira\nMirae")
    #expect(typed.words[1].candidates.map(\.text) == ["Mirae", "Mira"])
    // The words are saved with the configuration.
    #expect(desk.engine.configuration.json.contains("Mirae"))
    try desk.engine.removeUserWord("Mirae")
    try desk.editor.recognize(again: true)
    #expect(try self.typed(desk).text == "Mira\nMira")
    for bad in ["", "two words", String(repeating: "x", count: 65)] {
      #expect(throws: EditorError.self) { try desk.engine.addUserWord(bad) }
    }
  }

  /// A reader that knows how words go on.
  private struct Completer: Recognizer, WordCompleting {
    var labels: [String]? { nil }
    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      try FakeReader().recognize(ink, context: context, maximumCandidates: maximumCandidates)
    }
    func completions(of prefix: String, after context: String, limit: Int) -> [String] {
      context == "alpha " && prefix == "bet" ? ["bet", "beta", "better", "betting"] : []
    }
  }

  @Test("The last word is completed: words of the user first, and not the word itself")
  func completions() throws {
    let desk = try Desk()
    desk.models.setText(Completer(), bundle: "en_US")
    #expect(desk.editor.completions().isEmpty)
    try desk.write("alpha bet")
    _ = try typed(desk)
    #expect(desk.editor.completions() == ["beta", "better", "betting"])
    #expect(desk.editor.completions(limit: 2) == ["beta", "better"])
    #expect(desk.editor.completions(limit: 0).isEmpty)
    try desk.engine.configuration.set("recognition.user-words", to: ["betty", "beta", "carl"])
    #expect(desk.editor.completions(limit: 3) == ["betty", "beta", "better"])
    desk.models.setText(FakeReader(), bundle: "en_US")
    desk.engine.modelsDidChange()
    try desk.engine.configuration.set("recognition.user-words", to: [String]())
    #expect(desk.editor.completions().isEmpty)
  }
}
