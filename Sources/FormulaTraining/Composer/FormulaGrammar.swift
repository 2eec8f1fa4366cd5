import DatasetFiles
import InkCore
import InkSynthesis

/// A grammar of school and university mathematics, which writes formulas in LaTeX.
///
/// Half of the formulas come from the grammar, the rest from laws with other letters, and from rows
/// of random symbols, so that no symbol is rare.
package struct FormulaGrammar {
  private var random: SeededGenerator
  private let laws: [String]
  private let symbols: [String]
  /// The names that this formula uses, so that letters occur more than once.
  private var variables: [String] = []

  /// Makes a grammar.
  ///
  /// - Parameter laws: Formulas in LaTeX that are taken as they are or with other letters.
  /// - Throws: An error if the files of prototypes cannot be read.
  package init(laws: [String], seed: UInt64) throws {
    self.laws = laws
    random = SeededGenerator(seed: seed, 0x6AAA)
    symbols = try SymbolLibrary.shared.get().labels.filter { !Self.isBound($0) }
  }

  /// The laws of this package.
  ///
  /// - Throws: `DatasetFilesError`.
  package static func laws() throws -> [String] {
    try DatasetFiles.text("laws.txt", in: .starter).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("// ") }
  }

  /// Symbols that have a meaning only with others.
  private static func isBound(_ label: String) -> Bool {
    [#"\sqrt"#, "'", "-"].contains(label) || brackets.contains(label)
  }

  private static let brackets: Set<String> = [
    "(", ")", "[", "]", #"\{"#, #"\}"#, #"\langle"#, #"\rangle"#, #"\lfloor"#, #"\rfloor"#,
    #"\lceil"#, #"\rceil"#,
  ]

  /// Writes the next formula.
  package mutating func next() -> String {
    variables = (0..<3).map { _ in letter() }
    switch random.number(0...1) {
    case ..<0.2 where !laws.isEmpty: return law()
    case ..<0.27: return symbolRow()
    case ..<0.45: return arithmetic()
    case ..<0.68: return algebra()
    case ..<0.8: return functions()
    case ..<0.92: return calculus()
    default: return sets()
    }
  }

  // MARK: - Choices

  private mutating func pick(_ values: [String]) -> String {
    values[random.index(below: values.count)]
  }

  private mutating func letter() -> String {
    switch random.number(0...1) {
    case ..<0.5:
      pick(["x", "x", "x", "x", "y", "y", "z", "a", "a", "b", "b", "c", "n", "n", "t", "k"])
    case ..<0.8: pick("abcdeefghijkmnpqrrstuvwxyzl".map(String.init))
    case ..<0.89: pick("AABBCCDEFGHIJKLMNPPQRSTUVWXYZ".map(String.init))
    case ..<0.97:
      pick([
        #"\alpha"#, #"\alpha"#, #"\beta"#, #"\beta"#, #"\gamma"#, #"\theta"#, #"\theta"#, #"\pi"#,
        #"\pi"#, #"\phi"#, #"\sigma"#, #"\mu"#, #"\Delta"#,
      ])
    default:
      pick([
        #"\lambda"#, #"\omega"#, #"\delta"#, #"\epsilon"#, #"\rho"#, #"\tau"#, #"\eta"#, #"\psi"#,
        #"\xi"#, #"\Omega"#, #"\Phi"#, #"\Gamma"#, "o", "O",
      ])
    }
  }

  private mutating func variable() -> String {
    random.chance(0.85) ? pick(variables) : letter()
  }

  private mutating func digit() -> String { pick("1223456789".map(String.init)) }

  private mutating func number() -> String {
    switch random.number(0...1) {
    case ..<0.62: digit()
    case ..<0.84: digit() + pick("0123456789".map(String.init))
    case ..<0.92:
      digit()
        + (0..<(1 + random.index(below: 3))).map { _ in pick("0123456789".map(String.init)) }
        .joined()
    default:
      pick(["0", digit(), digit() + "0"]) + "." + digit() + (random.chance(0.4) ? digit() : "")
    }
  }

  // MARK: - Parts

  private mutating func atom() -> String {
    switch random.number(0...1) {
    case ..<0.34: number()
    case ..<0.84: variable()
    case ..<0.86: accented()
    default: variable() + "_{\(index())}"
    }
  }

  /// A letter with an accent: bars and arrows are the most frequent ones.
  private mutating func accented() -> String {
    let mark = pick([
      #"\overline"#, #"\overline"#, #"\overline"#, #"\vec"#, #"\vec"#, #"\vec"#, #"\hat"#, #"\hat"#,
      #"\dot"#, #"\tilde"#,
    ])
    let base = random.chance(0.8) ? variable() : pick(["A B", "u", "v", "p", "q", "a", "A", "F"])
    return #"\#(mark){\#(base)}"#
  }

  private mutating func index() -> String {
    switch random.number(0...1) {
    case ..<0.5: pick(["0", "1", "1", "2", "2", "3", digit()])
    case ..<0.82: pick(["i", "j", "k", "n", "m", variable()])
    case ..<0.93: pick(["i", "n", "k"]) + pick(["+", "-"]) + "1"
    default: pick(["i j", "m n", "i , j", "1 2"])
    }
  }

  private mutating func exponent() -> String {
    switch random.number(0...1) {
    case ..<0.5: pick(["2", "2", "2", "3", "3", digit()])
    case ..<0.72: variable()
    case ..<0.8: "- " + pick(["1", "2", variable()])
    case ..<0.92: sum(depth: 2, terms: 2)
    default: #"\frac{\#(atom())}{\#(digit())}"#
    }
  }

  private mutating func factor(depth: Int) -> String {
    let kind = random.number(0...1)
    guard depth > 0, kind > 0.5 else {
      let base = atom()
      return random.chance(0.2) && !base.contains("_") ? base + "^{\(exponent())}" : base
    }
    switch kind {
    case ..<0.62:
      let inner = "(" + sum(depth: depth - 1, terms: 2) + ")"
      return random.chance(0.35) ? inner + "^{\(exponent())}" : inner
    case ..<0.76:
      return #"\frac{\#(sum(depth: depth - 1, terms: 2))}{\#(sum(depth: depth - 1, terms: 2))}"#
    case ..<0.86:
      let degree = random.chance(0.15) ? "[\(pick(["3", "4", "n"]))]" : ""
      return #"\sqrt\#(degree){\#(sum(depth: depth - 1, terms: 2))}"#
    case ..<0.91: return "|" + sum(depth: depth - 1, terms: 2) + "|"
    case ..<0.98: return function(depth: depth - 1)
    default: return variable() + "!"
    }
  }

  private mutating func term(depth: Int) -> String {
    switch random.number(0...1) {
    case ..<0.6: factor(depth: depth)
    case ..<0.85: number() + " " + factor(depth: depth)
    default: factor(depth: depth) + " " + factor(depth: depth)
    }
  }

  private mutating func sum(depth: Int, terms most: Int) -> String {
    var text = random.chance(0.08) ? "- " : ""
    text += term(depth: depth)
    for _ in 0..<random.index(below: most) {
      let sign = pick(["+", "+", "+", "-", "-", "-", #"\times"#, #"\cdot"#, #"\pm"#, "/"])
      text += " \(sign) " + term(depth: depth)
    }
    return text
  }

  private mutating func function(depth: Int) -> String {
    let name = pick([
      #"\sin"#, #"\sin"#, #"\cos"#, #"\cos"#, #"\tan"#, #"\log"#, #"\ln"#, #"\exp"#, #"\cot"#,
    ])
    let power = random.chance(0.2) ? "^{\(pick(["2", "3", "n", "- 1"]))}" : ""
    let base =
      name == #"\log"# && power.isEmpty && random.chance(0.5)
      ? "_{\(pick(["2", "a", "b", "10", "x"]))}" : ""
    let argument =
      random.chance(0.6)
      ? pick([variable(), number() + " " + variable(), #"\frac{\#(atom())}{\#(digit())}"#])
      : "(" + sum(depth: depth, terms: 2) + ")"
    return name + power + base + " " + argument
  }

  private mutating func relation() -> String {
    pick([
      "=", "=", "=", "=", "=", "=", #"\leq"#, #"\geq"#, "<", ">", #"\neq"#, #"\approx"#,
      #"\rightarrow"#, #"\equiv"#,
    ])
  }

  // MARK: - Subjects

  private mutating func law() -> String {
    let law = pick(laws)
    guard random.chance(0.4), !law.contains(#"\{"#) else { return law }
    // Other letters: each single small letter becomes another one.
    var names: [Substring: String] = [:]
    return law.split(separator: " ", omittingEmptySubsequences: false).map { part in
      guard part.count == 1, let first = part.first, first.isASCII, first.isLowercase,
        first != "d", first != "e"
      else { return String(part) }
      if let known = names[part] { return known }
      let name = pick("abcghkmnpqrstuvwxyz".map(String.init))
      names[part] = name
      return name
    }.joined(separator: " ")
  }

  private mutating func arithmetic() -> String {
    func result(_ random: inout SeededGenerator) -> Bool { random.chance(0.6) }
    var text = number()
    for _ in 0..<(1 + random.index(below: 3)) {
      let sign = pick(["+", "+", "-", "-", #"\times"#, #"\times"#, #"\div"#, "/", #"\cdot"#])
      switch random.number(0...1) {
      case ..<0.72: text += " \(sign) " + number()
      case ..<0.82: text += " \(sign) (" + number() + " " + pick(["+", "-"]) + " " + number() + ")"
      case ..<0.92: text += #" \#(sign) \frac{\#(number())}{\#(number())}"#
      case ..<0.96: text += #" \#(sign) \sqrt{\#(number())}"#
      default: text += " \(sign) " + number() + "^{\(digit())}"
      }
    }
    if random.chance(0.12) {
      text = #"\frac{\#(number())}{\#(number())} "# + pick(["+", "-", "="]) + " " + text
    }
    if random.chance(0.65) { text += " = " + (random.chance(0.7) ? number() : "") }
    if random.chance(0.04) { text += #" \%"# }
    return text
  }

  private mutating func algebra() -> String {
    switch random.number(0...1) {
    case ..<0.22: return sum(depth: 1, terms: 3)
    case ..<0.7: return sum(depth: 1, terms: 3) + " \(relation()) " + sum(depth: 1, terms: 2)
    case ..<0.8:
      let x = variable()
      return
        "\(number()) \(x)^{2} \(pick(["+", "-"])) \(number()) \(x) \(pick(["+", "-"])) \(number()) = 0"
    case ..<0.9: return variable() + " = " + sum(depth: 2, terms: 2)
    default:
      return variable() + "_{\(index())} , " + variable() + #"_{\#(index())} , \ldots , "#
        + variable()
        + "_{n}"
    }
  }

  private mutating func functions() -> String {
    switch random.number(0...1) {
    case ..<0.5:
      let x = variable()
      let name = pick(["f", "f", "g", "h", "F", "P", "y", "u"])
      let prime = random.chance(0.15) ? "'" : ""
      return "\(name)\(prime)(\(x)) = " + sum(depth: 1, terms: 3)
    case ..<0.85:
      return function(depth: 1) + " \(pick(["+", "-", "=", "="])) " + function(depth: 1)
    default: return "f(" + sum(depth: 0, terms: 2) + ") " + relation() + " " + number()
    }
  }

  private mutating func calculus() -> String {
    let x = pick(["x", "x", "t", "y", "u", "z"])
    switch random.number(0...1) {
    case ..<0.3:
      var sign = random.chance(0.06) ? #"\oint"# : #"\int"#
      if random.chance(0.6) {
        sign +=
          "_{\(pick(["0", "1", "a", "- 1", #"- \infty"#, variable()]))}"
          + "^{\(pick(["1", "2", "b", #"\infty"#, #"\pi"#, variable()]))}"
      }
      return sign + " " + term(depth: 1) + " d \(x)"
        + (random.chance(0.4) ? " = " + sum(depth: 1, terms: 2) : "")
    case ..<0.58:
      let i = pick(["i", "k", "n", "j", "m"])
      var sign = random.chance(0.12) ? #"\prod"# : #"\sum"#
      if random.chance(0.9) {
        sign += "_{\(i) = \(pick(["0", "1", "1", "2"]))}"
        if random.chance(0.9) {
          sign += "^{\(pick(["n", "n", "N", "m", #"\infty"#, digit() + "0"]))}"
        }
      }
      return sign + " "
        + pick([term(depth: 1), "x_{\(i)}", "\(variable())^{\(i)}", "a_{\(i)} b_{\(i)}"])
        + (random.chance(0.3) ? " = " + sum(depth: 1, terms: 2) : "")
    case ..<0.76:
      let limit = pick(["0", #"\infty"#, #"\infty"#, "a", "1", "0"])
      return #"\lim_{\#(pick(["x", "x", "n", "h", "t"])) \rightarrow \#(limit)} "#
        + pick([factor(depth: 2), "f(\(x))", #"\frac{\#(sum(depth: 1, terms: 2))}{\#(x)}"#])
        + (random.chance(0.4) ? " = " + pick(["0", "1", "e", #"\infty"#]) : "")
    case ..<0.9:
      let d = random.chance(0.4) ? #"\partial"# : "d"
      let name = pick(["y", "f", "u", "v", ""])
      return #"\frac{\#(d) \#(name)}{\#(d) \#(x)} "# + (name.isEmpty ? factor(depth: 1) : "")
        + " = "
        + sum(depth: 1, terms: 2)
    default:
      return #"\frac{\#(atom())}{\#(atom() )} + \frac{\#(atom())}{\#(sum(depth: 0, terms: 2))}"#
    }
  }

  private mutating func sets() -> String {
    let x = variable()
    switch random.number(0...1) {
    case ..<0.3:
      return x + " " + pick([#"\in"#, #"\in"#, #"\notin"#, #"\subset"#, #"\subseteq"#]) + " "
        + pick("ABCMNRSXZ".map(String.init))
        + (random.chance(0.4) ? " " + pick([#"\cup"#, #"\cap"#]) + " " + letter() : "")
    case ..<0.5:
      return pick([#"\forall"#, #"\exists"#]) + " " + x + #" \in "#
        + pick(["A", "B", "R", "N", "X"])
        + (random.chance(0.5) ? " : " + sum(depth: 0, terms: 2) + " > 0" : "")
    case ..<0.65:
      return #"\{ \#(number()) , \#(number()) , \#(pick([#"\ldots , n"#, number()])) \}"#
    case ..<0.8:
      return pick(["[", "("]) + atom() + " , " + atom() + pick(["]", ")"])
    case ..<0.9:
      return x + " "
        + pick([#"\wedge"#, #"\vee"#, #"\Rightarrow"#, #"\Leftrightarrow"#, #"\cap"#, #"\cup"#])
        + " " + variable()
    default:
      return #"\angle "# + pick(["A", "B", "C", "A B C"]) + " = " + number() + "0"
        + (random.chance(0.5) ? #"^{\circ}"# : "")
    }
  }

  /// A row of random symbols, some with scripts.
  private mutating func symbolRow() -> String {
    (0..<(2 + random.index(below: 5))).map { _ in
      let symbol = pick(symbols)
      switch random.number(0...1) {
      case ..<0.78: return symbol
      case ..<0.86: return symbol + "_{\(pick(symbols))}"
      case ..<0.94: return symbol + "^{\(pick(symbols))}"
      case ..<0.97: return #"\sqrt{\#(symbol)}"#
      default: return #"\frac{\#(symbol)}{\#(pick(symbols))}"#
      }
    }.joined(separator: " ")
  }
}
