extension InkRecord {
  /// What a reader mended or found odd in an ink that it kept, or in its text.
  public enum Note: String, Hashable, Sendable, CaseIterable {
    /// The clock ran backward: these steps take no time now.
    case clockRanBackward
    /// More than 10 s between two neighbouring points. The times are as in the file.
    case longPause
    /// The text is a row of tokens: spaces stand before closing marks, beside quotation marks and within
    /// contractions (`it 's`), where nobody leaves any. The text is as in the file.
    case spacedTokens
  }
}
