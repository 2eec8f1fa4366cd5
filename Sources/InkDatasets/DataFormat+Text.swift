extension DataFormat {
  /// The marks that stand for crossed-out ink in the texts of this format: no part of what was
  /// written.
  public var crossedOutMarks: Set<Character> { self == .iamOnDB ? ["#", "%"] : [] }

  /// Whether a label of this format stands for a text that is not known: UNIPEN writes a backslash
  /// where a transcriber could not read.
  public func isUnreadable(_ label: String) -> Bool { self == .unipen && label.contains("\\") }
}
