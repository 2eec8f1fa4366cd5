import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import Testing

/// Reads each ink as a sum with as many terms as it has strokes: `1+1+1=`.
private struct FakeFormulas: Recognizer {
  var labels: [String]? { nil }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    let terms = Array(repeating: "1", count: ink.strokes.count)
    return RecognitionResult(
      candidates: [("+", 0.8), ("-", 0.2)].prefix(maximumCandidates).map { sign, probability in
        let latex = terms.joined(separator: " \(sign) ") + " ="
        var candidate = RecognitionCandidate(text: latex, score: log(probability))
        candidate.formula = RecognizedFormula(
          text: latex, latex: latex, mathML: "<math/>",
          symbols: ink.strokes.indices.map { .init(symbol: "1", strokes: [$0], confidence: 0.5) })
        return candidate
      })
  }
}

/// Reads each stroke as x or 7; the last one of the second reading is 7.
private struct FakeSymbols: Recognizer {
  var labels: [String]? { nil }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    let count = ink.strokes.count
    let readings = ["x", "7"].map { Array(repeating: "x", count: count - 1) + [$0] }
    return RecognitionResult(
      candidates: readings.compactMap { labels in
        guard var formula = RecognizedFormula(latex: labels.joined(separator: " ")) else {
          return nil
        }
        formula.symbols = labels.indices.map {
          .init(symbol: labels[$0], strokes: [$0], confidence: 0.5, candidates: ["x", "7"])
        }
        var candidate = RecognitionCandidate(text: formula.text, score: -1)
        candidate.formula = formula
        return candidate
      })
  }
}

@Suite("Formulas in an editor")
struct FormulaTests {
  @Test(
    "A formula between words is in JIIX, stays when JIIX is read, and has its text in the line",
    arguments: ["Text", "Text Document", "Raw Content"])
  func betweenWords(type: String) throws {
    let desk = try Desk(type: type)
    desk.reader.reads("ab", as: "a b")
    let items = try desk.write("let ab be")
    #expect(try desk.text() == "let ab be")
    let json = try desk.editor.export(
      as: .jiix, overrides: #"{"export": {"jiix": {"strokes": true, "ids": true}}}"#)
    #expect(try JSONSchema.jiix().faults(json) == [])
    let root = try JSONDecoder().decode(JIIXBlock.self, from: Data(json.utf8))
    let text = try #require(root.words == nil ? root.elements?.first : root)
    let word = try #require(text.words?.first { $0.latex != nil })
    #expect(text.label == "let ab be" && word.label == "ab" && word.latex == "a b")
    #expect(word.mathml?.hasPrefix("<math") == true)
    #expect(word.symbols?.compactMap(\.strokes) == items[3..<5].map { [String($0)] })
    let other = try Desk(type: type)
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(
      try other.editor.export(
        as: .jiix, overrides: #"{"export": {"jiix": {"strokes": true, "ids": true}}}"#) == json)
    #expect(other.reader.calls.isEmpty)
  }

  @Test("Another text that is chosen for a formula between words is a word")
  func chosen() throws {
    let desk = try Desk()
    desk.reader.reads("ab", as: "a b")
    try desk.write("let ab be")
    try desk.editor.waitUntilIdle()
    let block = try desk.root
    let word = try #require(block.words.first { $0.formula != nil })
    try desk.editor.choose("AB", for: word, in: block)
    #expect(try desk.root.words.allSatisfy { $0.formula == nil })
    try desk.editor.undo()
    #expect(try desk.root.words.map { $0.formula?.latex } == [nil, "a b", nil])
  }

  @Test("Typed text of a line with a formula keeps the formula")
  func converted() throws {
    let desk = try Desk()
    desk.reader.reads("ab", as: "a b")
    try desk.write("let ab be")
    try desk.editor.waitUntilIdle()
    try desk.editor.convert()
    #expect(try desk.text() == "let ab be")
    #expect(try desk.root.words.map { $0.formula?.latex } == [nil, "a b", nil])
  }

  private func desk(_ type: String = "Math", trigger: String = "stroke") throws -> Desk {
    let desk = try Desk(type: nil) {
      try $0.configuration.set("recognition.trigger", to: trigger)
    }
    desk.models.setFormulas(FakeFormulas())
    try desk.editor.setPart(desk.engine.makePart(type: type))
    return desk
  }

  private func latex(_ desk: Desk) throws -> String {
    try desk.editor.waitUntilIdle()
    return try desk.editor.export(as: .latex)
  }

  @Test("Ink of a math part is read after each stroke, and calculated")
  func reading() throws {
    let desk = try desk()
    let items = try desk.write("ab")
    #expect(try latex(desk) == "1 + 1 =")
    let formulas = try desk.root.formulas
    #expect(
      formulas.count == 2 && formulas[0].result?.text == "2" && formulas[1].result?.text == "0")
    #expect(formulas[0].symbols.map(\.strokes) == items.map { [$0] })
    #expect(try desk.editor.export(as: .text) == "1 + 1 =")
    #expect(try desk.editor.export(as: .mathML) == "<math/>")
    #expect(desk.editor.unreadCount == 0 && desk.editor.isIdle)
    try desk.write("c", x: 60)
    #expect(try latex(desk) == "1 + 1 + 1 =")
    try desk.editor.undo()
    #expect(try latex(desk) == "1 + 1 =")
  }

  @Test("Under the trigger demand, formulas wait to be asked for")
  func demand() throws {
    let desk = try desk(trigger: "demand")
    try desk.write("ab")
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.formulas.isEmpty && desk.editor.unreadCount == 1)
    #expect(try desk.root.pendingCount == 1)
    try desk.editor.recognize()
    #expect(try latex(desk) == "1 + 1 =")
    #expect(desk.editor.unreadCount == 0)
  }

  @Test("A model that appears later reads the ink that waits")
  func laterModel() throws {
    let desk = try Desk(type: "Math")
    try desk.write("ab")
    #expect(try latex(desk).isEmpty)
    desk.models.setFormulas(FakeFormulas())
    desk.engine.modelsDidChange()
    #expect(try latex(desk) == "1 + 1 =")
  }

  @Test("Settings of the solver apply at once, variables too")
  func solver() throws {
    let desk = try Desk(type: "Math") {
      try $0.configuration.set("math.solver.fractional-part-digits", to: 1)
    }
    desk.models.setFormulas(
      ScriptedReader { _ in
        var candidate = RecognitionCandidate(text: "sin 30 + x", score: 0)
        candidate.formula = RecognizedFormula(
          text: "sin 30 + x", latex: #"\sin 30 + x"#, mathML: "", symbols: [])
        return RecognitionResult(candidates: [candidate])
      })
    desk.engine.modelsDidChange()
    try desk.write("a")
    func result() throws -> String? {
      try desk.editor.waitUntilIdle()
      return try desk.root.formulas.first?.result?.text
    }
    #expect(try result() == nil)
    try desk.editor.configuration.set("math.solver.variables", to: ["x = 3"])
    #expect(try result() == "3.5")
    try desk.editor.configuration.set("math.solver.angle-unit", to: "rad")
    try desk.editor.configuration.set("math.solver.fractional-part-digits", to: 3)
    #expect(try result() == "2.012")
    try desk.editor.configuration.set("math.solver.variables", to: ["x", "=", "x=y", ""])
    #expect(try result() == nil)
  }

  @Test("JIIX has the reading, its tree and its symbols, and comes back")
  func jiix() throws {
    let desk = try desk()
    let items = try desk.write("ab")
    _ = try latex(desk)
    let block = try desk.editor.exportDocument()
    #expect(block.type == "Math" && block.label == "1 + 1 =" && block.latex == "1 + 1 =")
    #expect(block.candidates == ["1 + 1 =", "1 - 1 ="] && block.value == "2")
    #expect(block.symbols?.map(\.strokes) == items.map { ["\($0)"] })
    #expect(block.items?.count == 2)
    let tree = try #require(block.expressions?.first)
    #expect(tree.type == "=" && tree.operands?.count == 1)
    #expect(tree.operands?.first?.operands?.map(\.value) == [1, 1])
    let json = try desk.editor.export(as: .jiix)
    let other = try self.desk()
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(try latex(other) == "1 + 1 =")
  }

  @Test("A chosen reading stays until the ink changes, and comes back with undo and JIIX")
  func choice() throws {
    let desk = try desk()
    desk.models.setFormulas(FakeSymbols())
    desk.engine.modelsDidChange()
    let items = try desk.write("ab")
    #expect(try latex(desk) == "x x")
    let block = try desk.root
    #expect(throws: EditorError.noSuchCandidate) { try desk.editor.choose("y", forFormula: block) }
    try desk.editor.choose("x 7", forFormula: block)
    #expect(try latex(desk) == "x 7" && block.formulas.map(\.latex) == ["x 7", "x x"])
    try desk.editor.choose("7", forSymbol: 0, ofFormula: block)
    #expect(try latex(desk) == "7 7")
    let best = try #require(block.formulas.first)
    #expect(best.symbols.map(\.symbol) == ["7", "7"])
    #expect(best.symbols.map(\.strokes) == items.map { [$0] } && best.result == nil)
    #expect(throws: EditorError.noSuchCandidate) {
      try desk.editor.choose("y", forSymbol: 0, ofFormula: block)
    }
    let jiix = try desk.editor.export(as: .jiix)
    let document = try desk.editor.exportDocument()
    #expect(document.latex == "7 7" && document.candidates == ["x x", "x 7"])
    #expect(document.symbols?.first?.candidates == ["x", "7"])
    // The choice holds for the ink after it was read again, and goes with the first choice.
    try desk.editor.recognize(again: true)
    #expect(try latex(desk) == "7 7")
    try desk.editor.undo()
    #expect(try latex(desk) == "x 7")
    try desk.editor.undo()
    #expect(try latex(desk) == "x x")
    try desk.editor.redo()
    #expect(try latex(desk) == "x 7")
    try desk.write("c", x: 60)
    #expect(try latex(desk) == "x x x")
    // Another editor gets the choice with the ink, also without a model.
    let other = try Desk(type: "Math")
    try other.editor.importDocument(Data(jiix.utf8), as: .jiix)
    #expect(try latex(other) == "7 7")
    // LaTeX that cannot be read, or is too long, is no choice.
    #expect(jiix.contains(#""latex":"7 7""#))
    for bad in ["{ 7", String(repeating: "7 ", count: Editor.longestFormula)] {
      let hostile = try self.desk()
      try hostile.editor.importDocument(
        Data(jiix.replacing(#""latex":"7 7""#, with: "\"latex\":\"\(bad)\"").utf8), as: .jiix)
      #expect(try latex(hostile) == "1 + 1 =")
    }
    let again = try other.editor.export(as: .jiix)
    let third = try self.desk()
    try third.editor.importDocument(Data(again.utf8), as: .jiix)
    #expect(try latex(third) == "7 7")
  }

  @Test("Ink of a page becomes a formula by hand, whatever the settings, and text again")
  func byHand() throws {
    let desk = try desk("Raw Content")
    try desk.editor.configuration.set("raw-content.recognition.types", to: ["text"])
    let items = try desk.write("ab")
    try desk.editor.set(type: .math, for: items, asOneBlock: true)
    try desk.editor.waitUntilIdle()
    let block = try #require(desk.editor.block(ofItem: items[0]))
    #expect(block.type == .math && block.items.count == 2)
    #expect(block.formulas.first?.latex == "1 + 1 =")
    try desk.editor.choose("1 - 1 =", forFormula: block)
    #expect(try desk.editor.exportDocument().elements?.first?.latex == "1 - 1 =")
    try desk.editor.undo()
    try desk.editor.set(type: .text, for: items, asOneBlock: true)
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.block(ofItem: items[0])?.type == .text)
  }

  @Test("A scratch-out over most of a symbol erases all its strokes, and no other symbol")
  func scratchOut() throws {
    let desk = try desk()
    desk.models.setFormulas(
      ScriptedReader { ink in
        // The first two strokes are one symbol.
        guard ink.strokes.count > 2, var formula = RecognizedFormula(latex: #"\| x"#) else {
          return RecognitionResult(candidates: [])
        }
        formula.symbols = [
          .init(symbol: #"\|"#, strokes: [0, 1], confidence: 1),
          .init(symbol: "x", strokes: [2], confidence: 1),
        ]
        var candidate = RecognitionCandidate(text: formula.text, score: 0)
        candidate.formula = formula
        return RecognitionResult(candidates: [candidate])
      })
    desk.engine.modelsDidChange()
    let items = try desk.draw(
      [20.0, 26, 60].map { x in
        (0...20).map { StrokePoint(x: x + 0.03 * Double($0), y: 15.1 + 0.59 * Double($0)) }
      })
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.formulas.first?.symbols.first?.strokes == Array(items[..<2]))
    desk.editor.explainGestures()
    // Over the left bar alone, which is half of the symbol.
    try desk.draw([GestureInk.zigzag(BoundingBox(minX: 16, minY: 15, maxX: 23, maxY: 27))])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.items == [items[2]], "\(desk.editor.takeGestureReasons())")
    try desk.editor.undo()
    #expect(try desk.root.items == items)
  }

  @Test("LaTeX that was typed is the reading of a formula, calculated")
  func typedLatex() throws {
    let desk = try desk()
    try desk.write("ab")
    #expect(try latex(desk) == "1 + 1 =")
    let block = try desk.root
    try desk.editor.setLatex(#"\frac{1}{2}+2="#, ofFormula: block)
    #expect(try latex(desk) == #"\frac { 1 } { 2 } + 2 ="#)
    #expect(block.formulas.first?.result?.text == "5/2" && block.formulas.count == 3)
    for bad in ["", "{", "x }", String(repeating: "x", count: Editor.longestFormula + 1)] {
      #expect(throws: EditorError.self) { try desk.editor.setLatex(bad, ofFormula: block) }
    }
    #expect(try latex(desk) == #"\frac { 1 } { 2 } + 2 ="#)
    try desk.editor.choose("1 + 1 =", forFormula: block)
    #expect(try latex(desk) == "1 + 1 =")
    try desk.editor.undo()
    try desk.editor.undo()
    #expect(try latex(desk) == "1 + 1 =")
  }

  @Test("A selection of a whole formula has its reading, a part of one that of its ink alone")
  func selection() throws {
    let desk = try desk()
    try desk.write("ab")
    _ = try latex(desk)
    let whole = try desk.editor.selection(of: try desk.root)
    for type in [ExportType.latex, .text] {
      #expect(try desk.editor.export(whole, as: type) == "1 + 1 =")
    }
    let box = try #require(try desk.root.box)
    let part = try desk.editor.selection(
      inRectangleAtX: box.minX - 1, y: box.minY - 1, width: box.width / 2 + 1,
      height: box.height + 2)
    #expect(part.items.count == 1)
    // Its ink alone was read if there was time before the second stroke.
    #expect(["", "1 ="].contains(try desk.editor.export(part, as: .latex)))
  }

  @Test("A refused formula is told, and its ink kept")
  func refused() throws {
    let desk = try Desk(type: "Math")
    let listener = Listener()
    desk.editor.delegate = listener
    desk.models.setFormulas(ScriptedReader { _ in throw RecognitionError.emptyAlphabet })
    try desk.write("ab")
    #expect(try latex(desk).isEmpty)
    #expect(try desk.root.items.count == 2)
    #expect(
      listener.events.contains {
        if case .notice(let notice) = $0 { notice.code == .inkRejected } else { false }
      })
  }

  @Test(
    "Trees follow the precedence of operators",
    arguments: [
      ("1+2x", "+(1 ×(2 x))"), ("-x^2", "opposite(power(x 2))"), ("a=b+c", "=(a +(b c))"),
      ("(a+b)!", "factorial(group(+(a b)))"), (#"\frac{1}{2}-3.5"#, "-(fraction(1 2) 3.5)"),
      (#"\sqrt[3]{x}\div y"#, "÷(root(x 3) y)"), (#"\sin x+1"#, "+(function(x) 1)"),
      (#"\sum_{i=1}^{n} i^2"#, "large operator(=(i 1) n power(i 2))"), ("x_1", "subscript(x 1)"),
      ("((((", "×(( ( ( ()"), ("a)", "×(a ))"), ("|x|", "group(x)"), ("+", "+"),
      ("2\\times", "×(2)"),
      ("a-b-c", "-(-(a b) c)"), ("10^{-3}", "power(10 opposite(3))"), ("1.5.2", "×(1.5 . 2)"),
    ])
  func trees(latex: String, expected: String) {
    func text(_ expression: FormulaExpression) -> String {
      let operands = expression.operands.map(text).joined(separator: " ")
      let isLeaf = expression.type == "number" || expression.type == "symbol"
      return isLeaf ? expression.label ?? "" : "\(expression.type)(\(operands))"
    }
    let formula = RecognizedFormula(text: "", latex: latex, mathML: "", symbols: [])
    #expect(formula.expression.map(text) == expected)
  }

  @Test("Hundreds of brackets that nothing closes take no time")
  func brackets() {
    let latex = String(repeating: "( ", count: 2_000) + "x"
    let formula = RecognizedFormula(text: "", latex: latex, mathML: "", symbols: [])
    #expect(formula.expression?.operands.count == 2_001)
  }
}
