/// What the keys of a `starter:` specification say.
///
/// - `count=N`: the records of all parts together. By default 20,000; where a limit is named, so many
///   that what is asked for has as many as the limit.
/// - `seed=N`: the seed of everything random; 1.
/// - `population=N`: the number of virtual writers; 2,000.
/// - `words=FILE`: for `starter:words`, the texts to write, one per line, which may hold spaces;
///   a built-in list of words where none is named.
/// - `style=printed|joined|mixed`: for `starter:words`, how letters follow each other; mixed.
/// - `length=N` or `length=A-B`: for `starter:words`, how many texts, with spaces between, make a
///   record; 1.
public struct StarterOptions: Hashable, Sendable {
  /// How the letters of a word follow each other.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// Each letter by itself.
    case printed
    /// Joined where both letters have a joining form.
    case joined
    /// By writer: printed, joined, or joined in part.
    case mixed
  }

  /// The records of all parts together, or nil for the default.
  public var count: Int?
  /// The seed of everything random.
  public var seed: UInt64 = 1
  /// The number of virtual writers, at least 10.
  public var population = 2000
  /// The file of texts to write, as given, or nil for the built-in words.
  public var words: String?
  /// How the letters of a word follow each other.
  public var style: Style = .mixed
  /// How many texts make a record.
  public var length: ClosedRange<Int> = 1...1

  /// Makes the defaults.
  public init() {}

  /// Parses `N` or `A-B`, both at least 1 and at most 100; nil for anything else.
  static func length(parsing text: String) -> ClosedRange<Int>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, let first = parts.first ?? nil, let last = parts.last ?? nil,
      1 <= first, first <= last, last <= 100
    else { return nil }
    return first...last
  }
}
