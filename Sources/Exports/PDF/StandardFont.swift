import InkEditor
import Typesetting

/// One of the fonts that every viewer of PDF has, chosen by the name of a font.
struct StandardFont: Hashable, Comparable {
  /// The sort of letters.
  enum Family: Int, Hashable {
    case sans, serif, mono

    /// The name that programs of fonts know.
    var genericName: String {
      switch self {
      case .sans: "sans-serif"
      case .serif: "serif"
      case .mono: "monospace"
      }
    }
  }

  let family: Family
  let isBold: Bool
  let isItalic: Bool

  /// Returns the name for programs that have many fonts: the one that was asked for, or the sort of
  /// letters.
  func familyName(_ asked: String) -> String { asked.isEmpty ? family.genericName : asked }

  /// Makes a font.
  init(family: Family, isBold: Bool, isItalic: Bool) {
    (self.family, self.isBold, self.isItalic) = (family, isBold, isItalic)
  }

  /// Chooses a font by words in a name, such as "Noto Serif Bold".
  init(_ name: String, isBold: Bool = false, isItalic: Bool = false) {
    let name = name.lowercased()
    func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
    let family: Family =
      if has("mono", "courier", "typewriter") {
        .mono
      } else if has("serif", "times", "roman", "georgia", "garamond"), !has("sans") {
        .serif
      } else {
        .sans
      }
    self.init(
      family: family, isBold: isBold || has("bold"),
      isItalic: isItalic || has("italic", "oblique"))
  }

  /// The name of the font in PDF.
  var name: String {
    switch (family, isBold, isItalic) {
    case (.sans, false, false): "Helvetica"
    case (.sans, true, false): "Helvetica-Bold"
    case (.sans, false, true): "Helvetica-Oblique"
    case (.sans, true, true): "Helvetica-BoldOblique"
    case (.serif, false, false): "Times-Roman"
    case (.serif, true, false): "Times-Bold"
    case (.serif, false, true): "Times-Italic"
    case (.serif, true, true): "Times-BoldItalic"
    case (.mono, false, false): "Courier"
    case (.mono, true, false): "Courier-Bold"
    case (.mono, false, true): "Courier-Oblique"
    case (.mono, true, true): "Courier-BoldOblique"
    }
  }

  /// Returns the factor that gives a text the width that it was set with; 1 if that is not known.
  func stretch(of text: DrawText) -> Double {
    guard let width = text.width, width > 0 else { return 1 }
    let own = self.width(of: text.text) * text.size
    return own > 0 ? min(max(width / own, Self.stretches.lowerBound), Self.stretches.upperBound) : 1
  }

  /// Beyond these, the width is not that of letters.
  private static let stretches = 0.2...5.0

  /// The width of a text as a share of the size.
  private func width(of text: String) -> Double {
    let letters = text.withoutControls
    switch family {
    case .mono: return 0.6 * Double(letters.count)
    case .sans, .serif:
      // The widths of Helvetica are those of Liberation Sans; Times is narrower.
      let glyphs = BundledFont().glyphs(of: letters, in: FontFace(isBold: isBold))
      let width = glyphs.reduce(0) { $0 + ($1?.advance ?? Self.box) }
      return family == .serif ? width * Self.serifShare : width
    }
  }

  /// The width of the box in place of a letter that the fonts lack.
  private static let box = 0.762
  /// The width of usual text in Times as a share of that in Helvetica.
  private static let serifShare = 0.89

  /// The name among the resources of a page.
  var resourceName: String { "S" + name.filter(\.isLetter) }

  static func < (left: StandardFont, right: StandardFont) -> Bool { left.name < right.name }
}
