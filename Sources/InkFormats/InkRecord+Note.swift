extension InkRecord {
  /// What a reader mended or found odd in an ink that it kept.
  public enum Note: String, Hashable, Sendable, CaseIterable {
    /// The clock ran backward: these steps take no time now.
    case clockRanBackward
    /// More than 10 s between two neighbouring points. The times are as in the file.
    case longPause
  }
}
