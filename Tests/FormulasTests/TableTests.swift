import FormulaTraining
import Formulas
import Foundation
import InkCore
import PretrainedModels
import Recognition
import Testing

@Suite("Matrices, cases and lines")
struct TableTests {
  private static let seed: UInt64 = 17

  @Test(
    "Environments are read, and written as the same table",
    arguments: [
      #"\begin{pmatrix} a & b \\ c & d \end{pmatrix}"#,
      #"A = \begin{bmatrix} 1 & 0 \\ 0 & \frac{1}{2} \end{bmatrix}^{-1}"#,
      #"\begin{vmatrix} x \\ y \end{vmatrix}"#, #"\begin{Bmatrix} x & y \end{Bmatrix}"#,
      #"f(x) = \begin{cases} x & x > 0 \\ 0 & x \leq 0 \end{cases}"#,
      #"\begin{matrix} a & b \end{matrix}"#, #"[ \begin{matrix} a & b \\ c & \end{matrix} )"#,
      #"\begin{aligned} a &= b \\ c &= d \end{aligned}"#,
    ])
  func latex(_ latex: String) throws {
    let formula = try Formula(latex: latex)
    #expect(NormalForm.of(latex: formula.latex) == NormalForm.of(formula))
    #expect(NormalForm.isSame(formula.latex, latex))
    #expect(formula.mathML.contains("<mtable"))
    #expect(formula.officeMath.contains("<m:m>") || formula.officeMath.contains("<m:eqArr>"))
    #expect(!formula.text.isEmpty)
    var labels: [String] = []
    formula.forEachSymbol { labels.append($0.label) }
    #expect(formula.mapSymbols { _, symbol in symbol } == formula)
    #expect(labels == formula.symbolLabels)
  }

  @Test("Brackets around a matrix are those of its environment, and arrays are matrices")
  func sameTables() throws {
    let matrix = #"\begin{pmatrix} a & b \\ c & d \end{pmatrix}"#
    for other in [
      #"( \begin{matrix} a & b \\ c & d \end{matrix} )"#,
      #"\left( \begin{array}{cc} a & b \\ c & d \\ \end{array} \right)"#,
      #"\left( \begin{array}[t]{cc} \hline a & b \\[4pt] c & d \end{array} \right)"#,
    ] {
      #expect(NormalForm.isSame(matrix, other))
    }
    #expect(!NormalForm.isSame(matrix, #"\begin{pmatrix} a & b & c & d \end{pmatrix}"#))
    #expect(!NormalForm.isSame(matrix, #"\begin{bmatrix} a & b \\ c & d \end{bmatrix}"#))
    #expect(try Formula(latex: matrix).text == "(a, b; c, d)")
    #expect(try Formula(latex: #"\begin{aligned} a=1 \\ b=2 \end{aligned}"#).text == "a=1\nb=2")
  }

  @Test(
    "Environments that are open, unknown or alone are typed errors",
    arguments: [
      #"\begin{pmatrix} a"#, #"\begin{document} a \end{document}"#, #"\end{matrix}"#, #"\begin"#,
      #"\begin{matrix} a } \end{matrix}"#, #"\begin{matrix} a \end{pmatrix}"#,
      #"\begin{matrix} {a & b} \end{matrix}"#, "a & b", #"a \\ b"#, #"x \"#,
      #"\begin{matrix}"# + String(repeating: "&", count: 900)
        + String(repeating: #"\\"#, count: 900) + #"x \end{matrix}"#,
    ])
  func malformed(latex: String) {
    #expect(throws: FormulaError.self) { try Formula(latex: latex) }
  }

  @Test("Lines of numbers are calculated: a verdict about all, or the last value")
  func solved() throws {
    func outcome(_ lines: String) throws -> FormulaSolver.Outcome {
      try FormulaSolver().solve(Formula(latex: #"\begin{aligned} \#(lines) \end{aligned}"#)).outcome
    }
    guard case .verdict(true) = try outcome(#"1+1=2 \\ 2+2=4"#),
      case .verdict(false) = try outcome(#"1+1=3 \\ 2+2=4"#),
      case .value(let value) = try outcome(#"1+1=2 \\ 2+3="#)
    else {
      Issue.record("another outcome")
      return
    }
    #expect(value.double == 5)
    // One line has a value and the other a verdict.
    guard case .value = try outcome(#"1+1=2 \\ 7"#) else {
      Issue.record("another outcome")
      return
    }
    let plain = try FormulaSolver().solve(
      Formula(latex: #"\begin{aligned} 12 \\ 34 \end{aligned}"#))
    #expect(plain.results.isEmpty)
    #expect(throws: SolverError.self) {
      try FormulaSolver().solve(Formula(latex: #"\begin{pmatrix} 1 & 2 \end{pmatrix} + 1"#))
    }
  }

  // MARK: - Reading

  private static func reader() throws -> FormulaReader {
    guard
      case .formula(let model) = try ModelLibrary([try PretrainedModels()]).open("formulas")
        .content
    else { throw FormulaError.noFormulas(found: 0) }
    return try FormulaReader(model)
  }

  private static func written(_ latex: String, hand: Int) throws -> Ink {
    let composer = try FormulaComposer(letters: [LabeledInk]())
    let record = try #require(
      composer.formula(latex, name: "\(latex) \(hand)", hand: hand, seed: seed))
    // All hands write in one size here.
    let box = try #require(record.ink.boundingBox)
    let unit = try FormulaInk(record.ink).unit
    return moved(record.ink, x: -box.minX, y: -box.minY, by: 40 / unit)
  }

  private static func moved(
    _ ink: Ink, x: Double, y: Double, by factor: Double = 1, _ tall: Double = 1
  ) -> Ink {
    Ink(
      strokes: ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map {
            StrokePoint(x: factor * ($0.x + x), y: factor * tall * ($0.y + y))
          })
      })
  }

  /// Rows of cells, with brackets.
  private static func matrix(
    _ cells: [[String]], open: String, close: String?, hand: Int
  ) throws -> Ink {
    var strokes: [Stroke] = []
    let inks = try cells.map { try $0.map { try written($0, hand: hand) } }
    let widths = inks[0].indices.map { column in
      inks.map { $0[column].boundingBox?.width ?? 0 }.max() ?? 0
    }
    var y = 0.0
    for row in inks {
      var x = 30.0
      for (column, ink) in row.enumerated() {
        strokes += moved(ink, x: x, y: y).strokes
        x += widths[column] + 50
      }
      y += (row.compactMap { $0.boundingBox?.height }.max() ?? 0) + 25
    }
    let right = (Ink(strokes: strokes).boundingBox?.maxX ?? 0) + 15
    for (label, x) in [(open, 0), (close, right)] {
      guard let label else { continue }
      let bracket = try written(label, hand: hand)
      let factor = (y + 10) / max(1, bracket.boundingBox?.height ?? 1)
      // A taller bracket is wider, too.
      let tall = moved(bracket, x: 0, y: 0, by: factor.squareRoot(), factor.squareRoot())
      strokes +=
        moved(
          tall, x: label == open ? x - (tall.boundingBox?.width ?? 0) : x, y: -15
        ).strokes
    }
    return Ink(strokes: strokes)
  }

  @Test("Formulas one below the other are lines of one formula")
  func lines() throws {
    let reader = try Self.reader()
    var (tables, right) = (0, 0)
    for hand in 0..<12 {
      let sources = ["2 x + 3 = 7", "2 x = 4", "x = 2"]
      var strokes: [Stroke] = []
      var y = 0.0
      for source in sources {
        let ink = Self.moved(try Self.written(source, hand: hand), x: 0, y: y)
        strokes += ink.strokes
        y = (ink.boundingBox?.maxY ?? 0) + 35
      }
      let best = try #require(try reader.read(Ink(strokes: strokes)).first)
      let isTable = best.latex.hasPrefix(#"\begin{aligned}"#)
      if isTable { tables += 1 }
      let used = best.symbols.flatMap(\.symbol.strokes).sorted()
      #expect(used == Array(strokes.indices), "hand \(hand)")
      let expected = #"\begin{aligned}"# + sources.joined(separator: #" \\ "#) + #"\end{aligned}"#
      if NormalForm.isSame(best.latex, expected) { right += 1 }
    }
    #expect(tables >= 7 && right >= 3, "seed \(Self.seed)")
  }

  @Test("Rows between tall brackets are a matrix, and one brace opens cases")
  func matrices() throws {
    let reader = try Self.reader()
    var (tables, cases) = (0, 0)
    for hand in 0..<12 {
      let ink = try Self.matrix(
        [["1", "0"], ["x", "2"]], open: "[", close: "]", hand: hand)
      let best = try #require(try reader.read(ink).first)
      let used = best.symbols.flatMap(\.symbol.strokes).sorted()
      #expect(used == Array(ink.strokes.indices), "hand \(hand)")
      if best.latex.contains("matrix}"), best.latex.contains("&") { tables += 1 }
      let brace = try Self.matrix([["x + 1"], ["x - 2"]], open: #"\{"#, close: nil, hand: hand)
      if try #require(try reader.read(brace).first).latex.hasPrefix(#"\begin{cases}"#) {
        cases += 1
      }
    }
    #expect(tables >= 8, "seed \(Self.seed)")
    #expect(cases >= 6, "seed \(Self.seed)")
  }

  @Test("Fractions, limits and roots are no tables")
  func others() throws {
    let reader = try Self.reader()
    for hand in 0..<6 {
      for source in [
        #"y = \sum_{i = 1}^{n} x_{i}"#, #"( \frac{a}{b} ) = 2"#, #"\frac{a + b}{c} = \frac{d}{2}"#,
        #"\lim_{x \rightarrow 0} \frac{1}{x}"#, #"( \sum_{k = 0}^{9} k )"#,
        #"\sqrt{\frac{x + 1}{x - 1}}"#,
      ] {
        let best = try reader.read(try Self.written(source, hand: hand)).first
        #expect(best?.latex.contains("begin") == false, "\(source), hand \(hand)")
      }
    }
  }
}
