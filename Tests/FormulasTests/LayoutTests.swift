import FormulaTraining
import Formulas
import InkCore
import Testing

@Suite("Layouts of symbols")
struct LayoutTests {
  private typealias Link = SymbolLayout.Link

  private func symbols(_ labels: String...) -> [FormulaSymbol] {
    labels.enumerated().map { FormulaSymbol($1, strokes: [$0]) }
  }

  @Test("A layout becomes fractions, roots and scripts")
  func formula() throws {
    let layout = try SymbolLayout(
      symbols: symbols("-", "a", "b", "+", #"\sqrt"#, "3", "x", "2"),
      links: [
        nil, Link(0, .above), Link(0, .below), Link(0, .right), Link(3, .right), Link(4, .above),
        Link(4, .inside), Link(6, .superscript),
      ])
    let formula = try Formula(layout)
    #expect(NormalForm.isSame(formula.latex, #"\frac{a}{b} + \sqrt[3]{x^2}"#))
    var strokes: Set<Int> = []
    formula.forEachSymbol { strokes.formUnion($0.strokes) }
    #expect(strokes == Set(0..<8))
  }

  @Test("A line over symbols is an overline, a line alone a minus")
  func bars() throws {
    let over = try SymbolLayout(symbols: symbols("-", "a"), links: [nil, Link(0, .below)])
    #expect(try Formula(over).latex == #"\overline { a }"#)
    let minus = try SymbolLayout(symbols: symbols("-", "a"), links: [nil, Link(0, .right)])
    #expect(try Formula(minus).latex == "- a")
  }

  @Test("Limits are scripts")
  func limits() throws {
    let layout = try SymbolLayout(
      symbols: symbols(#"\sum"#, "i", "n"), links: [nil, Link(0, .below), Link(0, .above)])
    #expect(NormalForm.isSame(try Formula(layout).latex, #"\sum_i^n"#))
  }

  @Test("Links that are not one tree are refused")
  func notATree() {
    let bad: [[Link?]] = [
      [nil, nil, Link(0, .right)],
      [Link(1, .right), Link(0, .right), nil],
      [nil, Link(0, .right), Link(0, .right)],
      [nil, Link(7, .right), Link(0, .right)],
      [nil, Link(0, .right)],
      [Link(1, .right), Link(2, .right), Link(0, .right)],
    ]
    for links in bad {
      #expect(throws: FormulaError.self) {
        try SymbolLayout(symbols: symbols("a", "b", "c"), links: links)
      }
    }
    #expect((try? SymbolLayout(symbols: [], links: [])) != nil)
  }

  @Test("A comparison counts symbols, names and relations")
  func comparison() throws {
    let truth = LabeledFormula(
      name: "x", writer: nil, ink: Ink(), latex: "x^2 + 1", symbols: symbols("x", "2", "+", "1"),
      layout: try SymbolLayout(
        symbols: symbols("x", "2", "+", "1"),
        links: [nil, Link(0, .superscript), Link(0, .right), Link(2, .right)]))
    let same = FormulaComparison(truth.layout, with: truth)
    #expect(same.isSame && same.named == 4 && same.rightRelations == 3 && same.wrongSymbols == 0)
    let other = try SymbolLayout(
      symbols: symbols("x", "z", "+", "1"),
      links: [nil, Link(0, .superscript), Link(1, .right), Link(2, .right)])
    let different = FormulaComparison(other, with: truth)
    #expect(!different.isSame)
    #expect(different.found == 4 && different.named == 3 && different.rightRelations == 2)
    #expect(different.wrongSymbols == 2)
    let nothing = FormulaComparison(nil, with: truth)
    #expect(!nothing.isSame && nothing.found == 0 && nothing.wrongSymbols == 4)
  }

  @Test("Figures are shares of all formulas")
  func figures() throws {
    let layout = try SymbolLayout(symbols: symbols("x"), links: [nil])
    let truth = LabeledFormula(
      name: "x", writer: nil, ink: Ink(), latex: "x", symbols: layout.symbols, layout: layout)
    var figures = FormulaFigures()
    #expect(figures.expressionRate == 0)
    figures.add(FormulaComparison(layout, with: truth))
    figures.add(FormulaComparison(nil, with: truth))
    #expect(figures.expressionRate == 0.5 && figures.withinOne == 1 && figures.symbolsRead == 0.5)
  }
}
