import Foundation
import InkEditor
import Testing

@testable import Studio

@Suite("Documents of pages") struct PageDocumentTests {
  /// What must be the same after a replay.
  private struct Content: Equatable {
    var text: String
    var items: [Int]
    var words: [[String]]
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
      items: document.editor.rootBlock?.items ?? [],
      words: all.flatMap(\.words).map { [$0.label] + $0.candidates.map(\.text) }.sorted {
        $0.lexicographicallyPrecedes($1)
      },
      types: all.map { "\($0.type.rawValue) \($0.shape?.label ?? "") \($0.items)" }.sorted(),
      undo: document.steps.undo, redo: document.steps.redo)
  }

  /// Applies commands as they come from a client: each is read before the next.
  private func live(
    _ commands: [PageCommand], _ engine: Engine
  ) throws -> (document: PageDocument, journal: [PageCommand]) {
    let document = try PageDocument(engine: engine)
    var journal: [PageCommand] = []
    for command in commands {
      if try document.apply(command) { journal.append(try command.checked()) }
      try document.editor.waitUntilIdle(timeout: 120)
    }
    return (document, journal)
  }

  @Test("A replay gives the same document as writing stroke by stroke")
  func replay() throws {
    let engine = try PageFolder.engine()
    var commands = PageInk.commands(try PageInk.hello())
    commands += PageInk.commands(try PageInk.hello(y: 45), prefix: "b")
    commands.append(
      PageCommand(
        id: "r",
        action: .strokes([PageInk.rectangle(x: 30, y: 80, width: 50, height: 30)])))
    commands += ["u1", "u2", "u3"].map { PageCommand(id: $0, action: .undo) }
    commands += ["v1", "v2"].map { PageCommand(id: $0, action: .redo) }
    let (document, journal) = try live(commands, engine)
    let again = try PageDocument(engine: engine, commands: journal)
    let (first, second) = (try content(document), try content(again))
    #expect(first.text.contains("hello"))
    #expect(first == second)
    #expect(again.lostChoices == 0)
    // The histories are the same as well.
    for step in 0..<4 {
      let command = PageCommand(id: "w\(step)", action: .undo)
      #expect(try document.apply(command) == again.apply(command))
      #expect(try content(document) == content(again), "undo \(step)")
    }
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

  @Test("A command with a known id is not applied again, also after a replay")
  func idempotent() throws {
    let engine = try PageFolder.engine()
    let commands = PageInk.commands(try PageInk.hello())
    let (document, journal) = try live(commands + commands, engine)
    #expect(document.strokeCount == commands.count)
    #expect(journal.count == commands.count)
    let again = try PageDocument(engine: engine, commands: journal)
    for command in commands { #expect(try !again.apply(command)) }
    #expect(again.strokeCount == commands.count)
  }

  @Test("A chosen candidate is chosen again after a replay, and can be undone")
  func choice() throws {
    let engine = try PageFolder.engine()
    let (document, journal) = try live(PageInk.commands(try PageInk.hello()), engine)
    let words = document.editor.rootBlock?.children.flatMap(\.words) ?? []
    let word = try #require(words.first { $0.candidates.count > 1 })
    let other = try #require(word.candidates.map(\.text).first { $0 != word.label })
    let choice = PageCommand(id: "c", action: .choose(text: other, items: word.items))
    #expect(try document.apply(choice))
    let again = try PageDocument(engine: engine, commands: journal + [choice])
    #expect(again.lostChoices == 0)
    try again.editor.waitUntilIdle(timeout: 120)
    let chosen = again.editor.word(ofItem: word.items[0])
    #expect(chosen?.label == other)
    #expect(chosen?.isChosen == true)
    #expect(try again.apply(PageCommand(id: "u", action: .undo)))
    try again.editor.waitUntilIdle(timeout: 120)
    #expect(again.editor.word(ofItem: word.items[0])?.label == word.label)
  }

  @Test("A choice that is lost keeps its place in the history")
  func lostChoice() throws {
    let engine = try PageFolder.engine()
    let strokes = PageInk.commands(try PageInk.hello())
    let lost = PageCommand(id: "c", action: .choose(text: "never a candidate", items: [1]))
    let undo = PageCommand(id: "u", action: .undo)
    let document = try PageDocument(engine: engine, commands: strokes + [lost, undo])
    #expect(document.lostChoices == 1)
    // The undo was that of the choice, so all strokes are there.
    #expect(document.strokeCount == strokes.count)
    #expect(try document.apply(PageCommand(id: "v", action: .undo)))
    #expect(document.strokeCount == strokes.count - 1)
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
    let (document, journal) = try live(
      PageInk.commands(strokes) + [
        PageCommand(id: "e", action: .erase(PageStroke(x: [15, 15], y: [5, 15]))),
        PageCommand(id: "f", action: .erase(PageStroke(x: [90], y: [90]))),
      ], engine)
    // A path that touches nothing is no step and is not kept.
    #expect(journal.map(\.id) == ["s-0", "s-1", "e"])
    #expect(document.editor.rootBlock?.items == [2])
    #expect(try document.apply(PageCommand(id: "c", action: .clear)))
    #expect(document.strokeCount == 0)
    #expect(try !document.apply(PageCommand(id: "d", action: .clear)))
    #expect(try document.apply(PageCommand(id: "u", action: .undo)))
    #expect(try document.apply(PageCommand(id: "v", action: .undo)))
    #expect(document.strokeCount == 2)
    let again = try PageDocument(engine: engine, commands: journal)
    #expect(again.editor.rootBlock?.items == [2])
  }
}
