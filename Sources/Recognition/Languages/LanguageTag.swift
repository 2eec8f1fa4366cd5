import InkCore

/// A language tag (BCP 47, RFC 5646), normalised: `en-us` and `en_US` are `en-US`.
///
/// Checks the form of tags, not whether subtags are registered. Grandfathered tags and extended
/// language subtags are replaced by their modern forms: `i-klingon` is `tlh`, `zh-yue` is `yue`.
///
///     let tag = try LanguageTag(parsing: "sr-Latn-RS")
///     print(tag.language, tag.script ?? "", tag.region ?? "")  // sr Latn RS
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  /// The language, two to eight lower-case letters; `und` for a tag of private use only.
  public let language: String
  /// The script, such as `Latn`, or nil.
  public let script: String?
  /// The region, such as `US` or `419`, or nil.
  public let region: String?
  /// Variants, lower case, in order.
  public let variants: [String]
  /// Extensions, lower case, each beginning with its singleton, in order.
  public let extensions: [String]
  /// The part after `x-`, lower case, or nil.
  public let privateUse: String?

  /// Parses a tag. `_` counts as `-`, and case is ignored. O(length).
  ///
  /// - Throws: ``RecognitionError/malformedLanguageTag(_:)``.
  public init(parsing text: String) throws(RecognitionError) {
    let normal = text.replacing("_", with: "-").lowercased()
    var parser = LanguageTagParser(Grandfathered.replacements[normal] ?? normal)
    guard parser.parse() else { throw .malformedLanguageTag(text) }
    // Replacing an extended language may give a grandfathered tag: `ae-cel-gaulish`.
    if let replacement = Grandfathered.replacements[parser.languageAndVariants] {
      parser = LanguageTagParser(replacement)
      guard parser.parse() else { throw .malformedLanguageTag(text) }
    }
    language = parser.language
    script = parser.script
    region = parser.region
    variants = parser.variants
    extensions = parser.extensions
    privateUse = parser.privateUse
  }

  /// The tag in its conventional form: `zh-Hant-TW`.
  public var description: String {
    var parts: [String] = []
    let isPrivateAlone =
      language == "und" && script == nil && region == nil && variants.isEmpty
      && extensions.isEmpty && privateUse != nil
    if !isPrivateAlone { parts.append(language) }
    parts += [script, region].compactMap { $0 } + variants + extensions
    if let privateUse { parts.append("x-" + privateUse) }
    return parts.joined(separator: "-")
  }
}

extension LanguageTag {
  /// The script that the tag contains or implies, also by its macrolanguage; nil if it is not known.
  package var impliedScript: String? {
    LanguageFacts.script(of: self)
      ?? LanguageFacts.macrolanguage(of: language).flatMap { LanguageFacts.script(language: $0) }
  }

  /// The direction of the script that the tag contains or implies; from left to right if that is not
  /// known.
  public var direction: WritingDirection {
    guard let script = impliedScript else { return .leftToRight }
    return ([script] + LanguageFacts.scripts(containing: script))
      .lazy.compactMap { ScriptTraits(code: $0) }.first?.direction ?? .leftToRight
  }
}

/// Splits a lower-case tag into its parts.
private struct LanguageTagParser {
  private var rest: ArraySlice<Substring>
  var language = "und"
  var script: String?
  var region: String?
  var variants: [String] = []
  var extensions: [String] = []
  var privateUse: String?

  init(_ text: String) {
    rest = text.split(separator: "-", omittingEmptySubsequences: false)[...]
  }

  /// The tag, if it has no other parts.
  var languageAndVariants: String {
    script == nil && region == nil && extensions.isEmpty && privateUse == nil
      ? ([language] + variants).joined(separator: "-") : ""
  }

  /// Returns whether the text is a tag; the members then contain its parts.
  mutating func parse() -> Bool {
    guard rest.allSatisfy({ 1...8 ~= $0.utf8.count && $0.utf8.allSatisfy(Self.isAlphanumeric) })
    else { return false }
    if rest.first == "x" { return parsePrivateUse() }
    guard let first = rest.first, 2...8 ~= first.utf8.count, Self.isAlphabetic(first) else {
      return false
    }
    language = String(rest.removeFirst())
    parseExtendedLanguage()
    if let subtag = take({ $0.utf8.count == 4 && Self.isAlphabetic($0) }) {
      script = subtag.prefix(1).uppercased() + subtag.dropFirst()
    }
    region = take {
      $0.utf8.count == 2 && Self.isAlphabetic($0)
        || $0.utf8.count == 3 && $0.utf8.allSatisfy(Self.isDigit)
    }?.uppercased()
    while let variant = take(Self.isVariant) {
      guard !variants.contains(variant) else { return false }
      variants.append(variant)
    }
    return parseExtensions() && (rest.isEmpty || parsePrivateUse())
  }

  private mutating func parseExtendedLanguage() {
    guard language.utf8.count <= 3 else { return }
    var isFirst = true
    for _ in 0..<3 {
      guard let subtag = take({ $0.utf8.count == 3 && Self.isAlphabetic($0) }) else { return }
      // The first extended language is a language of its own; further ones are reserved.
      if isFirst { language = subtag }
      isFirst = false
    }
  }

  private mutating func parseExtensions() -> Bool {
    var singletons: Set<Substring> = []
    while let singleton = rest.first, singleton.utf8.count == 1, singleton != "x" {
      guard singletons.insert(singleton).inserted else { return false }
      rest.removeFirst()
      var parts = [String(singleton)]
      while let part = take({ $0.utf8.count >= 2 }) { parts.append(part) }
      guard parts.count > 1 else { return false }
      extensions.append(parts.joined(separator: "-"))
    }
    return true
  }

  private mutating func parsePrivateUse() -> Bool {
    guard rest.first == "x", rest.count > 1 else { return false }
    privateUse = rest.dropFirst().joined(separator: "-")
    rest = []
    return true
  }

  private mutating func take(_ isWanted: (Substring) -> Bool) -> String? {
    guard let first = rest.first, isWanted(first) else { return nil }
    rest.removeFirst()
    return String(first)
  }

  private static func isVariant(_ subtag: Substring) -> Bool {
    let count = subtag.utf8.count
    return count >= 5 || count == 4 && subtag.utf8.first.map(isDigit) == true
  }

  private static func isAlphabetic(_ subtag: Substring) -> Bool {
    subtag.utf8.allSatisfy { 0x61...0x7A ~= $0 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    0x61...0x7A ~= byte || isDigit(byte)
  }
}

/// Tags that were registered before the rules (RFC 5646, 2.2.8), with their replacements.
private enum Grandfathered {
  static let replacements: [String: String] = [
    "art-lojban": "jbo", "cel-gaulish": "xtg", "en-gb-oed": "en-gb-oxendict", "i-ami": "ami",
    "i-bnn": "bnn", "i-default": "und", "i-enochian": "x-i-enochian", "i-hak": "hak",
    "i-klingon": "tlh", "i-lux": "lb", "i-mingo": "see", "i-navajo": "nv", "i-pwn": "pwn",
    "i-tao": "tao", "i-tay": "tay", "i-tsu": "tsu", "no-bok": "nb", "no-nyn": "nn",
    "sgn-be-fr": "sfb", "sgn-be-nl": "vgt", "sgn-ch-de": "sgg", "zh-guoyu": "cmn",
    "zh-hakka": "hak", "zh-min": "nan", "zh-min-nan": "nan", "zh-xiang": "hsn",
  ]
}
