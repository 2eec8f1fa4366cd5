import Files
import Foundation

/// A key of a keyboard.
public struct IntensityKey: Hashable, Sendable {
  /// The effects of keys.
  public enum Action: Hashable, Sendable {
    /// Types a character, or another one with shift.
    case type(String, shifted: String)
    /// Toggles shift.
    case shift
    /// Deletes a character.
    case delete
    /// Ends a line.
    case enter
    /// Shows another page of the set.
    case page(Int)
  }

  /// The effect of the key.
  public let action: Action
  /// The variants that an expanding key offers, such as letters with accents.
  public let variants: [String]
  /// The width in widths of a letter key.
  public let width: Double

  /// Makes a key.
  public init(_ action: Action, variants: [String] = [], width: Double = 1) {
    self.action = action
    self.variants = variants
    self.width = width
  }
}

/// A set of keys as data: pages of rows.
///
/// The JSON of a set has a `name` and `pages`; a page has `rows`, and a row has keys. A key is a
/// string of the character and its form with shift, such as `"aA"`; an object with `type`,
/// `variants` and `width`; or one of `"shift"`, `"delete"`, `"enter"` and `"page 2"`.
public struct KeySet: Hashable, Sendable {
  /// A page of rows of keys, from top to bottom.
  public struct Page: Hashable, Sendable {
    /// The rows.
    public let rows: [[IntensityKey]]
  }

  /// The name in preferences.
  public let name: String
  /// The pages; the first is shown first.
  public let pages: [Page]

  /// All characters that the set types, with and without shift, without variants.
  public var characters: [String] {
    pages.flatMap(\.rows).joined().flatMap { key -> [String] in
      guard case .type(let plain, let shifted) = key.action else { return [] }
      return plain == shifted ? [plain] : [plain, shifted]
    }
  }

  /// Basic Latin in two pages: letters, then digits and signs.
  public static func basicLatin() throws(IntensityTextError) -> KeySet {
    try KeySet(json: Data(BasicLatinKeys.json.utf8))
  }

  /// Reads a set.
  ///
  /// - Throws: ``IntensityTextError`` for JSON of another form, for a page that does not exist, and
  ///   for a character that two keys of the set type.
  public init(json: Data) throws(IntensityTextError) {
    guard let value = JSONValue(text: json), let name = value["name"]?.string, !name.isEmpty,
      let pages = value["pages"]?.array, !pages.isEmpty
    else { throw Self.malformed("key set", "name and pages", nil) }
    self.name = name
    var read: [Page] = []
    for (number, page) in pages.enumerated() {
      guard let rows = page["rows"]?.array, !rows.isEmpty else {
        throw Self.malformed("pages", "rows", number)
      }
      var keys: [[IntensityKey]] = []
      for row in rows {
        guard let elements = row.array else { throw Self.malformed("pages", "rows", number) }
        var made: [IntensityKey] = []
        for element in elements {
          made.append(try Self.key(element, page: number, of: pages.count))
        }
        keys.append(made)
      }
      read.append(Page(rows: keys))
    }
    self.pages = read
    var taken: Set<String> = []
    for character in characters where !taken.insert(character).inserted {
      throw IntensityTextError(
        .nameTaken, "pages", expected: "each character once",
        found:
          "U+\(String(character.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true)) twice"
      )
    }
  }

  private static func malformed(
    _ field: String, _ expected: String, _ position: Int?
  ) -> IntensityTextError {
    IntensityTextError(.malformed, field, at: position, expected: expected, found: "another value")
  }

  private static func key(
    _ value: JSONValue, page: Int, of pages: Int
  ) throws(IntensityTextError) -> IntensityKey {
    let width = value["width"]?.double ?? 1
    guard width > 0, width <= 20 else { throw malformed("width", "0 ... 20", page) }
    let variants = value["variants"]?.array?.compactMap(\.string) ?? []
    guard let text = value.string ?? value["type"]?.string, !text.isEmpty else {
      throw malformed("keys", "a key", page)
    }
    switch text {
    case "shift": return IntensityKey(.shift, width: width)
    case "delete": return IntensityKey(.delete, width: width)
    case "enter": return IntensityKey(.enter, width: width)
    default: break
    }
    if text.hasPrefix("page ") {
      guard let number = Int(text.dropFirst(5)), (1...pages).contains(number) else {
        throw malformed("keys", "page 1 ... \(pages)", page)
      }
      return IntensityKey(.page(number - 1), width: width)
    }
    let characters = text.map(String.init)
    guard let first = characters.first, let last = characters.last, characters.count <= 2 else {
      throw malformed("keys", "one character, and one with shift", page)
    }
    return IntensityKey(.type(first, shifted: last), variants: variants, width: width)
  }
}

/// The keys of ASCII.
private enum BasicLatinKeys {
  static let json = #"""
    {"name": "basic-latin", "pages": [
      {"rows": [
        ["qQ", "wW", {"type": "eE", "variants": ["é", "è", "ê", "ë"]}, "rR", "tT", "yY",
         {"type": "uU", "variants": ["ú", "ù", "û", "ü"]}, {"type": "iI", "variants": ["í", "ì", "î", "ï"]},
         {"type": "oO", "variants": ["ó", "ò", "ô", "ö", "ø"]}, "pP"],
        [{"type": "aA", "variants": ["á", "à", "â", "ä", "å", "æ"]}, {"type": "sS", "variants": ["ß", "š"]},
         "dD", "fF", "gG", "hH", "jJ", "kK", "lL"],
        ["shift", "zZ", "xX", {"type": "cC", "variants": ["ç", "č"]}, "vV", "bB",
         {"type": "nN", "variants": ["ñ"]}, "mM", "delete"],
        [{"type": "page 2", "width": 1.5}, ",<", {"type": " ", "width": 5}, ".>", {"type": "enter", "width": 1.5}]
      ]},
      {"rows": [
        ["1!", "2@", "3#", "4$", "5%", "6^", "7&", "8*", "9(", "0)"],
        ["-_", "=+", "[{", "]}", "\\|", ";:", "'\"", "/?", "`~"],
        ["shift", "delete"],
        [{"type": "page 1", "width": 1.5}, {"type": "enter", "width": 1.5}]
      ]}
    ]}
    """#
}
