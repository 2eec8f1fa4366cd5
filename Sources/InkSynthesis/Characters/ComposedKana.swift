import Foundation
import InkCore

/// Kana that are composed of another kana: with a voiced or semi-voiced mark, or small.
///
/// A voiced kana is composed by its canonical decomposition (Unicode Standard Annex 15): が is か with
/// a voiced mark at its upper right. Small kana are in the lower half of the box in lines, and at its
/// upper right in columns.
package struct ComposedKana {
  /// The templates of the marks, by `voiced` and `semivoiced`.
  private let templates: [String: [Prototype]]

  /// Makes the composer of the marks of a file of this package.
  ///
  /// - Throws: `DatasetFilesError` or ``PrototypeError`` if the file cannot be read.
  package init() throws { templates = try PrototypeLibrary.marks(in: "kana-marks.txt") }

  /// The small kana, and the kana that they are small forms of.
  package static let small: [(small: String, base: String)] = [
    ("ぁ", "あ"), ("ぃ", "い"), ("ぅ", "う"), ("ぇ", "え"), ("ぉ", "お"), ("っ", "つ"), ("ゃ", "や"),
    ("ゅ", "ゆ"), ("ょ", "よ"), ("ゎ", "わ"), ("ァ", "ア"), ("ィ", "イ"), ("ゥ", "ウ"), ("ェ", "エ"),
    ("ォ", "オ"), ("ッ", "ツ"), ("ャ", "ヤ"), ("ュ", "ユ"), ("ョ", "ヨ"), ("ヮ", "ワ"), ("ヵ", "カ"),
    ("ヶ", "ケ"),
  ]

  /// The voiced and semi-voiced kana with a code point of their own, that are in use.
  package static let voiced =
    "がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽゔガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポヴ"
    .map(String.init)

  /// Adds the kana that a library lacks and whose kana it has.
  package func extend(_ prototypes: inout [String: [Prototype]], labels: inout [String]) {
    for label in Self.voiced + Self.small.map(\.small) where prototypes[label] == nil {
      let forms = self.forms(of: label, bases: prototypes)
      guard !forms.isEmpty else { continue }
      labels.append(label)
      prototypes[label] = forms
    }
  }

  /// Returns the forms of a composed kana; none for other characters.
  func forms(of label: String, bases: [String: [Prototype]]) -> [Prototype] {
    if let base = Self.small.first(where: { $0.small == label })?.base {
      return (bases[base] ?? []).flatMap { Self.smallForms(of: $0, label: label) }
    }
    var scalars = Array(label.decomposedStringWithCanonicalMapping.unicodeScalars)
    guard scalars.count == 2, let mark = scalars.popLast(), let base = scalars.first,
      mark.value == 0x3099 || mark.value == 0x309A
    else { return [] }
    let marks = templates[mark.value == 0x3099 ? "voiced" : "semivoiced"] ?? []
    return (bases[String(Character(base))] ?? []).flatMap { form in
      marks.map { Self.adding($0, to: form, label: label) }
    }
  }

  /// The scale of small kana.
  private static let smallScale = 0.6

  private static func smallForms(of form: Prototype, label: String) -> [Prototype] {
    // In a line, with the lower edge a little above that of the box; in a column, at the upper right.
    [(x: 48.0, y: 36.0, weight: 3.0), (x: 62.0, y: 56.0, weight: 1.0)].map { place in
      var small = form
      small.label = label
      small.weight *= place.weight
      small.strokes = form.strokes.map { stroke in
        stroke.map {
          Knot(
            place.x + smallScale * ($0.x - 50), place.y + smallScale * ($0.y - 50),
            isCorner: $0.isCorner)
        }
      }
      return small
    }
  }

  /// Returns a kana that makes room for its mark.
  private static func adding(_ mark: Prototype, to form: Prototype, label: String) -> Prototype {
    var result = form
    result.label = label
    result.weight *= mark.weight
    result.strokes = form.strokes.map { stroke in
      stroke.map { Knot(0.92 * $0.x, 0.95 * $0.y, isCorner: $0.isCorner) }
    }
    result.strokes += mark.strokes.map { stroke in
      stroke.map { Knot($0.x + 88, $0.y + 84, isCorner: $0.isCorner) }
    }
    result.marks = mark.strokes.count
    return result
  }
}
