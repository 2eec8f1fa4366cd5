import Foundation

extension RenderedText {
  /// Returns the text with the colours and weights of a terminal. O(n).
  ///
  /// Heavy and large text is bold, light and small text faint; hues are 24-bit colours, opacities
  /// greys. Links are those of OSC 8. Control characters of the text are replaced, so that a text
  /// cannot change the terminal. An animated text is shown still.
  public func ansi() -> String {
    let units = Array(text.utf16)
    var result = ""
    var known: [Int: String] = [:]
    for run in still {
      let codes = known[run.styleNumber] ?? Self.codes(of: run).joined(separator: ";")
      known[run.styleNumber] = codes
      let link = run.link.flatMap(Markup.safe)
      if let link { result += "\u{1B}]8;;\(link)\u{1B}\\" }
      if !codes.isEmpty { result += "\u{1B}[\(codes)m" }
      if let attachment = run.attachment {
        Self.clean(
          Array("[\(attachment.name.isEmpty ? attachment.mimeType : attachment.name)]".utf16)[...],
          into: &result)
      } else {
        Self.clean(units[run.range], into: &result)
      }
      if !codes.isEmpty { result += "\u{1B}[0m" }
      if link != nil { result += "\u{1B}]8;;\u{1B}\\" }
    }
    return result
  }

  /// The parameters of SGR for a style.
  private static func codes(of run: StyleRun) -> [String] {
    let style = run.style
    var codes: [String] = []
    let growth = style.font.size - Double(max(run.base.size, 1))
    if style.font.weight >= .semibold || growth >= 2 {
      codes.append("1")
    } else if style.font.weight <= .thin || growth <= -3 {
      codes.append("2")
    }
    if style.font.isItalic { codes.append("3") }
    if style.isUnderlined { codes.append("4") }
    if style.isStruckThrough { codes.append("9") }
    if let shadow = style.shadow {
      let (red, green, blue) = shadow.color.rgb
      codes.append("38;2;\(red);\(green);\(blue)")
    } else if style.color.saturation > 0 {
      let (red, green, blue) = style.color.rgb
      codes.append("38;2;\(red);\(green);\(blue)")
    } else if style.color.alpha < 1 {
      // 24 greys from 232 to 255; the faintest is still seen on black.
      codes.append("38;5;\(236 + Int(19 * style.color.alpha))")
    }
    return codes
  }

  /// Appends units without control characters, except the ends of lines and tabs.
  private static func clean(_ units: ArraySlice<UInt16>, into result: inout String) {
    let safe = units.map { unit -> UInt16 in
      switch unit {
      case 0x09, 0x0A: unit
      case 0..<0x20: unit + 0x2400
      case 0x7F..<0xA0: 0xFFFD
      default: unit
      }
    }
    result += String(decoding: safe, as: UTF16.self)
  }
}
