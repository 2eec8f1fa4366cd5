import Foundation
import InkCore

/// The marks of Latin, Cyrillic and Greek letters, and letters that are composed of a letter and marks.
///
/// A character is composed by its canonical decomposition (Unicode Standard Annex 15): é is drawn as
/// e with an acute. The drawing of some differs from their code: the caron of ď is an apostrophe,
/// the cedilla of ņ is a comma, and the tonos of Ά is before the letter.
package struct MarkedLetters {
  /// A mark: its name in the file of marks, and its place at the letter.
  package enum Mark: String, CaseIterable {
    case acute, grave, circumflex, tilde, diaeresis, caron, breve, macron, ring
    case dotAbove = "dot-above"
    case doubleAcute = "double-acute"
    case hookAbove = "hook-above"
    case turnedCommaAbove = "turned-comma-above"
    case horn, apostrophe
    case dotBelow = "dot-below"
    case cedilla, ogonek
    case commaBelow = "comma-below"
    case tonosBefore = "tonos-before"

    /// The place of a mark.
    enum Place { case above, upperLeft, upperRight, below, rightFoot }

    var place: Place {
      switch self {
      case .acute, .grave, .circumflex, .tilde, .diaeresis, .caron, .breve, .macron, .ring,
        .dotAbove, .doubleAcute, .hookAbove, .turnedCommaAbove:
        .above
      case .tonosBefore: .upperLeft
      case .horn, .apostrophe: .upperRight
      case .dotBelow, .cedilla, .commaBelow: .below
      case .ogonek: .rightFoot
      }
    }

    /// The mark of a combining character; nil for others.
    init?(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x300: self = .grave
      case 0x301: self = .acute
      case 0x302: self = .circumflex
      case 0x303: self = .tilde
      case 0x304: self = .macron
      case 0x306: self = .breve
      case 0x307: self = .dotAbove
      case 0x308: self = .diaeresis
      case 0x309: self = .hookAbove
      case 0x30A: self = .ring
      case 0x30B: self = .doubleAcute
      case 0x30C: self = .caron
      case 0x31B: self = .horn
      case 0x323: self = .dotBelow
      case 0x326: self = .commaBelow
      case 0x327: self = .cedilla
      case 0x328: self = .ogonek
      default: return nil
      }
    }
  }

  /// The templates of each mark.
  private let templates: [String: [Prototype]]

  /// Makes the marks of templates by the names of ``Mark``.
  init(templates: [String: [Prototype]]) { self.templates = templates }

  /// Letters of Yoruba and Dutch without a code point of their own.
  private static let sequences = [
    "ẹ́", "ẹ̀", "ọ́", "ọ̀", "m̀", "m̄", "n̄", "Ẹ́", "Ẹ̀", "Ọ́", "Ọ̀", "M̀", "M̄", "N̄", "j́", "J́",
  ]
  /// Latin-1, Latin Extended-A and B, and Latin Extended Additional; monotonic Greek; Cyrillic.
  private static let blocks: [ClosedRange<UInt32>] = [
    0xC0...0x24F, 0x1E00...0x1EFF, 0x386...0x3CE, 0x400...0x45F,
  ]
  /// The gap between a letter and its mark, and between two marks.
  private static let gap = 8.0
  /// The height of a mark above, after which the next one begins.
  private static let height = 20.0

  /// Returns all characters that are a letter with known marks, and the dotless i.
  static let characters: [String] = {
    let single = blocks.joined().compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
    return ["ı"] + (single + sequences).filter { decomposed($0) != nil }
  }()

  /// Returns a character as a letter of ASCII, Greek or Cyrillic and marks, the nearest to the letter
  /// first; nil if it is none.
  package static func decomposed(_ character: String) -> (base: String, marks: [Mark])? {
    if character == "ı" { return ("i", []) }
    var scalars = Array(character.decomposedStringWithCanonicalMapping.unicodeScalars)[...]
    guard let base = scalars.popFirst(), base.properties.isAlphabetic,
      base.isASCII || (0x370...0x52F).contains(base.value), !scalars.isEmpty
    else { return nil }
    var marks: [Mark] = []
    for scalar in scalars {
      guard let mark = Mark(scalar) else { return nil }
      marks.append(drawn(mark, on: Character(base)))
    }
    return (String(Character(base)), marks)
  }

  /// Returns the mark that is drawn for one in the code.
  private static func drawn(_ mark: Mark, on base: Character) -> Mark {
    switch (mark, base) {
    case (.caron, "d"), (.caron, "t"), (.caron, "l"), (.caron, "L"): .apostrophe
    case (.cedilla, "g"): .turnedCommaAbove
    case (.cedilla, "k"), (.cedilla, "l"), (.cedilla, "n"), (.cedilla, "r"): .commaBelow
    case (.cedilla, "G"), (.cedilla, "K"), (.cedilla, "L"), (.cedilla, "N"), (.cedilla, "R"):
      .commaBelow
    case (.acute, "Α"..."Ω"): .tonosBefore
    default: mark
    }
  }

  /// Returns the forms of a character: each form of its letter with each template of its marks.
  ///
  /// - Parameter bases: The forms of the letters.
  func prototypes(of character: String, bases: [String: [Prototype]]) -> [Prototype] {
    guard let (base, marks) = Self.decomposed(character) else { return [] }
    let dropsDot = character == "ı" || marks.contains { $0.place == .above }
    var forms = (bases[base] ?? []).map { form -> Prototype in
      var form = form
      form.label = character
      if dropsDot, Self.dotted.contains(base) { form.strokes = Self.withoutDot(form.strokes) }
      return form
    }
    var above = 0
    for mark in marks {
      let templates = templates[mark.rawValue] ?? []
      let level = above
      forms = forms.flatMap { form in
        templates.map { Self.adding($0, mark.place, level: level, to: form) }
      }
      if mark.place == .above { above += 1 }
    }
    return forms
  }

  /// Letters with a dot that a mark above replaces; the last two are Cyrillic.
  static let dotted: Set = ["i", "j", "і", "ј"]

  /// Returns the strokes of i or j without the dot: a small stroke above the x-height.
  private static func withoutDot(_ strokes: [[Knot]]) -> [[Knot]] {
    let body = strokes.filter { stroke in stroke.contains { $0.y < 56 } }
    return body.isEmpty ? strokes : body
  }

  private static func adding(
    _ template: Prototype, _ place: Mark.Place, level: Int, to form: Prototype
  ) -> Prototype {
    var result = form
    var letter = form
    letter.strokes = Array(form.strokes.dropLast(form.marks))
    // A joining form reaches over its neighbours; the letter is between.
    var box = letter.box
    if form.joints != .none {
      box = BoundingBox(minX: 0, minY: box.minY, maxX: box.maxX - 14, maxY: box.maxY)
    }
    let x: Double
    let y: Double
    switch place {
    case .above:
      // The second mark is beside the top of the first, as tones of Vietnamese are.
      x = box.midX + (level > 0 ? 10 : 2)
      y = box.maxY + gap + Double(level) * (height - 6)
    case .upperLeft: (x, y) = (box.minX, box.maxY)
    case .upperRight: (x, y) = (box.maxX + 2, box.maxY)
    case .below: (x, y) = (box.midX, min(0, box.minY))
    case .rightFoot: (x, y) = (box.maxX - 4, min(0, box.minY))
    }
    result.strokes += template.strokes.map { stroke in
      stroke.map { Knot($0.x + x, $0.y + y, isCorner: $0.isCorner) }
    }
    result.marks += template.strokes.count
    result.weight *= template.weight
    return result
  }
}
