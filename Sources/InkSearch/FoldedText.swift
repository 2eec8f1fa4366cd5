import Foundation
import InkCore

/// Words as the index compares them: lower case, without marks and punctuation.
///
/// `ß` is `ss`, `æ` is `ae`, `ø` is `o`, all letters with marks are those without, and all decimal digits
/// are those from 0 to 9. In Arabic and Persian, the two forms of kaf and of yeh are one letter. Whether marks
/// count is decided when words are compared, by the language: see ``MarkedLetters``.
package enum FoldedText {
  /// Returns the forms of a word that the index has: the letters and digits of all of it and, where
  /// other characters part it, of each part of two or more.
  package static func forms(of word: String) -> [String] {
    if let simple = ascii(word.utf8) { return simple.isEmpty ? [] : [simple] }
    let scalars = folded(word)
    var parts: [String] = []
    var part = ""
    for character in scalars {
      if character.isLetter || character.isNumber {
        part.append(character)
      } else if !inside.contains(character) {
        if !part.isEmpty { parts.append(part) }
        part = ""
      }
    }
    if !part.isEmpty { parts.append(part) }
    guard parts.count > 1 else { return parts }
    return [parts.joined()] + parts.filter { $0.count > 1 }
  }

  /// Signs inside a word: apostrophes, and the geresh and gershayim of Hebrew.
  private static let inside: Set<Character> = ["'", "\u{2019}", "\u{5F3}", "\u{5F4}"]

  /// Returns the whole form of a word; empty if it has no letter and no digit.
  package static func form(of word: String) -> String { forms(of: word).first ?? "" }

  /// The form of a word of ASCII letters and digits alone; nil for another.
  private static func ascii(_ bytes: String.UTF8View) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      switch byte {
      case 0x61...0x7A, 0x30...0x39: result.append(byte)
      case 0x41...0x5A: result.append(byte | 0x20)
      default: return nil
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Lower case without marks.
  private static func folded(_ word: String) -> String {
    var result = ""
    for scalar in word.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars {
      switch scalar {
      case "ß": result += "ss"
      case "æ": result += "ae"
      case "œ": result += "oe"
      case "ø": result += "o"
      case "đ", "ð": result += "d"
      case "ł": result += "l"
      case "ı": result += "i"
      case "þ": result += "th"
      case "\u{643}": result += "\u{6A9}"
      case "\u{649}", "\u{64A}": result += "\u{6CC}"
      // Joiners, and the line that only makes a word wider.
      case "\u{200C}", "\u{200D}", "\u{640}": continue
      default:
        switch scalar.properties.generalCategory {
        case .nonspacingMark where !isVowel(scalar): continue
        default: result.unicodeScalars.append(DigitSystem.folded(scalar))
        }
      }
    }
    return result
  }

  /// Marks of Indic scripts and Thai are vowels, without which words are others.
  private static func isVowel(_ scalar: Unicode.Scalar) -> Bool {
    (0x0900...0x0E7F).contains(scalar.value)
  }
}

/// The letters with marks that are letters of their own in a language.
package enum MarkedLetters {
  /// Languages in which a letter with a mark is another letter, and the letters.
  private static let own: [String: Set<Character>] = [
    "sv": ["å", "ä", "ö"], "fi": ["å", "ä", "ö"], "da": ["å", "æ", "ø"], "nb": ["å", "æ", "ø"],
    "nn": ["å", "æ", "ø"], "no": ["å", "æ", "ø"], "et": ["õ", "ä", "ö", "ü"], "es": ["ñ"],
    "tr": ["ı", "ö", "ü", "ş", "ç", "ğ"], "is": ["á", "é", "í", "ó", "ú", "ý", "þ", "æ", "ö", "ð"],
    "pl": ["ł"],
  ]

  /// Returns whether a word of a page may be meant by a word of a query, where both have one folded
  /// form.
  ///
  /// A query without marks finds words with marks, except those that are letters of their own. A query
  /// with marks finds words with the same marks, and those of readings that left them out.
  package static func agree(query: String, word: String, language: String?) -> Bool {
    guard !query.utf8.allSatisfy({ $0 < 0x80 }) || !word.utf8.allSatisfy({ $0 < 0x80 }) else {
      return true
    }
    let tag = language?.split(whereSeparator: { $0 == "-" || $0 == "," }).first.map(String.init)
    let letters = tag.flatMap { own[$0] } ?? []
    guard !letters.isEmpty else { return true }
    func marked(_ text: String) -> [Character] {
      text.lowercased().precomposedStringWithCanonicalMapping.filter(letters.contains)
    }
    return marked(query) == marked(word)
  }
}
