import Formulas
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Formulas of some symbols")
struct FormulaPartTests {
  @Test(
    "Symbols stay in their places, and what holds nothing together is gone",
    arguments: [
      ("a + b", [0, 1], "a +"), ("x ^ { 2 } + 1", [1, 2, 3], "2 + 1"),
      ("x ^ { 2 } + 1", [0, 2], "x +"), (#"\frac { a } { b }"#, [0, 1], #"\frac { a } { }"#),
      (#"\frac { a } { b }"#, [0], "-"), (#"\frac { a } { b } c"#, [2, 3], "b c"),
      (#"\sqrt { a b }"#, [0, 2], #"\sqrt { b }"#), (#"\sqrt { a b }"#, [1, 2], "a b"),
      (#"\vec { v } + 1"#, [1, 2], "v +"), (#"\sum _ { i } ^ { n } i"#, [0, 3], #"\sum i"#),
    ])
  func kept(latex: String, symbols: [Int], expected: String) throws {
    let formula = try Formula(latex: latex)
    #expect(formula.keeping(symbols.contains)?.latex == expected)
    #expect(formula.keeping { _ in true } == formula)
    #expect(formula.keeping { _ in false }?.symbolLabels == [])
  }

  @Test(
    "Without a bar, a base or a bracket, the places of the others say nothing",
    arguments: [
      (#"\frac { a } { b }"#, [1, 2]), ("x _ { 1 } ^ { 2 }", [1, 2]), (#"\hat { a }"#, [0]),
      (#"\begin{pmatrix} a & b \end{pmatrix}"#, [0, 1, 2]),
      (#"\frac { a b } { c } ^ { 2 }"#, [1, 2, 4]),
    ])
  func lost(latex: String, symbols: [Int]) throws {
    #expect(try Formula(latex: latex).keeping(symbols.contains) == nil)
  }
}

@Suite("LaTeX of formulas")
struct LatexTests {
  @Test(
    "Spellings of one formula have one normal form",
    arguments: [
      (#"\frac{1}{2}"#, #"\frac 1 2"#), ("x^{2}_{i}", "x_i^2"),
      (#"\sum_{i=0}^{n} i"#, #"\sum\limits ^n_{i=0} i"#), (#"\left( a \right)"#, "(a)"),
      ("f'", #"f^{\prime}"#), ("f'_1", "f_1'"), (#"\sqrt[3]{x}"#, #"\sqrt [ 3 ] x"#),
      ("a<b", #"a \lt b"#), ("{x}^{2}", "x^2"), (#"\sin^2 x"#, #"\sin ^ {2} x"#),
      (#"\frac {\sqrt x} 2"#, #"\frac{\sqrt{x}}{2}"#), ("f''", #"f^{\prime\prime}"#),
      (#"$a &lt; b$"#, "a<b"), (#"a\ltx"#, "a < x"), (#"\mbox{e}"#, "e"),
      (#"\bar{x}"#, #"\overline{x}"#), (#"\overrightarrow{x}"#, #"\vec{x}"#),
    ])
  func same(_ first: String, _ second: String) {
    #expect(NormalForm.isSame(first, second))
  }

  @Test(
    "Different formulas have different normal forms",
    arguments: [
      ("x^2", "x_2"), ("x^{2i}", "x^2i"), (#"\frac{a}{b}"#, #"\frac{b}{a}"#), ("X", "x"),
      (#"\times"#, "x"), (#"\sqrt{x}y"#, #"\sqrt{xy}"#),
    ])
  func different(_ first: String, _ second: String) {
    #expect(!NormalForm.isSame(first, second))
  }

  @Test(
    "Written LaTeX is read to the same formula",
    arguments: [
      #"\frac{a+b}{\sqrt[3]{x_1^2}}"#, #"\sum_{i=0}^n i^2 = 1"#, #"f'' + \overline{a b}"#,
      #"{}^2 x"#, #"\{ x | x \geq 1 \}"#,
    ])
  func roundTrip(_ latex: String) throws {
    let formula = try Formula(latex: latex)
    #expect(NormalForm.of(latex: formula.latex) == NormalForm.of(formula))
    #expect(NormalForm.isSame(formula.latex, latex))
  }

  @Test(
    "Office Math has the structure of the formula",
    arguments: [
      (#"\frac{1}{2}"#, "<m:f><m:num>", "</m:num><m:den>"),
      (#"x_1^2"#, "<m:sSubSup><m:e>", "</m:e><m:sub>"),
      (#"\sqrt{x}"#, #"<m:degHide m:val="1"/>"#, "<m:deg/>"),
      (#"\sqrt[3]{x}"#, "<m:rad><m:deg>", "</m:deg><m:e>"),
      (
        #"\sum_{i=0}^n i + 1"#, #"<m:chr m:val="∑"/><m:limLoc m:val="undOvr"/>"#,
        "</m:e></m:nary><m:r>"
      ),
      (#"\int x"#, #"<m:subHide m:val="1"/><m:supHide m:val="1"/>"#, #"m:val="subSup""#),
      (#"\lim_{x} x"#, "<m:limLow><m:e>", "</m:e><m:lim>"),
      (#"( a + ( b ) )^2"#, "<m:sSup><m:e><m:d>", "</m:d></m:e></m:d></m:e><m:sup>"),
      (#"\hat{x}"#, "<m:acc>", "<m:e>"), (#"\overline{x}"#, #"<m:pos m:val="top"/>"#, "<m:bar>"),
      (#"a < b"#, "&lt;", "<m:oMath>"),
      (#"x_{12} + 3.5^2"#, ">12</m:t>", ">3.</m:t></m:r><m:sSup>"), (#"( a"#, "(</m:t>", "a</m:t>"),
    ])
  func officeMath(_ latex: String, _ first: String, _ second: String) throws {
    let text = try Formula(latex: latex).officeMath
    #expect(text.contains(first), "\(text)")
    #expect(text.contains(second), "\(text)")
    let parser = XMLParser(
      data: Data("<x xmlns:m=\"\(Formula.officeMathNamespace)\">\(text)</x>".utf8))
    #expect(parser.parse())
  }

  @Test("A brace without its partner is an error with its place")
  func openBrace() {
    #expect(throws: FormulaError.self) { try Formula(latex: "{ x") }
    #expect(throws: FormulaError.self) { try Formula(latex: "x }") }
  }

  @Test("Nesting has a limit, and no input ends the process")
  func deep() {
    let deep = String(repeating: #"\frac{1}{"#, count: 5000) + String(repeating: "}", count: 5000)
    #expect(throws: FormulaError.tooDeep(limit: Formula.deepest)) { try Formula(latex: deep) }
    #expect(throws: FormulaError.tooDeep(limit: Formula.deepest)) {
      try Formula(latex: String(repeating: #"\hat"#, count: 5000) + "x")
    }
    #expect(throws: FormulaError.tooDeep(limit: Formula.deepest)) {
      try Formula(latex: String(repeating: #"\sqrt["#, count: 5000))
    }
    #expect((try? Formula(latex: "")) == Formula())
    let fifty =
      String(repeating: #"\frac{1}{"#, count: 30) + "2" + String(repeating: "}", count: 30)
    #expect((try? Formula(latex: fifty))?.latex.isEmpty == false)
  }

  @Test("Token errors count changes of tokens")
  func tokenErrors() {
    #expect(NormalForm.tokenErrors("x+1", truth: "x+2") == 1)
    #expect(NormalForm.tokenErrors("", truth: "x+2") == 3)
    #expect(NormalForm.tokenErrors(#"\lt"#, truth: "<") == 0)
  }

  @Test(
    "Plain text uses Unicode where it can",
    arguments: [
      (#"\frac{a+b}{2}"#, "(a+b)/2"), ("x^2", "x²"), ("x_{10}", "x₁₀"),
      (#"\sqrt{x+1}"#, "√(x+1)"), (#"\sin x"#, "sin x"), (#"\sin(x)"#, "sin(x)"),
      (#"a \leq \pi"#, "a≤π"), ("x^Q", "x^Q"), (#"2\cos t"#, "2 cos t"),
    ])
  func text(_ latex: String, _ text: String) throws {
    #expect(try Formula(latex: latex).text == text)
  }

  @Test(
    "MathML has numbers, identifiers and operators",
    arguments: [
      ("12x", "<mrow><mn>12</mn><mi>x</mi></mrow>"),
      (#"\frac12"#, "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
      ("x_1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
      (#"\sum_i"#, "<munder><mo>∑</mo><mi>i</mi></munder>"),
      ("a<b", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"),
      (#"\sqrt[3]x"#, "<mroot><mi>x</mi><mn>3</mn></mroot>"),
      ("10^2", "<msup><mn>10</mn><mn>2</mn></msup>"),
    ])
  func mathML(_ latex: String, _ expected: String) throws {
    let start = #"<math xmlns="http://www.w3.org/1998/Math/MathML">"#
    #expect(try Formula(latex: latex).mathML == start + expected + "</math>")
  }
}
