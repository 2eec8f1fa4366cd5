import Foundation
import InkCore
import InkEditor
import Recognition
import Testing

/// Reads any ink as one formula.
private struct FixedFormula: Recognizer {
  let latex: String
  var labels: [String]? { nil }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    guard let formula = RecognizedFormula(latex: latex) else {
      return RecognitionResult(candidates: [])
    }
    var candidate = RecognitionCandidate(text: formula.text, score: -0.1)
    candidate.formula = formula
    return RecognitionResult(candidates: [candidate])
  }
}

@Suite("Formulas become typed")
struct FormulaConversionTests {
  /// A math part with ink from (20, 20) to (80, 50) that is read as a formula.
  private func desk(_ latex: String, type: String = "Math") throws -> Desk {
    let desk = try Desk(type: nil)
    desk.models.setFormulas(FixedFormula(latex: latex))
    try desk.editor.setPart(desk.engine.makePart(type: type))
    try desk.draw([
      [StrokePoint(x: 20, y: 20), StrokePoint(x: 40, y: 50), StrokePoint(x: 60, y: 21)],
      [StrokePoint(x: 60, y: 50), StrokePoint(x: 70, y: 40), StrokePoint(x: 80, y: 22)],
    ])
    try desk.editor.waitUntilIdle()
    return desk
  }

  /// The boxes of the signs and lines of the symbols, by label; equal labels have numbers.
  private func boxes(_ desk: Desk) throws -> [String: BoundingBox] {
    let formula = try #require(try desk.root.formulas.first)
    var result: [String: BoundingBox] = [:]
    for symbol in formula.symbols {
      let selection = try desk.editor.selection(ofItems: symbol.strokes)
      var name = symbol.symbol
      while result[name] != nil { name += "'" }
      result[name] = selection.box
    }
    return result
  }

  @Test("A formula becomes one item for each symbol, in its place, and undo gives the ink back")
  func converted() throws {
    let latex = #"x _ { 1 } ^ { 2 } + \frac { a } { b } = \sqrt [ 3 ] { y }"#
    let desk = try desk(latex)
    let ink = try desk.root.items
    let before = try #require(try desk.root.box)
    #expect(try desk.editor.supportedConversions() == ConversionState.allCases)
    try desk.editor.convert()
    let block = try desk.root
    let formula = try #require(block.formulas.first)
    #expect(formula.latex == latex)
    #expect(formula.symbols.map(\.symbol).joined(separator: " ") == #"x 1 2 + - a b = \sqrt 3 y"#)
    #expect(formula.symbols.map(\.strokes) == block.items.map { [$0] })
    #expect(Set(ink).isDisjoint(with: block.items))
    let after = try #require(block.box)
    #expect(after.minX >= before.minX - 0.5 && after.maxX <= before.maxX + 0.5)
    #expect(after.minY >= before.minY - 0.5 && after.maxY <= before.maxY + 0.5)
    // It fills its place in one direction.
    #expect(after.width > 0.9 * before.width || after.height > 0.9 * before.height)
    #expect(try desk.editor.export(as: .latex) == latex)
    #expect(try desk.editor.supportedConversions().isEmpty)
    try desk.editor.undo()
    #expect(try desk.root.items == ink)
    #expect(try desk.editor.export(as: .latex) == latex)
    try desk.editor.redo()
    #expect(try desk.root.formulas.first?.latex == latex)
  }

  @Test("A formula that ends with = gets its result, unless the key says otherwise")
  func answered() throws {
    for (isOn, latex) in [(true, "1 + 2 = 3"), (false, "1 + 2 =")] {
      let desk = try desk("1 + 2 =")
      try desk.editor.configuration.set("math.solver.conversion", to: isOn)
      try desk.editor.waitUntilIdle()
      try desk.editor.convert()
      #expect(try desk.editor.export(as: .latex) == latex)
      #expect(try desk.root.items.count == (isOn ? 5 : 4))
      try desk.editor.undo()
      #expect(try desk.editor.export(as: .latex) == "1 + 2 =")
    }
  }

  @Test("Signs are placed by their structure")
  func places() throws {
    let desk = try desk(#"\frac { a } { b } + x _ { i } ^ { n } = \sqrt { c }"#)
    try desk.editor.convert()
    let boxes = try boxes(desk)
    func box(_ name: String) throws -> BoundingBox { try #require(boxes[name]) }
    let (bar, a, b) = (try box("-"), try box("a"), try box("b"))
    #expect(a.maxY < bar.midY && bar.midY < b.minY)
    #expect(abs(a.midX - bar.midX) < 0.1 * bar.width && bar.width > a.width)
    let (x, i, n) = (try box("x"), try box("i"), try box("n"))
    #expect(n.minX > x.midX && i.minX > x.midX)
    #expect(n.maxY < x.midY + 0.2 * x.height && i.minY > x.minY && i.maxY > x.maxY)
    #expect(n.height < x.height)
    // Plus and bar have one middle, and rows go from left to right.
    let (plus, equals) = (try box("+"), try box("="))
    #expect(abs(plus.midY - bar.midY) < 0.3 * plus.height)
    #expect(bar.maxX < plus.minX && plus.maxX < x.minX && n.maxX < equals.minX)
    let (root, c) = (try box(#"\sqrt"#), try box("c"))
    #expect(root.minX < c.minX && root.maxX >= c.maxX && root.minY < c.minY)
  }

  @Test("Brackets grow, and limits are above and below")
  func tall() throws {
    let desk = try desk(
      #"\sum _ { i = 1 } ^ { n } ( \frac { a } { b } ) ^ { 2 } + ( d ) = \overline { z }"#)
    try desk.editor.convert()
    let boxes = try boxes(desk)
    func box(_ name: String) throws -> BoundingBox { try #require(boxes[name]) }
    let (sum, i, n) = (try box(#"\sum"#), try box("i"), try box("n"))
    #expect(n.maxY < sum.minY && i.minY > sum.maxY)
    #expect(abs(n.midX - sum.midX) < 0.3 * sum.width)
    #expect(try box("(").height > 1.4 * box("('").height)
    #expect(try box("(").minY <= box("a").minY + 0.5 && box("(").maxY >= box("b").maxY - 0.5)
    #expect(try box(#"\overline"#).maxY < box("z").minY)
  }

  @Test("A typed formula is set again when other LaTeX is given, and kept by files")
  func changed() throws {
    let desk = try desk("x + 1")
    try desk.editor.convert()
    try desk.editor.setLatex(#"x + \frac{1}{2}"#, ofFormula: try desk.root)
    let latex = #"x + \frac { 1 } { 2 }"#
    #expect(try desk.editor.export(as: .latex) == latex)
    #expect(try desk.root.items.count == 5)
    #expect(try boxes(desk).count == 5)
    let overrides = #"{"export": {"jiix": {"strokes": true, "ids": true, "bounding-box": true}}}"#
    let json = try desk.editor.export(as: .jiix, overrides: overrides)
    let other = try Desk(type: "Math")
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    try other.editor.waitUntilIdle()
    #expect(try other.editor.export(as: .latex) == latex)
    #expect(try boxes(other).count == 5)
    try desk.editor.undo()
    #expect(try desk.editor.export(as: .latex) == "x + 1" && desk.root.items.count == 3)
    // LaTeX without symbols, and the name of no command.
    for bad in [#"\begin{matrix} & \end{matrix}"#, #"\begin{aligned} \\ \end{aligned}"#, #"x + \"#]
    {
      #expect(throws: EditorError.self) {
        try desk.editor.setLatex(bad, ofFormula: try desk.root)
      }
    }
    // After a sign was erased, other LaTeX sets all signs again.
    let last = try #require(try desk.root.items.last)
    try desk.editor.erase(try desk.editor.selection(ofItems: [last]))
    #expect(try desk.root.formulas.first?.latex == "x +")
    try desk.editor.setLatex("y = 2", ofFormula: try desk.root)
    #expect(try desk.root.items.count == 3 && desk.editor.export(as: .latex) == "y = 2")
  }

  @Test(
    "Any formula has a place",
    arguments: [
      "-", ".", "x", "'", #"\frac{}{}"#, #"\sqrt{}"#, "^{2}", #"\hat{x}"#, #"\vec{A B}"#,
      #"\underline{x}"#, #"\dot{q}"#, "((((", "a)", "|x|", #"\int_{0}^{\infty} e^{-x^{2}} d x"#,
      String(repeating: #"\frac{1}{"#, count: 20) + "x" + String(repeating: "}", count: 20),
    ])
  func anything(latex: String) throws {
    let desk = try desk("x")
    try desk.editor.convert()
    let block = try desk.root
    try desk.editor.setLatex(latex, ofFormula: block)
    let formula = try #require(block.formulas.first)
    #expect(formula.symbols.count == block.items.count)
    let box = try #require(block.box)
    let isFinite = [box.minX, box.minY, box.maxX, box.maxY].allSatisfy { $0.isFinite }
    #expect(isFinite)
  }
}
