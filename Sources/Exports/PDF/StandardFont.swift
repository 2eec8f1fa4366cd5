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

  /// The name among the resources of a page.
  var resourceName: String { "S" + name.filter(\.isLetter) }

  static func < (left: StandardFont, right: StandardFont) -> Bool { left.name < right.name }
}
