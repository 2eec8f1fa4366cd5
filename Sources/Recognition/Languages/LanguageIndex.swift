/// Finds elements, such as models, by language tags.
///
/// A value; lookups are O(tags).
public struct LanguageIndex<Element: Sendable>: Sendable {
  private let entries: [(tag: LanguageTag, element: Element)]

  /// Makes an index. An element with several tags is found by each of them.
  public init(_ elements: [Element], tags: (Element) -> [LanguageTag]) {
    entries = elements.flatMap { element in tags(element).map { ($0, element) } }
  }

  /// Every tag of the index without duplicates, in alphabetical order.
  public var tags: [LanguageTag] {
    Set(entries.map(\.tag)).sorted { $0.description < $1.description }
  }

  /// The elements with exactly this tag.
  public func elements(exactly tag: LanguageTag) -> [Element] {
    entries.filter { $0.tag == tag }.map(\.element)
  }

  /// The elements with a tag of this language.
  public func elements(language: String) -> [Element] {
    entries.filter { $0.tag.language == language.lowercased() }.map(\.element)
  }

  /// The elements with a tag that contains or implies this script.
  public func elements(script: String) -> [Element] {
    entries.filter {
      LanguageFacts.script(of: $0.tag)?.lowercased() == script.lowercased()
    }.map(\.element)
  }

  /// The elements with a tag of this region.
  public func elements(region: String) -> [Element] {
    entries.filter { $0.tag.region == region.uppercased() }.map(\.element)
  }

  /// The elements with the best matching tag, in the order of the index; empty if no tag matches.
  ///
  /// - A language without a match falls back to its macrolanguage: `arb` to `ar`. A macrolanguage
  ///   without a match falls back to its most used member: `no` to `nb`.
  /// - Scripts match if they are equal or the tag's script contains the other: `zh-Hant` matches
  ///   `zh-Hani`. If no script is given or implied, any matches.
  /// - Regions match if they are equal, if the tag's region contains the other (`fr-DZ` matches
  ///   `fr-002`), or if the tag has none. If no region is given, any matches, and tags without a
  ///   region are preferred.
  /// - Private use must be equal: `en-x-gesture` is not `en`. Extensions are ignored. Variants only
  ///   decide between otherwise equal tags.
  public func bestMatches(for tag: LanguageTag) -> [Element] {
    var best: (cost: Cost, tag: LanguageTag)?
    for entry in entries {
      guard let cost = Cost(of: entry.tag, for: tag) else { continue }
      if let known = best, known.cost <= cost { continue }
      best = (cost, entry.tag)
    }
    return best.map { elements(exactly: $0.tag) } ?? []
  }
}

/// The distance of a tag of the index from the requested one, compared lexicographically.
private struct Cost: Comparable {
  let language: Int
  let script: Int
  let region: Int
  let variants: Int
  let text: String

  /// Returns nil if the tag does not match.
  init?(of candidate: LanguageTag, for wanted: LanguageTag) {
    guard candidate.privateUse == wanted.privateUse,
      let language = Self.language(candidate, wanted),
      let script = Self.script(candidate, wanted),
      let region = Self.region(candidate, wanted)
    else { return nil }
    self.language = language
    self.script = script
    self.region = region
    variants =
      candidate.variants == wanted.variants ? 0 : candidate.variants.isEmpty ? 1 : 2
    text = candidate.description
  }

  private static func language(_ candidate: LanguageTag, _ wanted: LanguageTag) -> Int? {
    if candidate.language == wanted.language { return 0 }
    if LanguageFacts.macrolanguage(of: wanted.language) == candidate.language { return 1 }
    return LanguageFacts.usualMember(of: wanted.language) == candidate.language ? 2 : nil
  }

  private static func script(_ candidate: LanguageTag, _ wanted: LanguageTag) -> Int? {
    let found = LanguageFacts.script(of: candidate)
    guard let script = LanguageFacts.script(of: wanted) else {
      return candidate.script == nil ? 0 : 1
    }
    guard let found else { return 9 }
    return LanguageFacts.steps(fromScript: script, to: found)
  }

  private static func region(_ candidate: LanguageTag, _ wanted: LanguageTag) -> Int? {
    switch (candidate.region, wanted.region) {
    case (nil, nil): return 0
    // After all regions that contain the requested one.
    case (nil, _?): return 9
    case (_?, nil): return 1
    case (let found?, let region?):
      return LanguageFacts.steps(fromRegion: region, to: found)
    }
  }

  private var key: (Int, Int, Int, Int) { (language, script, region, variants) }

  static func < (left: Cost, right: Cost) -> Bool {
    left.key != right.key ? left.key < right.key : left.text < right.text
  }

  static func == (left: Cost, right: Cost) -> Bool {
    left.key == right.key && left.text == right.text
  }
}
