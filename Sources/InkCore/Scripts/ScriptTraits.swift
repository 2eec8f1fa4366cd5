/// The Unicode defaults of a script: direction of writing, case, and small letters with an x-height.
///
///     let traits = ScriptTraits(of: "سلام")
///     print(traits.script, traits.direction)  // Arab rightToLeft
///
/// The data is of the Unicode Character Database and CLDR; `scripts/make-unicode-tables` makes it.
public struct ScriptTraits: Hashable, Sendable {
  /// The four-letter code of the script (ISO 15924); `Zyyy` if no letter has a script.
  public let script: String
  /// The direction of writing.
  public let direction: WritingDirection
  /// True if the script distinguishes capitals from small letters.
  public let hasCase: Bool

  /// True if small letters have a common height, so that letters are described by x-height,
  /// ascenders and descenders. Unicode has no such property; scripts with case have it.
  public var hasXHeight: Bool { hasCase }

  /// The traits of text that names no script: those of the Latin script, without case.
  static let common = ScriptTraits(script: "Zyyy", direction: .leftToRight, hasCase: false)

  private init(script: String, direction: WritingDirection, hasCase: Bool) {
    self.script = script
    self.direction = direction
    self.hasCase = hasCase
  }

  /// The traits of the script that has most of a text's scalars. Signs, digits and marks that
  /// several scripts share do not count. If two scripts have equally many, the smaller code is
  /// taken. O(scalars · log ranges).
  public init(of text: String) {
    self.init(of: CollectionOfOne(text))
  }

  /// The traits of the script of most of the symbols of a model.
  public init(of labels: some Sequence<String>) {
    var counts: [Int: Int] = [:]
    for label in labels {
      for scalar in label.unicodeScalars {
        if let script = Self.index(of: scalar) { counts[script, default: 0] += 1 }
      }
    }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    self = most.map { ScriptRanges.shared.traits[$0.key] } ?? .common
  }

  /// The traits of a scalar's script; nil for signs and marks that several scripts share.
  public init?(of scalar: Unicode.Scalar) {
    guard let index = Self.index(of: scalar) else { return nil }
    self = ScriptRanges.shared.traits[index]
  }

  /// The traits of the script with a code (ISO 15924), such as `Hebr`; nil for an unknown code. O(scripts).
  public init?(code: String) {
    guard let traits = ScriptRanges.shared.traits.first(where: { $0.script == code }) else {
      return nil
    }
    self = traits
  }

  /// The direction of the digits of a number within lines of a direction. Numbers are written from
  /// left to right in most scripts from right to left. Their digits may be those of several
  /// scripts.
  ///
  /// - Parameters:
  ///   - number: A text of digits and marks.
  ///   - line: The direction of the line.
  public static func direction(ofNumber number: String, in line: WritingDirection)
    -> WritingDirection
  {
    guard line == .rightToLeft else { return line }
    let isRightToLeft = number.unicodeScalars.contains { scalar in
      ScriptRanges.shared.rightToLeftDigits.contains { $0.contains(scalar.value) }
    }
    return isRightToLeft ? .rightToLeft : .leftToRight
  }

  private static func index(of scalar: Unicode.Scalar) -> Int? {
    ScriptRanges.shared.script(of: scalar)
  }

  /// Makes the traits of a line of ``ScriptTable``: `CODE:FLAGS`.
  fileprivate init?(parsing entry: Substring) {
    let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let flags = parts[1]
    self.init(
      script: String(parts[0]),
      direction: flags.contains("r")
        ? .rightToLeft : flags.contains("v") ? .topToBottom : .leftToRight,
      hasCase: flags.contains("c"))
  }
}

/// ``ScriptTable`` in memory.
private struct ScriptRanges: Sendable {
  static let shared = ScriptRanges()

  private(set) var traits: [ScriptTraits] = []
  private(set) var rightToLeftDigits: [ClosedRange<UInt32>] = []
  /// The ranges, sorted, and the index of the script of each.
  private var ranges: [(scalars: ClosedRange<UInt32>, script: Int)] = []

  init() {
    for token in ScriptTable.scripts.split(whereSeparator: \.isWhitespace) {
      if let entry = ScriptTraits(parsing: token) {
        traits.append(entry)
      } else if let range = Self.range(token) {
        ranges.append((range, traits.count - 1))
      }
    }
    ranges.sort { $0.scalars.lowerBound < $1.scalars.lowerBound }
    rightToLeftDigits = ScriptTable.rightToLeftDigits.split(whereSeparator: \.isWhitespace)
      .compactMap(Self.range)
  }

  /// The script of a scalar; nil if it has none. O(log ranges).
  func script(of scalar: Unicode.Scalar) -> Int? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].scalars.upperBound < scalar.value {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < ranges.count, ranges[low].scalars.contains(scalar.value) else { return nil }
    return ranges[low].script
  }

  /// Parses hexadecimal `FIRST-LAST` or `ONE`.
  private static func range(_ token: Substring) -> ClosedRange<UInt32>? {
    let bounds = token.split(separator: "-").compactMap { UInt32($0, radix: 16) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
    return first...last
  }
}
