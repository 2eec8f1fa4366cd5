import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

/// Reads strokes from left to right as one row: known symbols, and 7 for each stroke of ink.
private struct RowOfSymbols: Recognizer {
  var labels: [String]? { nil }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    let strokes = ink.strokes.indices.sorted {
      (Ink(strokes: [ink.strokes[$0]]).boundingBox?.midX ?? 0)
        < (Ink(strokes: [ink.strokes[$1]]).boundingBox?.midX ?? 0)
    }
    let latex = strokes.map { context.knownSymbols[$0] ?? "7" }.joined(separator: " ")
    guard var formula = RecognizedFormula(latex: latex) else {
      return RecognitionResult(candidates: [])
    }
    formula.symbols = strokes.map { stroke in
      let symbol = context.knownSymbols[stroke]
      return .init(
        symbol: symbol ?? "7", strokes: [stroke], confidence: 1,
        candidates: symbol == nil ? ["7", "8"] : [])
    }
    var candidate = RecognitionCandidate(text: formula.text, score: -0.1)
    candidate.formula = formula
    return RecognitionResult(candidates: [candidate])
  }
}

@Suite("Typed formulas go on")
struct TypedFormulaTests {
  /// A part with a typed formula of two terms, from 20 mm.
  private func desk(
    _ latex: String = "x + y", type: String = "Math"
  ) throws -> (desk: Desk, block: ContentBlock) {
    let desk = try Desk(type: type)
    desk.models.setFormulas(RowOfSymbols())
    desk.engine.modelsDidChange()
    let items = try desk.draw([
      [StrokePoint(x: 20, y: 40), StrokePoint(x: 25, y: 46)],
      [StrokePoint(x: 30, y: 40), StrokePoint(x: 50, y: 46)],
    ])
    if type != "Math" { try desk.editor.set(type: .math, for: items, asOneBlock: true) }
    try desk.editor.waitUntilIdle()
    let block = try #require(desk.editor.block(ofItem: items[0]))
    try desk.editor.setLatex(latex, ofFormula: block)
    try desk.editor.convert(block)
    #expect(block.formulas.first?.latex == latex)
    return (desk, block)
  }

  /// A stroke beside the right end of a block.
  private func stroke(right block: ContentBlock, by gap: Double = 2) throws -> [StrokePoint] {
    let box = try #require(block.box)
    return [
      StrokePoint(x: box.maxX + gap, y: box.minY),
      StrokePoint(x: box.maxX + gap + 1, y: box.maxY - 0.5),
    ]
  }

  private func latex(_ desk: Desk, _ block: ContentBlock) throws -> String? {
    try desk.editor.waitUntilIdle()
    return block.formulas.first?.latex
  }

  @Test(
    "Ink beside typed signs is read together with them, converted again, and undone",
    arguments: ["Math", "Text Document", "Raw Content"])
  func added(type: String) throws {
    let (desk, block) = try desk(type: type)
    let signs = block.items
    let places = try signs.map { try desk.editor.selection(ofItems: [$0]).box }
    let ink = try desk.draw([try stroke(right: block)])
    #expect(try latex(desk, block) == "x + y 7")
    #expect(block.items == signs + ink)
    let formula = try #require(block.formulas.first)
    #expect(formula.symbols.map(\.strokes) == (signs + ink).map { [$0] })
    // Another symbol for the ink, and the formula of it.
    try desk.editor.choose("8", forSymbol: 3, ofFormula: block)
    #expect(try latex(desk, block) == "x + y 8")
    try desk.editor.convert(block)
    #expect(try latex(desk, block) == "x + y 8" && block.items.count == 4)
    #expect(Set(block.items).isDisjoint(with: ink))
    // The typed signs stay where they were.
    for (item, place) in zip(block.items, places) {
      let box = try #require(try desk.editor.selection(ofItems: [item]).box)
      let before = try #require(place)
      #expect(abs(box.minX - before.minX) < 0.01 && abs(box.maxY - before.maxY) < 0.01)
    }
    for expected in ["x + y 8", "x + y 7", "x + y"] {
      try desk.editor.undo()
      #expect(try latex(desk, block) == expected)
    }
    #expect(block.items == signs)
  }

  @Test("Ink of typed signs is calculated, and JIIX keeps both")
  func solved() throws {
    let (desk, block) = try desk("1 + 2 +")
    try desk.draw([try stroke(right: block)])
    #expect(try latex(desk, block) == "1 + 2 + 7")
    #expect(block.formulas.first?.result?.text == "10")
    let json = try desk.editor.export(
      as: .jiix, overrides: #"{"export": {"jiix": {"strokes": true, "ids": true}}}"#)
    let other = try Desk(type: nil)
    other.models.setFormulas(RowOfSymbols())
    try other.editor.setPart(other.engine.makePart(type: "Math"))
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(try latex(other, try other.root) == "1 + 2 + 7")
  }

  @Test("What is left of erased or copied signs is a formula")
  func partly() throws {
    let (desk, block) = try desk("x + y = z", type: "Raw Content")
    let signs = block.items
    try desk.editor.erase(try desk.editor.selection(ofItems: Array(signs[3...])))
    #expect(try latex(desk, block) == "x + y" && block.items == Array(signs[..<3]))
    try desk.editor.undo()
    #expect(try latex(desk, block) == "x + y = z")
    try desk.editor.erase(try desk.editor.selection(ofItems: [signs[0]]))
    #expect(try latex(desk, block) == "+ y = z")
    // The rest is set again as a whole.
    try desk.editor.setLatex("w + y = z", ofFormula: block)
    #expect(try latex(desk, block) == "w + y = z" && block.items.count == 5)
  }

  @Test("A copy of a part of the signs is the formula of these signs")
  func copied() throws {
    let (desk, block) = try desk("x + y = z")
    try desk.editor.copy(try desk.editor.selection(ofItems: Array(block.items[..<3])))
    try desk.editor.setPart(desk.engine.makePart(type: "Math"))
    try desk.editor.paste(x: 20, y: 20)
    #expect(try latex(desk, try desk.root) == "x + y")
  }

  @Test("A bar that is erased leaves signs that are read, and ink beside them")
  func withoutBar() throws {
    let (desk, block) = try desk(#"\frac { a } { b } + c"#)
    let signs = block.items
    try desk.editor.erase(try desk.editor.selection(ofItems: [signs[2]]))
    #expect(try latex(desk, block) == #"\frac { a } { } + c"#)
    try desk.editor.undo()
    try desk.editor.erase(try desk.editor.selection(ofItems: [signs[0]]))
    let read = try #require(try latex(desk, block))
    #expect(read.split(separator: " ").sorted() == ["+", "a", "b", "c"])
  }

  @Test("A formula is pasted into a page, typed or not, and moved there in part")
  func pasted() throws {
    let (desk, block) = try desk(type: "Raw Content")
    try desk.editor.copy(block)
    let copy = try #require(try desk.editor.paste(x: 20, y: 100).blocks.first)
    #expect(copy.type == .math && copy.id != block.id)
    #expect(try latex(desk, copy) == "x + y")
    let part = try desk.editor.selection(ofItems: [copy.items[0]])
    try desk.editor.copy(part)
    let other = try #require(try desk.editor.paste(x: 20, y: 150).blocks.first)
    #expect(try latex(desk, other) == "x")
  }

  @Test("Without a model for formulas, what is left of erased signs is a formula")
  func withoutModel() throws {
    let desk = try Desk(type: "Math")
    try desk.write("ab")
    try desk.editor.setLatex("x + y", ofFormula: try desk.root)
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.formulas.first?.latex == "x + y")
    try desk.editor.convert()
    let last = try #require(try desk.root.items.last)
    try desk.editor.erase(try desk.editor.selection(ofItems: [last]))
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.formulas.map(\.latex) == ["x +"] && desk.root.items.count == 2)
  }

  @Test("Ink that is far away does not join")
  func far() throws {
    let (desk, block) = try desk(type: "Raw Content")
    let signs = block.items
    try desk.draw([try stroke(right: block, by: 25)])
    let box = try #require(block.box)
    try desk.draw([
      [StrokePoint(x: box.midX, y: box.maxY + 15), StrokePoint(x: box.midX + 2, y: box.maxY + 19)]
    ])
    #expect(try latex(desk, block) == "x + y" && block.items == signs)
  }

  @Test(
    "Each sign is known by its text or its line",
    arguments: [
      (#"\frac { a } { 2 }"#, ["-", "a", "2"]), (#"\sqrt { b }"#, [#"\sqrt"#, "b"]),
      (#"\sum _ { i = 1 } ^ { n } \alpha"#, [#"\sum"#, "i", "=", "1", "n", #"\alpha"#]),
      (#"\sin x - 1"#, [#"\sin"#, "x", "-", "1"]), (#"\vec { v }"#, [#"\rightarrow"#, "v"]),
      (#"\hat { v } \cdot \infty"#, [#"\wedge"#, "v", #"\cdot"#, #"\infty"#]),
      (#"( a ) \leq \{ b \}"#, ["(", "a", ")", #"\leq"#, #"\{"#, "b", #"\}"#]),
    ])
  func labels(latex: String, expected: [String]) throws {
    let (desk, block) = try desk(latex)
    let signs = block.items
    try desk.draw([try stroke(right: block)])
    try desk.editor.waitUntilIdle()
    let symbols = try #require(block.formulas.first).symbols
    #expect(signs.map { sign in symbols.first { $0.strokes == [sign] }?.symbol } == expected)
  }
}
