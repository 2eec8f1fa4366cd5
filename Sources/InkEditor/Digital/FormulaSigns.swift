import Formulas

// The kinds of signs.
extension FormulaSetter {
  static let tallOperators: Set<String> = [
    #"\sum"#, #"\prod"#, #"\int"#, #"\oint"#, #"\bigcup"#, #"\bigcap"#,
  ]
  static let opening: Set<String> = [
    "(", "[", #"\{"#, #"\langle"#, #"\lfloor"#, #"\lceil"#,
  ]
  static let closing: Set<String> = [
    ")", "]", #"\}"#, #"\rangle"#, #"\rfloor"#, #"\rceil"#,
  ]
  static let operators: Set<String> = [
    "+", "-", #"\times"#, #"\div"#, #"\pm"#, #"\mp"#, #"\cdot"#, #"\cup"#, #"\cap"#, #"\wedge"#,
    #"\vee"#, #"\circ"#,
  ]
  static let relations: Set<String> = [
    "=", "<", ">", #"\leq"#, #"\geq"#, #"\neq"#, #"\approx"#, #"\equiv"#, #"\sim"#,
    #"\rightarrow"#, #"\leftarrow"#, #"\Rightarrow"#, #"\Leftarrow"#, #"\Leftrightarrow"#,
    #"\leftrightarrow"#, #"\mapsto"#, #"\in"#, #"\notin"#, #"\subset"#, #"\subseteq"#,
    #"\supset"#, #"\perp"#,
  ]
  /// Greek letters that are slanted, as Latin ones are.
  static let slanted: Set<String> = [
    #"\alpha"#, #"\beta"#, #"\gamma"#, #"\delta"#, #"\epsilon"#, #"\zeta"#, #"\eta"#, #"\theta"#,
    #"\kappa"#, #"\lambda"#, #"\mu"#, #"\nu"#, #"\xi"#, #"\pi"#, #"\rho"#, #"\sigma"#, #"\tau"#,
    #"\phi"#, #"\chi"#, #"\psi"#, #"\omega"#,
  ]

  static func isVariable(_ label: String) -> Bool {
    slanted.contains(label) || label.count == 1 && label.first?.isLetter == true
  }

  static func label(_ item: Formula.Item?) -> String? {
    guard case .symbol(let symbol)? = item?.kind else { return nil }
    return symbol.label
  }

  /// The space between two items, in sizes of the font.
  static func space(_ before: Formula.Item?, _ item: Formula.Item) -> Double {
    let (left, right) = (label(before), label(item))
    if let left, relations.contains(left) { return FormulaMeasures.relationSpace }
    if let right, relations.contains(right) { return FormulaMeasures.relationSpace }
    let isSign =
      left.map { operators.contains($0) || opening.contains($0) || $0 == "," } ?? false
    if let right, operators.contains(right), !isSign { return FormulaMeasures.operatorSpace }
    // A sign before an operand belongs to it only at the beginning, where nothing is before it.
    if let left, operators.contains(left) { return FormulaMeasures.operatorSpace }
    if left == "," || left == ";" { return FormulaMeasures.operatorSpace }
    if let left, SymbolText.functions.contains(left), right != "(" {
      return FormulaMeasures.functionSpace
    }
    if let right, SymbolText.functions.contains(right) {
      return isSign ? 0 : FormulaMeasures.functionSpace
    }
    return FormulaMeasures.letterSpace
  }
}

/// Lengths of typeset formulas in sizes of the font, unless said otherwise. Chosen by hand, near those of
/// TeX.
enum FormulaMeasures {
  /// The size of scripts, and the least one.
  static let (script, leastScript) = (0.7, 0.5)
  /// The height of a bar above the baseline if the font has no plus.
  static let usualAxis = 0.25
  /// The size of sums and integrals.
  static let tallOperator = 1.5
  /// The height of a sign that is not drawn.
  static let missingHeight = 0.5
  /// Brackets grow if what they hold reaches so many times as far as they do.
  static let growth = 1.15
  /// The gap between an operator and its limits.
  static let limitGap = 0.12
  /// The gap before and after scripts.
  static let scriptGap = 0.04
  /// The place of a superscript: above the baseline, and under the top of its base.
  static let (raise, raiseUnderTop) = (0.36, 0.38)
  /// The least distance of a superscript's lower edge from the baseline.
  static let leastRaise = 0.2
  /// The place of a subscript: under the baseline, and under the lower edge of its base.
  static let (drop, dropUnderBase) = (0.18, 0.08)
  /// The size of numerators and denominators.
  static let fraction = 0.9
  /// The least length of a bar, and how far it juts out.
  static let (leastBar, barOverhang) = (0.4, 0.08)
  /// The gap above and below a bar, and beside it.
  static let (barGap, barSpace) = (0.16, 0.05)
  /// The size of the degree of a root, and the least one.
  static let (degree, leastDegree) = (0.55, 0.4)
  /// The gap under the roof of a root, and the part below what it holds.
  static let (roofGap, rootDepth) = (0.14, 0.04)
  /// The part of a degree that is above the hook, and its height as a share of the root's.
  static let (degreeOverlap, degreeHeight) = (0.22, 0.6)
  /// The width of the sign of a root, and the end of its roof.
  static let (rootWidth, roofOverhang) = (0.5, 0.06)
  /// The gap inside and behind a root.
  static let rootSpace = 0.03
  /// The hook of a root: its beginning and its top as shares of the height.
  static let (hookStart, hookTop) = (0.42, 0.5)
  /// The hook and the foot of a root as shares of the width of its sign.
  static let (hook, rootFoot) = (0.24, 0.52)
  /// The least width of a bar above or below a row, and the gap between both.
  static let (leastMark, markGap) = (0.2, 0.1)
  /// The gap under other marks, and the head of an arrow.
  static let (signGap, arrowHead) = (0.06, 0.08)
  /// The least extents of a row of a table above and below its baseline.
  static let (rowHeight, rowDepth) = (0.6, 0.15)
  /// The gaps between rows and columns, and beside brackets.
  static let (rowGap, columnGap, bracketGap) = (0.3, 0.8, 0.12)
  /// The spaces around relations and operators.
  static let (relationSpace, operatorSpace) = (0.28, 0.22)
  /// The spaces beside functions and between letters.
  static let (functionSpace, letterSpace) = (0.16, 0.02)
}
