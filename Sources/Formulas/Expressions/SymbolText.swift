/// The Unicode text of LaTeX symbols.
package enum SymbolText {
  /// Returns the text of a token; a command without a known character is its name.
  package static func text(of token: String) -> String {
    if let known = characters[token] { return known }
    return token.hasPrefix("\\") ? String(token.dropFirst()) : token
  }

  /// Returns the token of a text, such as `\sin` of `sin`; nil for a text that no single token has.
  package static func token(of text: String) -> String? {
    if let known = tokens[text] { return known }
    if functions.contains("\\" + text) { return "\\" + text }
    return text.count == 1 ? text : nil
  }

  private static let tokens = Dictionary(
    characters.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })

  /// Functions that are written in letters.
  package static let functions: Set<String> = [
    #"\sin"#, #"\cos"#, #"\tan"#, #"\cot"#, #"\sec"#, #"\csc"#, #"\arcsin"#, #"\arccos"#,
    #"\arctan"#, #"\sinh"#, #"\cosh"#, #"\tanh"#, #"\log"#, #"\ln"#, #"\lg"#, #"\exp"#, #"\lim"#,
    #"\max"#, #"\min"#, #"\sup"#, #"\inf"#, #"\det"#, #"\gcd"#,
  ]

  /// Operators whose scripts are limits above and below.
  package static let largeOperators: Set<String> = [
    #"\sum"#, #"\prod"#, #"\lim"#, #"\max"#, #"\min"#, #"\sup"#, #"\inf"#, #"\bigcup"#,
    #"\bigcap"#,
  ]

  /// Returns the superscript of a character; nil if Unicode has none.
  static func superscript(_ character: Character) -> Character? { superscripts[character] }

  /// Returns the subscript of a character; nil if Unicode has none.
  static func `subscript`(_ character: Character) -> Character? { subscripts[character] }

  private static func pairs(_ from: String, _ to: String) -> [Character: Character] {
    Dictionary(zip(from, to), uniquingKeysWith: { first, _ in first })
  }

  private static let superscripts = pairs(
    "0123456789+-=()abcdefghijklmnoprstuvwxyz−′",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁻′")
  private static let subscripts = pairs(
    "0123456789+-=()aehijklmnoprstuvx−", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₋")

  private static let characters: [String: String] = [
    "-": "−", "'": "′", #"\times"#: "×", #"\div"#: "÷", #"\pm"#: "±", #"\mp"#: "∓",
    #"\cdot"#: "·", #"\leq"#: "≤", #"\geq"#: "≥", #"\neq"#: "≠", #"\approx"#: "≈",
    #"\equiv"#: "≡", #"\sim"#: "∼", #"\rightarrow"#: "→", #"\leftarrow"#: "←",
    #"\Rightarrow"#: "⇒", #"\Leftarrow"#: "⇐", #"\Leftrightarrow"#: "⇔",
    #"\leftrightarrow"#: "↔", #"\mapsto"#: "↦", #"\infty"#: "∞", #"\partial"#: "∂",
    #"\nabla"#: "∇", #"\sum"#: "∑", #"\prod"#: "∏", #"\int"#: "∫", #"\oint"#: "∮",
    #"\sqrt"#: "√", #"\forall"#: "∀", #"\exists"#: "∃", #"\in"#: "∈", #"\notin"#: "∉",
    #"\subset"#: "⊂", #"\subseteq"#: "⊆", #"\supset"#: "⊃", #"\cup"#: "∪", #"\cap"#: "∩",
    #"\emptyset"#: "∅", #"\wedge"#: "∧", #"\vee"#: "∨", #"\neg"#: "¬", #"\ldots"#: "…",
    #"\vdots"#: "⋮",
    #"\ddots"#: "⋱",
    #"\{"#: "{", #"\}"#: "}", #"\|"#: "‖", #"\%"#: "%", #"\langle"#: "⟨", #"\rangle"#: "⟩",
    #"\degree"#: "°", #"\circ"#: "∘", #"\perp"#: "⊥", #"\angle"#: "∠", #"\hbar"#: "ℏ",
    #"\ell"#: "ℓ", #"\alpha"#: "α", #"\beta"#: "β", #"\gamma"#: "γ", #"\delta"#: "δ",
    #"\epsilon"#: "ε", #"\zeta"#: "ζ", #"\eta"#: "η", #"\theta"#: "θ", #"\iota"#: "ι",
    #"\kappa"#: "κ", #"\lambda"#: "λ", #"\mu"#: "μ", #"\nu"#: "ν", #"\xi"#: "ξ", #"\pi"#: "π",
    #"\rho"#: "ρ", #"\sigma"#: "σ", #"\tau"#: "τ", #"\upsilon"#: "υ", #"\phi"#: "φ",
    #"\chi"#: "χ", #"\psi"#: "ψ", #"\omega"#: "ω", #"\Gamma"#: "Γ", #"\Delta"#: "Δ",
    #"\Theta"#: "Θ", #"\Lambda"#: "Λ", #"\Xi"#: "Ξ", #"\Pi"#: "Π", #"\Sigma"#: "Σ",
    #"\Phi"#: "Φ", #"\Psi"#: "Ψ", #"\Omega"#: "Ω", #"\overline"#: "\u{305}",
    #"\hat"#: "\u{302}", #"\vec"#: "\u{20D7}", #"\bar"#: "\u{304}", #"\dot"#: "\u{307}",
    #"\tilde"#: "\u{303}", #"\underline"#: "\u{332}", #"\overrightarrow"#: "\u{20D7}",
  ]
}
