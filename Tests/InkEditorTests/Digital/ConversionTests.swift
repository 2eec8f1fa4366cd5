import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing
import Typesetting

@Suite("Conversion to typed text")
struct ConversionTests {
  /// The typed texts that are drawn, with the places of their baselines.
  private func typed(_ desk: Desk) -> [DrawText] {
    desk.editor.drawCommands(of: .ink).compactMap { command in
      if case .text(let text) = command { text } else { nil }
    }
  }

  @Test("words become typed text on their baseline, in their size")
  func words() throws {
    let desk = try Desk()
    try desk.write("hello world")
    try desk.editor.waitUntilIdle()
    let before = try #require(try desk.root.words.first)
    #expect(try desk.editor.supportedConversions() == [.publish, .edit])
    try desk.editor.convert()
    let texts = typed(desk)
    #expect(texts.map(\.text) == ["hello", "world"])
    #expect(try desk.text() == "hello world")
    let words = try desk.root.words
    // The glyphs of "hello" are on the baseline, which is that of the ink.
    let first = try #require(texts.first)
    #expect(abs(first.origin.y - before.box.maxY) < 0.5)
    #expect(abs(words[0].box.minX - before.box.minX) < 0.5)
    for letter in words[0].characters {
      let box = try #require(letter.box)
      #expect(abs(box.maxY - first.origin.y) < 0.1 * first.size)
    }
    #expect(words[0].id == before.id)
    #expect(words[0].candidates == before.candidates)
    // Letters are 4 mm high in the ink: the size is that at which the glyphs are about as high.
    #expect((3.0...9).contains(first.size))
    // Words do not overlap, and the gap is that of a space.
    let gap = texts[1].origin.x - first.origin.x - (first.width ?? 0)
    #expect(abs(gap - Typesetter().space(size: first.size)) < 0.6)
    let box = try #require(try desk.root.box)
    #expect(words.allSatisfy { box.minX <= $0.box.minX && box.maxX >= $0.box.maxX })
  }

  @Test("one undo gives the ink back, with ids and candidates")
  func undo() throws {
    let desk = try Desk()
    let items = try desk.write("hello world")
    try desk.editor.waitUntilIdle()
    let before = try desk.editor.export(as: .jiix)
    let count = desk.editor.possibleUndoCount
    try desk.editor.convert()
    #expect(desk.editor.possibleUndoCount == count + 1)
    #expect(try desk.root.items != items)
    let after = try desk.editor.export(as: .jiix)
    #expect(try desk.editor.undo())
    #expect(try desk.editor.export(as: .jiix) == before)
    #expect(try desk.root.items == items)
    #expect(try desk.editor.redo())
    #expect(try desk.editor.export(as: .jiix) == after)
  }

  @Test("nothing to convert: no state is offered, and nothing changes")
  func nothing() throws {
    for type in PartType.allCases {
      let desk = try Desk(type: type.rawValue)
      #expect(try desk.editor.supportedConversions() == [])
      try desk.editor.convert()
      #expect(desk.editor.possibleUndoCount == 0)
    }
    let desk = try Desk()
    try desk.write("hello")
    try desk.editor.waitUntilIdle()
    try desk.editor.convert()
    let count = desk.editor.possibleUndoCount
    #expect(try desk.editor.supportedConversions() == [])
    try desk.editor.convert()
    #expect(desk.editor.possibleUndoCount == count)
  }

  @Test("refused while reading; waits when asked")
  func busy() async throws {
    let desk = try Desk(delay: 0.2)
    try desk.write("hello")
    #expect(throws: EditorError.notIdle) { try desk.editor.convert() }
    try await desk.editor.convertWhenIdle()
    #expect(typed(desk).map(\.text) == ["hello"])
  }

  @Test("ink beside typed text joins its line, and takes its size when it is converted")
  func joins() throws {
    let desk = try Desk()
    try desk.editor.addText("hello", x: 20, y: 10, size: 5)
    let typedBox = try #require(try desk.root.box)
    try desk.write("world", x: typedBox.maxX + 3, y: typedBox.midY)
    #expect(try desk.text() == "hello world")
    #expect(try desk.root.lines.count == 1)
    try desk.editor.convert()
    let texts = typed(desk)
    #expect(texts.map(\.text) == ["hello", "world"])
    #expect(texts[0].origin.y == texts[1].origin.y)
    #expect(texts[0].size == texts[1].size)
    #expect(try desk.text() == "hello world")
  }

  @Test("ink before and between typed words stays apart from them")
  func between() throws {
    let desk = try Desk()
    try desk.editor.addText("one", x: 40, y: 10, size: 5)
    try desk.editor.waitUntilIdle()
    let box = try #require(try desk.root.box)
    try desk.write("ab", x: box.minX - 12, y: box.midY)
    #expect(try desk.text() == "ab one")
    try desk.write("cd", x: box.maxX + 4, y: box.midY)
    #expect(try desk.text() == "ab one cd")
  }

  @Test("decorations go with the words")
  func decorations() throws {
    let desk = try Desk()
    try desk.write("hello world")
    try desk.editor.waitUntilIdle()
    let root = try desk.root
    try desk.editor.decorate(characters: 6..<11, of: root, with: .underline)
    try desk.editor.convert()
    let spans = desk.editor.decorations
    #expect(spans.map(\.kind) == [.underline])
    let jiix = try desk.editor.export(as: .jiix)
    #expect(jiix.contains("\"first-char\" : 6") || jiix.contains("\"first-char\":6"))
  }

  @Test("a selected word is converted alone")
  func selection() throws {
    let desk = try Desk()
    try desk.write("hello world")
    try desk.editor.waitUntilIdle()
    let word = try desk.root.words[1]
    let selection = try desk.editor.selection(ofItems: word.items)
    try desk.editor.convert(selection)
    #expect(typed(desk).map(\.text) == ["world"])
    #expect(try desk.text() == "hello world")
  }

  @Test("letters that the fonts lack have a box, and a notice names them")
  func missing() throws {
    let desk = try Desk()
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.editor.addText("a漢b", x: 10, y: 10)
    try desk.editor.waitUntilIdle()
    #expect(try desk.text() == "a漢b")
    let found = listener.events.compactMap { event -> String? in
      if case .notice(let notice) = event, notice.code == .fontLacksCharacters {
        return notice.message
      }
      return nil
    }
    #expect(found.count == 1 && found[0].contains("漢"))
  }

  @Test("on guides the lines of the state for editing have one size and stand on them")
  func guides() throws {
    let desk = try Desk()
    try desk.editor.configuration.set("text.guides.spacing", to: 10)
    try desk.write("hello", x: 20, y: 16)
    try desk.write("world", x: 20, y: 27)
    try desk.editor.waitUntilIdle()
    try desk.editor.convert(to: .edit)
    let texts = typed(desk)
    #expect(Set(texts.map(\.size)).count == 1)
    let guides = try #require(desk.editor.guides)
    for text in texts {
      #expect((0..<9).contains { abs(guides.row($0).baseline - text.origin.y) < 1e-6 })
    }
  }

  @Test("an accepted completion is typed, and what is written beside it joins")
  func completion() throws {
    let desk = try Desk()
    try desk.write("say hel")
    try desk.editor.waitUntilIdle()
    try desk.editor.acceptCompletion("hello")
    #expect(typed(desk).map(\.text) == ["hello"])
    #expect(try desk.text() == "say hello")
    let box = try #require(try desk.root.box)
    try desk.write("world", x: box.maxX + 3, y: 15)
    #expect(try desk.text() == "say hello world")
    #expect(throws: EditorError.noSuchCandidate) { try desk.editor.acceptCompletion("two words") }
    #expect(throws: EditorError.noSuchCandidate) {
      try Desk().editor.acceptCompletion("nothing")
    }
  }

  @Test("actions: conversion is offered where there is something to convert")
  func actions() throws {
    let desk = try Desk()
    #expect(try !desk.editor.actions().contains(.convert))
    try desk.write("hello")
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.actions().contains(.convert))
    try desk.editor.convert()
    #expect(try !desk.editor.actions().contains(.convert))
    #expect(try desk.editor.actions().contains(.copyText))
  }
}
