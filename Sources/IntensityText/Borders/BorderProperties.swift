/// Values of Word_Break (UAX 29).
enum WordBreak: UInt16 {
  case other, cr, lf, newline, extend, zwj, format, regional, katakana, hebrew, aLetter
  case singleQuote, doubleQuote, midNumLet, midLetter, midNum, numeric, extendNumLet, space

  /// By the names of the database.
  static let names: [Substring: WordBreak] = [
    "CR": .cr, "LF": .lf, "Newline": .newline, "Extend": .extend, "ZWJ": .zwj, "Format": .format,
    "Regional_Indicator": .regional, "Katakana": .katakana, "Hebrew_Letter": .hebrew,
    "ALetter": .aLetter, "Single_Quote": .singleQuote, "Double_Quote": .doubleQuote,
    "MidNumLet": .midNumLet, "MidLetter": .midLetter, "MidNum": .midNum, "Numeric": .numeric,
    "ExtendNumLet": .extendNumLet, "WSegSpace": .space,
  ]

  /// AHLetter of the rules.
  var isLetter: Bool { self == .aLetter || self == .hebrew }

  /// True for values that only words have.
  var isWord: Bool { isLetter || self == .numeric || self == .katakana }

  /// True for values that the rules look through.
  var isIgnored: Bool { self == .extend || self == .format || self == .zwj }

  /// True for the ends of lines.
  var isLineEnd: Bool { self == .cr || self == .lf || self == .newline }
}

/// Values of Sentence_Break (UAX 29).
enum SentenceBreak: UInt16 {
  case other, cr, lf, extend, separator, format, space, lower, upper, oLetter, numeric, aTerm
  case continuation, sTerm, close

  /// By the names of the database.
  static let names: [Substring: SentenceBreak] = [
    "CR": .cr, "LF": .lf, "Extend": .extend, "Sep": .separator, "Format": .format, "Sp": .space,
    "Lower": .lower, "Upper": .upper, "OLetter": .oLetter, "Numeric": .numeric, "ATerm": .aTerm,
    "SContinue": .continuation, "STerm": .sTerm, "Close": .close,
  ]

  /// ParaSep of the rules.
  var isParagraphEnd: Bool { self == .separator || self == .cr || self == .lf }

  /// True for values that the rules look through.
  var isIgnored: Bool { self == .extend || self == .format }

  /// SATerm of the rules.
  var isTerm: Bool { self == .sTerm || self == .aTerm }
}

/// The properties of a scalar that borders depend on.
struct BorderProperties {
  let bits: UInt16

  var word: WordBreak { WordBreak(rawValue: bits & 0x1F) ?? .other }
  var sentence: SentenceBreak { SentenceBreak(rawValue: bits >> 8) ?? .other }
  var isPictograph: Bool { bits & 0x20 != 0 }

  /// Looks a scalar up. O(1).
  init(_ scalar: UInt32) { bits = Self.pages.value(of: scalar) }

  private static let pages = Pages()

  /// A table in two stages: most pages of 256 scalars are equal to another one.
  private struct Pages {
    private var pages: [UInt16] = []
    private var values: [UInt16] = []

    func value(of scalar: UInt32) -> UInt16 {
      let page = Int(scalar >> 8)
      guard page < pages.count else { return 0 }
      return values[Int(pages[page]) << 8 | Int(scalar & 0xFF)]
    }

    init() {
      var flat = [UInt16](repeating: 0, count: 0x110000)
      func fill(_ range: ClosedRange<Int>, _ bits: UInt16) {
        for scalar in range { flat[scalar] |= bits }
      }
      Self.read(BorderTable.word) { name, range in
        fill(range, WordBreak.names[name]?.rawValue ?? 0)
      }
      Self.read(BorderTable.sentence) { name, range in
        fill(range, (SentenceBreak.names[name]?.rawValue ?? 0) << 8)
      }
      Self.read(BorderTable.pictographs) { _, range in fill(range, 0x20) }
      var known: [ArraySlice<UInt16>: UInt16] = [:]
      for start in stride(from: 0, to: flat.count, by: 256) {
        let page = flat[start..<start + 256]
        let number = known[page] ?? UInt16(known.count)
        if known[page] == nil {
          known[page] = number
          values += page
        }
        pages.append(number)
      }
    }

    /// Reads names and ranges of scalars.
    private static func read(_ table: String, _ body: (Substring, ClosedRange<Int>) -> Void) {
      var name: Substring = ""
      for word in table.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        if word.last == ":" {
          name = word.dropLast()
          continue
        }
        let ends = word.split(separator: "-").compactMap { Int($0, radix: 16) }
        if let first = ends.first, let last = ends.last { body(name, first...last) }
      }
    }
  }
}
