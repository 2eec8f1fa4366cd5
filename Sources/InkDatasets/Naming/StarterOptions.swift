/// The keys of a `starter:` specification.
///
/// - `count=N`: the number of records of all parts. The default is 20,000, or with a limit, enough
///   for the selected part to reach the limit.
/// - `seed=N`: the seed of everything random; 1.
/// - `population=N`: the number of virtual writers; 2,000.
/// - `words=FILE`: for `starter:words`, the texts to write, one per line, which may contain spaces;
///   the default is a built-in list of words.
/// - `style=printed|joined|mixed`: for `starter:words`, the joining of letters; mixed.
/// - `length=N` or `length=A-B`: for `starter:words`, the number of texts in a record, separated by
///   spaces; 1.
public struct StarterOptions: Hashable, Sendable {
  /// The joining of the letters of a word.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// Each letter separately.
    case printed
    /// Joined if both letters have a joining form.
    case joined
    /// By writer: printed, joined, or partly joined.
    case mixed
  }

  /// The number of records of all parts, or nil for the default.
  public var count: Int?
  /// The seed of everything random.
  public var seed: UInt64 = 1
  /// The number of virtual writers, at least 10.
  public var population = 2000
  /// The file of texts to write, as given, or nil for the built-in words.
  public var words: String?
  /// The joining of the letters of a word.
  public var style: Style = .mixed
  /// The number of texts in a record.
  public var length: ClosedRange<Int> = 1...1

  /// Makes the defaults.
  package init() {}

  /// Parses `N` or `A-B`, both at least 1 and at most 100; nil for anything else.
  static func length(parsing text: String) -> ClosedRange<Int>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, let first = parts.first ?? nil, let last = parts.last ?? nil,
      1 <= first, first <= last, last <= 100
    else { return nil }
    return first...last
  }
}
