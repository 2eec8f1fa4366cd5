import Foundation
import InkEditor
import Studio
import TestSamples
import Testing

@Suite("Documents of pages") struct PageDocumentTests {
  /// What must be the same.
  private struct Content: Equatable {
    var text: String
    var strokes: [[[Double?]]]
    var types: [String]
    var undo: Int
    var redo: Int
  }

  private func content(_ document: PageDocument) throws -> Content {
    try document.editor.waitUntilIdle(timeout: 120)
    func blocks(_ block: ContentBlock) -> [ContentBlock] {
      block.children.flatMap { [$0] + blocks($0) }
    }
    let all = document.editor.rootBlock.map(blocks) ?? []
    return Content(
      text: try document.editor.export(as: .text),
      strokes: try (document.editor.rootBlock?.items ?? []).compactMap { item in
        try document.editor.stroke(of: item)?.points.map { [$0.x, $0.y, $0.t, $0.force] }
      },
      types: all.map { "\($0.type.rawValue) \($0.shape?.label ?? "") \($0.items)" }.sorted(),
      undo: document.steps.undo, redo: document.steps.redo)
  }

  /// Applies commands as they come from a client: each is read before the next.
  private func live(
    _ commands: [PageCommand], _ engine: Engine
  ) throws -> (document: PageDocument, kept: [PageCommand]) {
    let document = try PageDocument(engine: engine)
    var kept: [PageCommand] = []
    for command in commands {
      if try document.apply(command) { kept.append(try command.checked()) }
      try document.editor.waitUntilIdle(timeout: 120)
    }
    return (document, kept)
  }

  @Test("Text and shapes are told apart, and a type can be set")
  func shapes() throws {
    let engine = try PageFolder.engine()
    let rectangle = PageInk.rectangle(x: 30, y: 80, width: 50, height: 30)
    var commands = PageInk.commands(try PageInk.hello())
    commands.append(PageCommand(id: "r", action: .strokes([rectangle])))
    let (document, _) = try live(commands, engine)
    let snapshot = try #require(
      PageSnapshot().next(document, changed: nil, notices: []))
    #expect(snapshot.blocks.values.compactMap(\.shape?.label) == ["rectangle"])
    #expect(snapshot.blocks.values.contains { $0.type == "Text" && !$0.lines.isEmpty })
    let item = try #require(snapshot.items.last)
    #expect(try document.apply(PageCommand(id: "t", action: .type(.drawing, items: [item]))))
    let next = try #require(snapshot.next(document, changed: nil, notices: []))
    #expect(next.blocks.values.compactMap(\.shape).isEmpty)
    #expect(try document.apply(PageCommand(id: "u", action: .undo)))
    #expect(
      try #require(next.next(document, changed: nil, notices: []))
        .blocks.values.compactMap(\.shape?.label) == ["rectangle"])
  }

  @Test("A command with a known id is not applied again")
  func idempotent() throws {
    let engine = try PageFolder.engine()
    let commands = PageInk.commands(try PageInk.hello())
    let (document, kept) = try live(commands + commands, engine)
    #expect(document.strokeCount == commands.count)
    #expect(kept.count == commands.count)
  }

  @Test("A chosen candidate stays, and can be undone")
  func choice() throws {
    let engine = try PageFolder.engine()
    let (document, _) = try live(PageInk.commands(try PageInk.hello()), engine)
    let words = document.editor.rootBlock?.children.flatMap(\.words) ?? []
    let word = try #require(words.first { $0.candidates.count > 1 })
    let other = try #require(word.candidates.map(\.text).first { $0 != word.label })
    let choice = PageCommand(id: "c", action: .choose(text: other, items: word.items))
    #expect(try document.apply(choice))
    let chosen = document.editor.word(ofItem: word.items[0])
    #expect(chosen?.label == other && chosen?.isChosen == true)
    #expect(try document.apply(PageCommand(id: "u", action: .undo)))
    try document.editor.waitUntilIdle(timeout: 120)
    #expect(document.editor.word(ofItem: word.items[0])?.label == word.label)
  }

  @Test("The readings and symbols of a formula between words are chosen, and its text")
  func formulaChoice() throws {
    let (models, reader) = (LoadedModels(), FakeReader())
    models.setText(reader, bundle: "en_US")
    reader.reads("ab", as: "a b", or: ["a ^ { b }"], plainText: "ob")
    let strokes = Pen.strokes("let ab be", x: 20, y: 20).map { points in
      PageStroke(x: points.map(\.x), y: points.map(\.y))
    }
    let (document, _) = try live(
      strokes.enumerated().map { PageCommand(id: "s\($0)", action: .strokes([$1])) },
      Engine(models: models))
    let items = Array((document.editor.rootBlock?.items ?? [])[3..<5])
    func formula() -> String? { document.editor.word(ofItem: items[0])?.formula?.latex }
    func apply(_ action: PageCommand.Action, _ id: String) throws {
      #expect(try document.apply(PageCommand(id: id, action: action)))
    }
    #expect(formula() == "a b")
    let shown = try #require(PageSnapshot().next(document, changed: nil, notices: []))
    let json = try String(
      decoding: JSONEncoder().encode(shown.blocks.values.flatMap(\.lines)), as: UTF8.self)
    #expect(json.contains(#""latex":"a ^ { b }""#) && !json.contains("isFormula"))
    try apply(.choose(text: "a ^ { b }", items: items), "a")
    #expect(formula() == "a ^ { b }")
    try apply(.choose(text: "7", items: [items[1]]), "b")
    #expect(formula() == "a ^ { 7 }")
    try apply(.type(.text, items: items), "c")
    #expect(formula() == nil && document.editor.word(ofItem: items[0])?.isChosen == true)
    let text = try #require(shown.next(document, changed: nil, notices: []))
    let changed = try String(
      decoding: JSONEncoder().encode(text.blocks.values.flatMap(\.lines)), as: UTF8.self)
    #expect(changed.contains(#""isFormula":false"#))
    try apply(.choose(text: "ab", items: items), "d")
    #expect(formula() == "a b")
    #expect {
      try document.apply(PageCommand(id: "e", action: .choose(text: "8", items: [items[1]])))
    } throws: { ($0 as? StudioError)?.code == .conflict }
  }

  @Test("All changes are undone and redone, and no more")
  func history() throws {
    let engine = try PageFolder.engine()
    let strokes = PageInk.commands(try PageInk.hello())
    let (document, _) = try live(strokes, engine)
    let before = try content(document)
    for step in 0...strokes.count {
      let isChange = try document.apply(PageCommand(id: "u\(step)", action: .undo))
      #expect(isChange == (step < strokes.count))
    }
    #expect(document.strokeCount == 0)
    for step in 0...strokes.count {
      let isChange = try document.apply(PageCommand(id: "r\(step)", action: .redo))
      #expect(isChange == (step < strokes.count))
    }
    #expect(try content(document) == before)
  }

  @Test("Stale and impossible choices are refused, and change nothing")
  func refused() throws {
    let engine = try PageFolder.engine()
    let (document, _) = try live(PageInk.commands(try PageInk.hello()), engine)
    let before = try content(document)
    for (text, items) in [("x", [99]), ("x", [1, 99]), ("x", [-1]), ("x", [Int.max])] {
      #expect {
        try document.apply(PageCommand(id: "c", action: .choose(text: text, items: items)))
      } throws: { ($0 as? StudioError)?.code == .conflict }
    }
    #expect {
      try document.apply(PageCommand(id: "t", action: .type(.shape, items: [99])))
    } throws: { ($0 as? StudioError)?.code == .invalidValue }
    #expect(try content(document) == before)
  }

  @Test("The eraser removes what it touches, and clearing removes all; both can be undone")
  func erasing() throws {
    let engine = try PageFolder.engine()
    let strokes = [
      PageStroke(x: [10, 20], y: [10, 10]), PageStroke(x: [10, 20], y: [40, 40]),
    ]
    let (document, kept) = try live(
      PageInk.commands(strokes) + [
        PageCommand(
          id: "e", action: .erase(PageStroke(x: [15, 15], y: [5, 15]), isPrecise: false)),
        PageCommand(id: "f", action: .erase(PageStroke(x: [90], y: [90]), isPrecise: false)),
      ], engine)
    // A path that touches nothing is no step and is not kept.
    #expect(kept.map(\.id) == ["s-0", "s-1", "e"])
    #expect(document.editor.rootBlock?.items == [2])
    #expect(try document.apply(PageCommand(id: "c", action: .clear)))
    #expect(document.strokeCount == 0)
    #expect(try !document.apply(PageCommand(id: "d", action: .clear)))
    #expect(try document.apply(PageCommand(id: "u", action: .undo)))
    #expect(try document.apply(PageCommand(id: "v", action: .undo)))
    #expect(document.strokeCount == 2)
  }

  // MARK: - Languages

  @Test("A page is read in the best language, or in the one that is chosen, also after undo")
  func languages() throws {
    let engine = try PageFolder.engine()
    let document = try PageDocument(engine: engine)
    #expect(document.language == nil)
    for command in PageInk.commands(try PageInk.hello()) { _ = try document.apply(command) }
    #expect(try content(document).text.contains("hello"))
    #expect(try document.apply(PageCommand(id: "l", action: .language("de"))))
    #expect(try !document.apply(PageCommand(id: "m", action: .language("de"))))
    #expect(document.language == "de")
    let german = try content(document).text
    #expect(!german.isEmpty)
    // Undo brings ink back, and not the readings of the other language.
    #expect(try document.apply(PageCommand(id: "u", action: .undo)))
    #expect(try document.apply(PageCommand(id: "r", action: .redo)))
    #expect(try content(document).text == german)
    #expect(try document.apply(PageCommand(id: "n", action: .language(nil))))
    #expect(try content(document).text.contains("hello"))
  }

  @Test(
    "A language that cannot be read here is refused, and changes nothing",
    arguments: ["xx", "", "../de", "de,", "en,de,fr", "latin-characters", "zh-Hant"])
  func unknownLanguage(tag: String) throws {
    let document = try PageDocument(engine: try PageFolder.engine())
    #expect {
      try document.apply(PageCommand(id: "l", action: .language(tag)))
    } throws: { ($0 as? StudioError)?.field == "language" }
    #expect(document.language == nil)
  }
}
