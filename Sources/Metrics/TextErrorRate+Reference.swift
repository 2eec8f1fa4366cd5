extension TextErrorRate {
  /// The marks of crossed-out ink in the texts of IAM-OnDB.
  public static let crossedOutMarks: Set<Character> = ["#", "%"]

  /// A transcription as the reference that recognised text is compared with.
  ///
  /// In NFC, without the marks, each run of white space as one space, none at the ends. Texts in
  /// which `#` and `%` are characters like others take no marks.
  ///
  /// - Complexity: O(characters).
  public static func reference(
    _ text: String, without marks: Set<Character> = crossedOutMarks
  ) -> String {
    let kept = normalized(text).filter { !marks.contains($0) }
    // A mark between two spaces leaves both.
    return kept.split(separator: " ").joined(separator: " ")
  }
}
