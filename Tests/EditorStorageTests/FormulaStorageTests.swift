import EditorStorage
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

@Suite("Formulas that were chosen")
struct FormulaStorageTests {
  @Test("A formula between words stays when a package is saved and opened")
  func betweenWords() throws {
    let shelf = try Shelf()
    let url = shelf.url("line")
    shelf.reader.reads("ab", as: "a b")
    let written: [RecognizedFormula?]
    let json: String
    do {
      let package = try shelf.engine.createPackage(at: url)
      let editor = try edit(package.makePart(type: "Text"))
      try editor.write(Pen.strokes("let ab be", x: 20, y: 15))
      try editor.waitUntilIdle()
      written = try #require(editor.rootBlock).words.map(\.formula)
      json = try editor.everything()
      try editor.setPart(nil)
      try package.save()
      try package.close()
    }
    #expect(written.map { $0?.latex } == [nil, "a b", nil])
    #expect(written[1]?.symbols.map(\.symbol) == ["a", "b"])
    let editor = try edit(shelf.otherEngine().openPackage(at: url).allParts[0])
    #expect(editor.rootBlock?.words.map(\.formula) == written)
    #expect(try editor.everything() == json)
  }

  @Test(
    "The readings and the choice of a formula between words stay in a package", arguments: 0..<4)
  func wordChoice(choice: Int) throws {
    let shelf = try Shelf()
    let url = shelf.url("choice")
    shelf.reader.reads("ab", as: "a b", or: ["a ^ { b }"], plainText: "ob")
    let words: [TextWord]
    do {
      let package = try shelf.engine.createPackage(at: url)
      let editor = try edit(package.makePart(type: "Text"))
      try editor.write(Pen.strokes("let ab be", x: 20, y: 15))
      try editor.waitUntilIdle()
      let block = try #require(editor.rootBlock)
      let word = block.words[1]
      switch choice {
      case 0: try editor.choose("a ^ { b }", forFormula: word, in: block)
      case 1: try editor.choose("7", forSymbol: 1, ofFormula: word, in: block)
      case 2: try editor.chooseText(forFormula: word, in: block)
      default: try editor.setLatex("x ^ { 2 }", ofFormula: block.words[0], in: block)
      }
      words = block.words
      try editor.setPart(nil)
      try package.save()
      try package.close()
    }
    let editor = try edit(shelf.otherEngine().openPackage(at: url).allParts[0])
    let block = try #require(editor.rootBlock)
    #expect(block.words == words)
    #expect(block.words[1].formulas.map(\.latex) == ["a b", "a ^ { b }"])
    try editor.chooseText(forFormula: block.words[choice == 3 ? 0 : 1], in: block)
    #expect(block.words[choice == 3 ? 0 : 1].formula == nil)
  }

  @Test("They stay when a package is saved and opened, until their ink changes")
  func stored() throws {
    let shelf = try Shelf()
    let url = shelf.url("formula")
    do {
      let package = try shelf.engine.createPackage(at: url)
      let editor = try edit(package.makePart(type: "Math"))
      try editor.write(Pen.strokes("ab", x: 20, y: 15))
      try editor.waitUntilIdle()
      let block = try #require(editor.rootBlock)
      try editor.setLatex(#"\frac{1}{2}="#, ofFormula: block)
      #expect(block.formulas.first?.result?.text == "1/2")
      try editor.setPart(nil)
      try package.save()
      try package.close()
    }
    let package = try shelf.otherEngine().openPackage(at: url)
    let editor = try edit(package.allParts[0])
    try editor.waitUntilIdle()
    #expect(try editor.export(as: .latex) == #"\frac { 1 } { 2 } ="#)
    try editor.write(Pen.strokes("c", x: 60, y: 15))
    try editor.waitUntilIdle()
    #expect(try editor.export(as: .latex).isEmpty)
    try editor.undo()
    try editor.waitUntilIdle()
    #expect(try editor.export(as: .latex) == #"\frac { 1 } { 2 } ="#)
  }
}
