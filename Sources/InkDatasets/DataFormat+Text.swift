extension DataFormat {
  /// The marks that stand for crossed-out ink in the texts of this format: no part of what was
  /// written.
  public var crossedOutMarks: Set<Character> { self == .iamOnDB ? ["#", "%"] : [] }
}
