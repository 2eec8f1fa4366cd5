/// The signs of accents: a symbol that is drawn above or below a row, and means an accent there.
///
/// In a ``SymbolLayout`` the sign comes first, and what it belongs to is ``FormulaRelation/below`` it, as
/// under the bar of an overline.
package enum AccentSigns {
  /// The label of the sign that an accent is drawn as; nil for other commands.
  package static func sign(of accent: String) -> String? { signs[accent] }

  /// The accent that a sign means above a row; nil for signs that are none there.
  ///
  /// - Parameter isSingle: True if the row is one symbol.
  package static func accent(of sign: String, isSingle: Bool) -> String? {
    switch sign {
    case "-": #"\overline"#
    case #"\rightarrow"#: isSingle ? #"\vec"# : #"\overrightarrow"#
    case ".", #"\cdot"#: #"\dot"#
    case #"\sim"#: #"\tilde"#
    case #"\wedge"#: #"\hat"#
    default: nil
    }
  }

  private static let signs = [
    #"\overline"#: "-", #"\bar"#: "-", #"\vec"#: #"\rightarrow"#,
    #"\overrightarrow"#: #"\rightarrow"#, #"\dot"#: #"\cdot"#, #"\tilde"#: #"\sim"#,
    #"\hat"#: #"\wedge"#,
  ]
}
