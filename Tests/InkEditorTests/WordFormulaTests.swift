import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import TestSamples
import Testing

@Suite("Choices for formulas between words")
struct WordFormulaTests {
  /// An editor with the line "let ab be", whose second word is the formula a b.
  private func desk(_ type: String = "Text") throws -> (desk: Desk, items: [Int]) {
    let desk = try Desk(type: type)
    desk.reader.reads("ab", as: "a b", or: ["a ^ { b }"], plainText: "ob")
    let items = try desk.write("let ab be")
    try desk.editor.waitUntilIdle()
    return (desk, items)
  }

  private func block(_ desk: Desk, _ item: Int) throws -> ContentBlock {
    try #require(desk.editor.block(ofItem: item))
  }

  @Test(
    "Readings, symbols, LaTeX and text are chosen in one step each",
    arguments: ["Text", "Raw Content"])
  func choices(type: String) throws {
    let (desk, items) = try desk(type)
    let (editor, item) = (desk.editor, items[3])
    let block = try block(desk, item)
    func word() throws -> TextWord { try #require(editor.word(ofItem: item)) }
    #expect(try word().formulas.map(\.latex) == ["a b", "a ^ { b }"])
    #expect(try word().candidates.map(\.text) == ["ab", "AB", "a^b", "ob"])
    let steps = editor.undoStackIndex
    try editor.choose("a ^ { b }", forFormula: word(), in: block)
    #expect(try word().formula?.latex == "a ^ { b }" && desk.text() == "let a^b be")
    #expect(try word().formula?.symbols.map(\.strokes) == items[3..<5].map { [$0] })
    #expect(editor.undoStackIndex == steps + 1)
    try editor.choose("7", forSymbol: 1, ofFormula: word(), in: block)
    #expect(try word().formula?.latex == "a ^ { 7 }" && desk.text() == "let a⁷ be")
    #expect(try word().formula?.symbols.map(\.strokes) == items[3..<5].map { [$0] })
    try editor.setLatex(#"\frac{1}{2}+1"#, ofFormula: word(), in: block)
    #expect(try word().formula?.result?.text == "3/2" && desk.text() == "let 1/2+1 be")
    try editor.chooseText(forFormula: word(), in: block)
    #expect(try word().formula == nil && desk.text() == "let AB be")
    #expect(try word().formulas.count == 2)
    try editor.choose("a b", forFormula: word(), in: block)
    #expect(try word().formula?.latex == "a b" && desk.text() == "let ab be")
    #expect(editor.undoStackIndex == steps + 5)
    for latex in [nil, "\\frac { 1 } { 2 } + 1", "a ^ { 7 }", "a ^ { b }", "a b"] {
      try editor.undo()
      #expect(try word().formula?.latex == latex)
    }
    try editor.redo()
    #expect(try word().formula?.latex == "a ^ { b }")
  }

  @Test("The text of a reading makes a word that formula, and other text a word")
  func byText() throws {
    let (desk, items) = try desk()
    let item = items[3]
    func word() throws -> TypedWord {
      try #require(desk.editor.typedText()?.words.first { $0.items.contains(item) })
    }
    for (text, latex) in [("ob", nil), ("a^b", "a ^ { b }"), ("AB", nil), ("ab", "a b")] {
      try desk.editor.choose(text, for: word())
      let chosen = try #require(desk.editor.word(ofItem: item))
      #expect(chosen.label == text && chosen.formula?.latex == latex && chosen.isChosen)
    }
  }

  @Test("A plain word becomes a formula by LaTeX, and its text again")
  func plain() throws {
    let (desk, items) = try desk()
    let block = try desk.root
    func word() throws -> TextWord { try #require(desk.editor.word(ofItem: items[0])) }
    try desk.editor.setLatex("x^2", ofFormula: word(), in: block)
    #expect(try word().formula?.latex == "x ^ { 2 }")
    #expect(try desk.text() == "x² ab be")
    try desk.editor.chooseText(forFormula: word(), in: block)
    #expect(try word().formula == nil && desk.text() == "let ab be")
  }

  @Test("What cannot be chosen is refused, and changes nothing")
  func refused() throws {
    let (desk, items) = try desk()
    let (editor, block) = (desk.editor, try desk.root)
    let word = try #require(editor.word(ofItem: items[3]))
    let plain = try #require(editor.word(ofItem: items[0]))
    let steps = editor.undoStackIndex
    #expect(throws: EditorError.noSuchCandidate) {
      try editor.choose("a c", forFormula: word, in: block)
    }
    #expect(throws: EditorError.noSuchCandidate) {
      try editor.choose("8", forSymbol: 0, ofFormula: word, in: block)
    }
    #expect(throws: EditorError.noSuchCandidate) {
      try editor.choose("7", forSymbol: 2, ofFormula: word, in: block)
    }
    #expect(throws: EditorError.noSuchCandidate) {
      try editor.choose("7", forSymbol: 0, ofFormula: plain, in: block)
    }
    for bad in ["", "{", String(repeating: "x", count: Editor.longestFormula + 1)] {
      #expect(throws: EditorError.self) { try editor.setLatex(bad, ofFormula: word, in: block) }
    }
    #expect(editor.undoStackIndex == steps)
    try editor.choose("7", forSymbol: 0, ofFormula: word, in: block)
    // The symbols are those of another formula by now.
    #expect(throws: EditorError.staleWord(word.id)) {
      try editor.choose("7", forSymbol: 1, ofFormula: word, in: block)
    }
  }

  @Test("A choice holds until the ink of the word changes")
  func ink() throws {
    let (desk, items) = try desk()
    let word = try #require(desk.editor.word(ofItem: items[3]))
    try desk.editor.choose("7", forSymbol: 0, ofFormula: word, in: try desk.root)
    try desk.write("c", x: 80)
    try desk.editor.recognize(again: true)
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.word(ofItem: items[3])?.formula?.latex == "7 b")
    try desk.editor.removeItems([items[4]])
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.word(ofItem: items[3])?.formula == nil)
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.word(ofItem: items[3])?.formula?.latex == "7 b")
  }

  @Test("JIIX keeps the readings and the choice", arguments: [true, false])
  func jiix(isText: Bool) throws {
    let (desk, items) = try desk()
    let word = try #require(desk.editor.word(ofItem: items[3]))
    if isText {
      try desk.editor.chooseText(forFormula: word, in: try desk.root)
    } else {
      try desk.editor.choose("7", forSymbol: 0, ofFormula: word, in: try desk.root)
    }
    let overrides = #"{"export": {"jiix": {"strokes": true, "ids": true}}}"#
    let json = try desk.editor.export(as: .jiix, overrides: overrides)
    #expect(try JSONSchema.jiix().faults(json) == [])
    let other = try Desk()
    other.reader.reads("ab", as: "a b")
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(try other.editor.export(as: .jiix, overrides: overrides) == json)
    func chosen() throws -> TextWord { try #require(try other.root.words.dropFirst().first) }
    #expect(try chosen().formulas.map(\.latex) == ["a b", "a ^ { b }"])
    #expect(try chosen().formula?.latex == (isText ? nil : "7 b"))
    // The choice is not read again with the line.
    try other.editor.recognize(again: true)
    try other.editor.waitUntilIdle()
    #expect(try chosen().formula?.latex == (isText ? nil : "7 b"))
    try other.editor.choose("a ^ { b }", forFormula: chosen(), in: try other.root)
    #expect(try chosen().formula?.symbols.map(\.strokes) == chosen().items.map { [$0] })
  }

  @Test("A copy has the choice and the readings, with its own ink")
  func copies() throws {
    let (desk, items) = try desk("Raw Content")
    let block = try block(desk, items[3])
    let word = try #require(desk.editor.word(ofItem: items[3]))
    try desk.editor.choose("7", forSymbol: 0, ofFormula: word, in: block)
    try desk.editor.copy(block)
    let pasted = try #require(try desk.editor.paste(x: 20, y: 100).blocks.first)
    let copy = try #require(pasted.words.first { $0.formula != nil })
    #expect(copy.formula?.latex == "7 b" && Set(copy.items).isDisjoint(with: items))
    for formula in [copy.formula].compactMap({ $0 }) + copy.formulas {
      #expect(formula.symbols.map(\.strokes) == copy.items.map { [$0] })
    }
    try desk.editor.choose("7", forSymbol: 1, ofFormula: copy, in: pasted)
    #expect(pasted.words.compactMap(\.formula?.latex) == ["7 7"])
    #expect(block.words.compactMap(\.formula?.latex) == ["7 b"])
  }

  @Test("A typed formula is chosen and set again, and is text if a text is chosen")
  func typed() throws {
    let (desk, _) = try desk()
    try desk.editor.convert()
    let block = try desk.root
    func word() throws -> TextWord { try #require(block.words.dropFirst().first) }
    try desk.editor.choose("7", forSymbol: 1, ofFormula: word(), in: block)
    #expect(try word().formula?.latex == "a 7" && desk.text() == "let a7 be")
    try desk.editor.choose("a ^ { b }", forFormula: word(), in: block)
    #expect(try word().formula?.latex == "a ^ { b }" && desk.text() == "let a^b be")
    try desk.editor.choose("AB", for: word(), in: block)
    #expect(try word().formula == nil && desk.text() == "let AB be")
    try desk.editor.setLatex(#"\sin x"#, ofFormula: word(), in: block)
    #expect(try word().formula?.latex == #"\sin x"# && block.words.count == 3)
    try desk.editor.chooseText(forFormula: word(), in: block)
    #expect(try word().formula == nil && desk.text() == "let AB be")
    for latex in [#"\sin x"#, nil, "a ^ { b }", "a 7", "a b"] {
      try desk.editor.undo()
      #expect(try word().formula?.latex == latex)
    }
  }

  @Test("A formula with a space in its text is one typed word")
  func spaced() throws {
    let desk = try Desk()
    desk.reader.reads("ab", as: #"\sin x"#)
    try desk.write("let ab be")
    #expect(try desk.text() == "let sin x be")
    try desk.editor.convert()
    #expect(try desk.root.words.map { $0.formula?.latex } == [nil, #"\sin x"#, nil])
  }

  @Test("A scratch-out over most of a symbol erases all its strokes, and no other symbol")
  func scratchOut() throws {
    let desk = try Desk()
    // The first two strokes are one symbol, 3 mm apart.
    desk.reader.reads("ppp", as: "x y")
    let items = try desk.write("let ppp be")
    try desk.editor.waitUntilIdle()
    let word = try #require(desk.editor.word(ofItem: items[3]))
    #expect(word.formula?.symbols.map(\.strokes) == [Array(items[3..<5]), [items[5]]])
    desk.editor.explainGestures()
    let box = try #require(try desk.editor.selection(ofItems: Array(items[3..<5])).box)
    try desk.draw([GestureInk.zigzag(box)])
    try desk.editor.waitUntilIdle()
    let left = items[..<3] + items[5...]
    #expect(try desk.root.items == Array(left), "\(desk.editor.takeGestureReasons())")
    try desk.editor.undo()
    #expect(desk.editor.word(ofItem: items[3])?.formula?.latex == "x y")
  }
}
