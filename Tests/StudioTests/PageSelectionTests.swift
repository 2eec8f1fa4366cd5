import Exports
import Foundation
import InkEditor
import Studio
import Testing

@Suite("Selections of pages") struct PageSelectionTests {
  /// A page with "hello world" that is read.
  private func page(_ engine: Engine? = nil) throws -> PageDocument {
    let document = try PageDocument(engine: try engine ?? PageFolder.engine())
    for command in PageInk.commands(try PageInk.hello()) { _ = try document.apply(command) }
    try document.editor.waitUntilIdle(timeout: 120)
    return document
  }

  private func apply(_ action: PageCommand.Action, to document: PageDocument) throws -> Bool {
    let isChange = try document.apply(
      PageCommand(id: UUID().uuidString, action: action))
    try document.editor.waitUntilIdle(timeout: 120)
    return isChange
  }

  private func text(_ document: PageDocument) throws -> String {
    try document.editor.export(as: .text)
  }

  /// The middle of a word.
  private func middle(of text: String, _ document: PageDocument) throws -> (x: Double, y: Double) {
    func words(_ block: ContentBlock) -> [TextWord] {
      block.words + block.children.flatMap(words)
    }
    let word = try #require(
      document.editor.rootBlock.map(words)?.first { $0.label.lowercased() == text })
    return (word.box.midX, word.box.midY)
  }

  private func snapshot(_ document: PageDocument) throws -> PageSnapshot {
    try #require(PageSnapshot().next(document, changed: nil, notices: []))
  }

  @Test("A lasso, a place, items and all select ink, which is no change to keep")
  func selectors() throws {
    let document = try page()
    let count = document.strokeCount
    let steps = document.steps
    let place = try middle(of: "world", document)
    #expect(try !apply(.select(.word(x: place.x, y: place.y)), to: document))
    let word = try #require(document.editor.selection)
    #expect((1..<count).contains(word.items.count))
    let box = try #require(word.box)
    let path = PageStroke(
      x: [box.minX - 2, box.maxX + 2, box.maxX + 2, box.minX - 2],
      y: [box.minY - 2, box.minY - 2, box.maxY + 2, box.maxY + 2])
    #expect(try !apply(.select(.none), to: document))
    #expect(document.editor.selection == nil)
    #expect(try !apply(.select(.lasso(path)), to: document))
    #expect(document.editor.selection == word)
    #expect(try !apply(.select(.block(x: place.x, y: place.y)), to: document))
    #expect(document.editor.selection?.items.count == count)
    #expect(try !apply(.select(.items(word.items)), to: document))
    #expect(document.editor.selection == word)
    #expect(try !apply(.select(.all), to: document))
    #expect(document.editor.selection?.items.count == count)
    #expect(try !apply(.select(.word(x: -500, y: -500)), to: document))
    #expect(document.editor.selection == nil)
    #expect(document.steps == steps)
  }

  @Test("Selected ink is moved, scaled, coloured, cut, pasted and deleted: one step each")
  func edits() throws {
    let document = try page()
    let place = try middle(of: "world", document)
    _ = try apply(.select(.word(x: place.x, y: place.y)), to: document)
    var steps = document.steps.undo
    var box = try #require(document.editor.selection?.box)
    func next(_ action: PageCommand.Action) throws {
      #expect(try apply(action, to: document))
      steps += 1
      #expect(document.steps.undo == steps)
    }
    try next(.edit(.move(dx: 10, dy: 40), items: document.editor.selection?.items))
    let moved = try #require(document.editor.selection?.box)
    #expect(abs(moved.minX - box.minX - 10) < 1e-6 && abs(moved.minY - box.minY - 40) < 1e-6)
    try next(.edit(.scale(x: 2, y: 2, about: .topLeft), items: nil))
    box = try #require(document.editor.selection?.box)
    #expect(abs(box.width - 2 * moved.width) < 1e-6 && box.minX == moved.minX)
    try next(.edit(.color("#C00000"), items: nil))
    let items = try #require(document.editor.selection?.items)
    #expect(items.allSatisfy { document.editor.style(of: $0)?.color == "#C00000" })
    #expect(try !apply(.edit(.copy, items: nil), to: document))
    try next(.edit(.cut, items: items))
    #expect(try document.editor.selection == nil && text(document) == "hello")
    try next(.paste(x: 20, y: 80))
    #expect(document.editor.selection?.items.count == items.count)
    #expect(abs(try #require(document.editor.selection?.box).minY - 80) < 1e-6)
    try next(.edit(.delete, items: nil))
    #expect(try text(document) == "hello")
    for _ in 0..<6 { #expect(try apply(.undo, to: document)) }
    #expect(try text(document) == "hello world")
  }

  @Test("A type that the ink can have is set, and undone")
  func types() throws {
    let document = try page()
    _ = try apply(.select(.all), to: document)
    #expect(
      try snapshot(document).selection.types.sorted() == ["drawing", "math", "shape", "text"])
    #expect(try apply(.edit(.type(.drawing), items: nil), to: document))
    #expect(try text(document).isEmpty)
    #expect(document.editor.selection?.items.count == document.strokeCount)
    #expect(try apply(.undo, to: document))
    #expect(try text(document) == "hello world")
  }

  @Test("An edit without a selection, of ink that is gone, and of an empty clipboard is refused")
  func refusals() throws {
    let document = try page()
    let steps = document.steps
    for action in [
      PageCommand.Action.edit(.delete, items: nil), .edit(.move(dx: 1, dy: 1), items: [4711]),
      .select(.items([4711])), .paste(x: 0, y: 0),
    ] {
      #expect(throws: StudioError.self) { try apply(action, to: document) }
    }
    #expect(document.steps == steps)
    #expect(try text(document) == "hello world")
  }

  @Test("An edit names its ink: what another window selects meanwhile does not change")
  func named() throws {
    let document = try page()
    let hello = try middle(of: "hello", document)
    _ = try apply(.select(.word(x: hello.x, y: hello.y)), to: document)
    let items = try #require(document.editor.selection?.items)
    let world = try middle(of: "world", document)
    _ = try apply(.select(.word(x: world.x, y: world.y)), to: document)
    #expect(try apply(.edit(.delete, items: items), to: document))
    #expect(try text(document) == "world")
  }

  @Test("Clients get the selection with its box and types, and colours as they change")
  func snapshots() throws {
    let document = try page()
    var state = try snapshot(document)
    #expect(state.selection.items.isEmpty)
    let place = try middle(of: "world", document)
    _ = try apply(.select(.word(x: place.x, y: place.y)), to: document)
    state = try #require(state.next(document, changed: [], notices: []))
    #expect(state.selection.items == document.editor.selection?.items)
    #expect(!state.selection.isPartial && state.selection.types.contains("shape"))
    #expect(state.next(document, changed: [], notices: []) == nil)
    _ = try apply(.edit(.color("#C00000"), items: nil), to: document)
    state = try #require(state.next(document, changed: [], notices: []))
    #expect(Set(state.colors.keys) == Set(state.selection.items))
    #expect(state.colors.values.allSatisfy { $0 == "#C00000" })
    _ = try apply(.undo, to: document)
    state = try #require(state.next(document, changed: [], notices: []))
    #expect(state.colors.values.allSatisfy { $0 == nil })
  }

  @Test("All windows of a page are told what is selected, and of its colour")
  func windows() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create(nil)
    let (one, two) = (
      try await PageTestClient(folder.pages, name), try await PageTestClient(folder.pages, name)
    )
    for client in [one, two] {
      client.send(#"{"type": "hello"}"#)
      #expect(try await client.first { $0.isFirst == true }.selection?.items == [])
    }
    for command in PageInk.commands([PageStroke(x: [10, 20, 30], y: [10, 30, 10])]) {
      try one.send(command)
    }
    let item = try #require(try await two.first { $0.ink?.isEmpty == false }.ink?.first?.id)
    try one.send(PageCommand(id: "all", action: .select(.all)))
    let selection = try #require(try await two.first { $0.selection != nil }.selection)
    #expect(selection.items == [item] && !selection.isPartial && selection.types.contains("shape"))
    #expect(selection.box == [10, 10, 30, 30])
    try two.send(PageCommand(id: "red", action: .edit(.color("#C00000"), items: [item])))
    let red = try #require(try await one.first { $0.colors != nil }.colors)
    #expect(red.map(\.id) == [item] && red[0].color == "#C00000")
    try one.send(PageCommand(id: "undo", action: .undo))
    _ = try await two.first { $0.colors?.first?.color == "#C00000" }
    #expect(try await two.first { $0.colors != nil }.colors?.first?.color == nil)
    try two.send(PageCommand(id: "none", action: .select(.none)))
    #expect(try await one.first { $0.selection?.items == [] }.selection?.box == nil)
    one.close()
    two.close()
  }

  @Test("A ring around a word of a line selects it while gestures are on")
  func ring() throws {
    let document = try page()
    let place = try middle(of: "world", document)
    _ = try apply(.select(.word(x: place.x, y: place.y)), to: document)
    let word = try #require(document.editor.selection)
    let box = try #require(word.box)
    _ = try apply(.select(.none), to: document)
    let count = document.strokeCount
    let angles = (0...48).map { 2 * Double.pi * Double($0) / 48 }
    let ring = PageStroke(
      x: angles.map { box.midX + 0.62 * box.width * cos($0) },
      y: angles.map { box.midY + 0.8 * box.height * sin($0) })
    let command = PageCommand(id: "ring", action: .strokes([ring]), withGestures: true)
    #expect(try !document.apply(command))
    try document.editor.waitUntilIdle(timeout: 120)
    #expect(document.editor.selection == word)
    #expect(document.strokeCount == count)
  }

  @Test("The selection is exported, and without one that is refused")
  func export() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create(nil)
    let session = try await folder.pages.session(of: name)
    for command in PageInk.commands(try PageInk.hello()) { _ = try await session.apply(command) }
    await #expect(throws: StudioError.self) {
      try await PageExport(.text, of: .selection).bytes(of: session, title: name)
    }
    _ = try await PageExport(.text).bytes(of: session, title: name)
    let place = try await session.with { try self.middle(of: "world", $0) }
    _ = try await session.apply(
      PageCommand(id: "w", action: .select(.word(x: place.x, y: place.y))))
    let text = try await PageExport(.text, of: .selection).bytes(of: session, title: name)
    #expect(String(decoding: text, as: UTF8.self) == "world")
    let svg = try await PageExport(.svg, of: .selection).bytes(of: session, title: name)
    #expect(String(decoding: svg, as: UTF8.self).contains("<svg"))
    #expect(
      try await PageExport(.jiix, of: .selection).bytes(of: session, title: name).count > 100)
    let html = try await PageExport(.html, of: .selection).bytes(of: session, title: name)
    #expect(String(decoding: html, as: UTF8.self).contains("<p>world</p>"))
    let pdf = try await PageExport(.pdf).bytes(of: session, title: name)
    #expect(pdf.starts(with: Data("%PDF".utf8)))
    let formats = try await PageExport.formats(of: session, .selection)
    #expect(formats.contains(.text) && formats.contains(.docx) && !formats.contains(.graphML))
    let block = try await session.with { document in
      try #require(document.editor.rootBlock?.children.first { $0.type == .text }).id
    }
    let part = try await PageExport(.text, of: .block(block)).bytes(of: session, title: name)
    #expect(String(decoding: part, as: UTF8.self).contains("world"))
    await #expect(throws: StudioError.self) {
      try await PageExport.formats(of: session, .block("none"))
    }
    await #expect(throws: StudioError.self) {
      try await PageExport(.pdf, of: .block("none")).bytes(of: session, title: name)
    }
  }
}
