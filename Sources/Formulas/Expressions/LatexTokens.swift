/// The tokens of LaTeX formulas, and the spellings that mean the same.
package enum LatexTokens {
  /// Returns the one spelling of a token that has several: `<` for `\lt`, `\leq` for `\le`.
  package static func canonical(_ token: String) -> String { synonyms[token] ?? token }

  /// Splits LaTeX into tokens in their canonical spelling, without spaces, sizes and fonts. O(length).
  ///
  ///     LatexTokens.tokens(of: #"\left( x \le 2 \right)"#)  // ["(", "x", "\leq", "2", ")"]
  package static func tokens(of latex: String) -> [String] {
    var text = latex
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      text = text.replacingAll(entity, with: character)
    }
    var result: [String] = []
    var rest = Array(text.unicodeScalars)[...]
    while let first = rest.first {
      rest = rest.dropFirst()
      guard !first.properties.isWhitespace else { continue }
      var token = String(first)
      if first == "\\", let next = rest.first {
        if next.isLatinLetter {
          let name = Self.name(in: rest)
          rest = rest.dropFirst(name.count)
          token += String(String.UnicodeScalarView(name))
          if token == #"\begin"# || token == #"\end"# { token += environment(&rest) }
        } else if next != "\n" {
          token.unicodeScalars.append(next)
          rest = rest.dropFirst()
        }
      }
      if !ignored.contains(token) { result.append(canonical(token)) }
    }
    return result
  }

  /// Returns the letters of a command. `\ltX` and `\ltx` are `\lt` before a symbol, because people
  /// write the sign of comparison without a space after it.
  private static func name(
    in scalars: ArraySlice<Unicode.Scalar>
  ) -> ArraySlice<Unicode.Scalar> {
    let name = scalars.prefix { $0.isLatinLetter }
    guard name.count > 2,
      name.starts(with: "lt".unicodeScalars)
        || name.starts(with: "gt".unicodeScalars)
    else { return name }
    let after = name.dropFirst(2)
    let isOneSmallLetter =
      after.first.map { $0.value >= 0x61 } == true
      && after.dropFirst().first.map { $0.value >= 0x61 } != true
    let isCapital = after.first.map { $0.value < 0x61 } == true
    return isOneSmallLetter || isCapital ? name.prefix(2) : name
  }

  /// Takes the name of an environment in braces, which belongs to `\begin` and `\end`; empty if there is
  /// none.
  private static func environment(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    let after = rest.drop { $0.properties.isWhitespace }
    guard after.first == "{", let end = after.firstIndex(of: "}") else { return "" }
    let name = after[after.startIndex...end]
    guard name.count <= longestEnvironment else { return "" }
    rest = after[(end + 1)...]
    return String(String.UnicodeScalarView(name.filter { !$0.properties.isWhitespace }))
  }

  /// The most characters of the name of an environment with its braces.
  private static let longestEnvironment = 20

  /// Accents, which take one argument.
  static let accents: Set<String> = [
    #"\overline"#, #"\underline"#, #"\hat"#, #"\vec"#, #"\bar"#, #"\dot"#, #"\tilde"#,
    #"\overrightarrow"#,
  ]

  private static let synonyms: [String: String] = [
    #"\lt"#: "<", #"\gt"#: ">", #"\le"#: #"\leq"#, #"\ge"#: #"\geq"#, #"\ne"#: #"\neq"#,
    #"\to"#: #"\rightarrow"#, #"\lbrace"#: #"\{"#, #"\rbrace"#: #"\}"#, #"\dots"#: #"\ldots"#,
    #"\cdots"#: #"\ldots"#, #"\prime"#: "'", #"\cdotp"#: #"\cdot"#, #"\vert"#: "|",
    #"\mid"#: "|", #"\lvert"#: "|", #"\rvert"#: "|", #"\ast"#: "*", #"\varphi"#: #"\phi"#,
    #"\varepsilon"#: #"\epsilon"#, #"\dfrac"#: #"\frac"#, #"\tfrac"#: #"\frac"#,
    #"\lbrack"#: "[", #"\rbrack"#: "]", #"\parallel"#: #"\|"#,
  ]

  private static let ignored: Set<String> = Set(
    (#"\left \right \limits \nolimits \displaystyle \textstyle \, \; \: \! \quad \qquad $ ~ "#
      + #"\big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \mathrm "#
      + #"\mbox \text \mathit \rm \it \hbox \operatorname \hline"#)
      .split(separator: " ").map(String.init) + [#"\ "#])
}

extension Unicode.Scalar {
  var isLatinLetter: Bool {
    (0x41...0x5A).contains(value) || (0x61...0x7A).contains(value)
  }
}

extension String {
  /// The text with each occurrence of `part` replaced. O(length).
  func replacingAll(_ part: String, with replacement: String) -> String {
    guard contains(part) else { return self }
    return split(separator: part, omittingEmptySubsequences: false).joined(separator: replacement)
  }
}
