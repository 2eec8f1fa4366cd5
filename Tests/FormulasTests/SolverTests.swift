import Formulas
import Foundation
import Testing

@Suite("The solver")
struct SolverTests {
  private func value(
    _ latex: String, _ solver: FormulaSolver = FormulaSolver()
  ) throws -> SolverValue? {
    guard case .value(let value) = try solver.solve(Formula(latex: latex)).outcome else {
      return nil
    }
    return value
  }

  @Test(
    "Numbers may have the digits of three kinds",
    arguments: [("٢٥+٥", 30, 1), ("۲۵+۵", 30, 1), (#"١٫٥ \times ٢"#, 3, 1), ("२+2", 4, 1)])
  func digits(_ latex: String, _ numerator: Int, _ denominator: Int) throws {
    #expect(try value(latex)?.double == Double(numerator) / Double(denominator))
  }

  @Test(
    "Fractions are exact",
    arguments: [
      (#"\frac12 + \frac13"#, 5, 6), (#"0.1 + 0.2"#, 3, 10), ("2^{10}", 1024, 1),
      ("2^{-2}", 1, 4), (#"\sqrt{\frac49}"#, 2, 3), (#"\sqrt[3]{27}"#, 3, 1), ("5!", 120, 1),
      ("50%", 1, 2), ("-2^2", -4, 1), ("(-2)^2", 4, 1), ("2(3+4)", 14, 1),
      (#"8 \div 2 \times 4"#, 16, 1), ("7-2-1", 4, 1), ("12/5/2", 6, 5), ("|2-5|", 3, 1),
      (#"8^{\frac13}"#, 2, 1), (#"2\frac12"#, 1, 1), ("3!!", 720, 1), ("--3", 3, 1),
      (#"\sin 0"#, 0, 1), (#"\log 1000"#, 3, 1), (#"\log_2 8"#, 3, 1), (#"\sin \pi"#, 0, 1),
      ("2^{3^2}", 512, 1), ("(1+2)(3+4)", 21, 1), ("[2(1+1)]^2", 16, 1),
    ])
  func exact(_ latex: String, _ numerator: Int, _ denominator: Int) throws {
    let expected = try #require(Rational(numerator, denominator))
    #expect(try value(latex) == .exact(expected))
  }

  @Test(
    "Other numbers are floating point",
    arguments: [
      (#"\sqrt2"#, 2.0.squareRoot()), (#"\pi"#, Double.pi), (#"\cos^2 1 + \sin^2 1"#, 1),
      (#"\sin^{-1} 1"#, Double.pi / 2), (#"\ln e"#, 1), (#"2^{\frac12}"#, 2.0.squareRoot()),
      (#"2\pi"#, 2 * Double.pi), (#"\sin 2\pi"#, 0), (#"(-8)^{\frac23}"#, 4),
    ])
  func approximate(_ latex: String, _ expected: Double) throws {
    let found = try #require(try value(latex)).double
    #expect(abs(found - expected) <= 1e-12)
  }

  @Test("Results that do not fit in 64 bits become floating point")
  func overflowing() throws {
    #expect(try value("99999999999 \\times 99999999999") == .approximate(9.9999999998e21))
    #expect(try value("30!") == .approximate(2.6525285981219103e32))
    let long = String(repeating: "9", count: 300)
    #expect(try value(long) != nil)
  }

  @Test("A formula that ends with = is answered")
  func answer() throws {
    let solution = try FormulaSolver().solve(Formula(latex: #"\frac12 + \frac13 ="#))
    #expect(
      solution.answered?.latex == #"\frac { 1 } { 2 } + \frac { 1 } { 3 } = \frac { 5 } { 6 }"#)
    #expect(solution.results.map(\.text) == ["5/6", "0.833"])
    #expect(try FormulaSolver().solve(Formula(latex: "2+2")).answered == nil)
    #expect(try FormulaSolver().solve(Formula(latex: "2+2=")).answered?.text == "2+2=4")
  }

  @Test(
    "Equations are true or false",
    arguments: [
      ("2+2=4", true), ("2+2=5", false), ("1<2<3", true), ("1<3<2", false),
      (#"0.1+0.2=0.3"#, true), (#"\sqrt2 \times \sqrt2 = 2"#, true), (#"\pi \neq 3"#, true),
      (#"3 \geq 3"#, true), (#"4 \leq 3"#, false),
    ])
  func verdict(_ latex: String, _ holds: Bool) throws {
    #expect(try FormulaSolver().solve(Formula(latex: latex)).outcome == .verdict(holds))
  }

  @Test("Variables, the unit of angles and the form of numbers are settings")
  func settings() throws {
    var solver = FormulaSolver(
      angleUnit: .degree, format: NumberFormat(fractionDigits: 2, separator: ","),
      variables: ["x": .exact(Rational(3))])
    #expect(try value("x^2+1", solver) == .exact(Rational(10)))
    #expect(abs(try #require(try value(#"\sin 30"#, solver)).double - 0.5) < 1e-15)
    #expect(try solver.solve(Formula(latex: "1,5+1=")).results.last?.text == "2,5")
    solver.format.fractionDigits = 0
    #expect(try solver.solve(Formula(latex: #"\frac{5}{2}"#)).results.last?.text == "2")
  }

  @Test(
    "A formula without a value is a typed error",
    arguments: [
      (#"\frac10"#, SolverError.divisionByZero), ("0^{-1}", .divisionByZero),
      ("1/(1-1)", .divisionByZero), ("10^{400}", .overflow), ("171!", .overflow),
      (#"\sqrt{-1}"#, .outOfDomain(function: #"\sqrt"#)), ("x+1", .unknownSymbol("x")),
      ("2+", .incomplete), ("", .incomplete), ("(2+3", .incomplete), ("2+)", .unexpected(")")),
      (#"\ln 0"#, .outOfDomain(function: #"\ln"#)), ("(-1)^{0.5}", .outOfDomain(function: "^")),
      (#"\frac{}{2}"#, .incomplete), ("=", .incomplete),
    ])
  func errors(_ latex: String, _ error: SolverError) throws {
    let formula = try Formula(latex: latex)
    #expect(throws: error) { try FormulaSolver().solve(formula) }
  }

  @Test("Long and deep calculations end")
  func bounded() throws {
    let long = try Formula(latex: "1" + String(repeating: "+1", count: 50_000))
    #expect(throws: SolverError.tooLong(limit: 20_000)) { try FormulaSolver().solve(long) }
    let deep = try Formula(latex: String(repeating: "(", count: 5000))
    #expect(throws: SolverError.self) { try FormulaSolver().solve(deep) }
    let signs = try Formula(latex: String(repeating: "-", count: 5000) + "1")
    #expect(throws: SolverError.self) { try FormulaSolver().solve(signs) }
    let tower = try Formula(latex: "9^{9^{9^9}}")
    #expect(throws: SolverError.overflow) { try FormulaSolver().solve(tower) }
  }
}
