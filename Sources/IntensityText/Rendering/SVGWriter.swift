extension RenderedText {
  /// Returns the text as a drawing with lines of a width, animated with CSS. O(n).
  ///
  /// - Parameters:
  ///   - width: The width in points, at least 1.
  ///   - sizes: The sizes of characters; the drawing stretches each run to its width by them.
  public func svg(width: Double, sizes: any GlyphSizes = DefaultGlyphSizes()) -> String {
    let layout = TextLayout(self, width: width, sizes: sizes)
    let units = Array(text.utf16)
    let size = "\(Markup.number(layout.width))\" height=\"\(Markup.number(layout.height))\""
    var result =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size) viewBox=\"0 0 "
      + "\(Markup.number(layout.width)) \(Markup.number(layout.height))\" xml:space=\"preserve\">\n"
    if let bottom, let layers {
      result +=
        "<style>@keyframes top{\(frames(layers.top))}@keyframes bottom{\(frames(layers.bottom))}</style>\n"
      result += group(bottom, "bottom", layers.bottom, layout, units)
      result += group(runs, "top", layers.top, layout, units)
    } else {
      result += pieces(runs, layout, units)
    }
    for (index, box) in layout.attachments.sorted(by: { $0.key < $1.key }) {
      result += picture(runs.first { $0.range.lowerBound == index }?.attachment, in: box)
    }
    return result + "</svg>\n"
  }

  private func frames(_ ends: (from: Double, to: Double)) -> String {
    "from{opacity:\(Markup.number(ends.from))}to{opacity:\(Markup.number(ends.to))}"
  }

  private func group(
    _ runs: [StyleRun], _ name: String, _ ends: (from: Double, to: Double), _ layout: TextLayout,
    _ units: [UInt16]
  ) -> String {
    var style = ""
    if ends.from != ends.to {
      style =
        " style=\"animation:\(name) \(Markup.number(animation.duration))s ease-in-out "
        + "\(Markup.number(-animation.offset))s infinite alternate\""
    } else if ends.from != 1 {
      style = " opacity=\"\(Markup.number(ends.from))\""
    }
    return "<g\(style)>\n\(pieces(runs, layout, units))</g>\n"
  }

  private func pieces(_ runs: [StyleRun], _ layout: TextLayout, _ units: [UInt16]) -> String {
    var result = ""
    var known: [Int: String] = [:]
    for piece in layout.pieces where runs[piece.run].attachment == nil {
      let run = runs[piece.run]
      let style = known[run.styleNumber] ?? attributes(run.style)
      known[run.styleNumber] = style
      var text = units[piece.range]
      while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
      guard !text.isEmpty else { continue }
      let baseline = layout.lines[piece.line].baseline
      result += "<text x=\"\(Markup.number(piece.x))\" y=\"\(Markup.number(baseline))\" "
      result += "textLength=\"\(Markup.number(piece.width))\" lengthAdjust=\"spacingAndGlyphs\" "
      result += style + ">"
      Markup.escape(text, into: &result)
      result += "</text>\n"
    }
    return result
  }

  private func attributes(_ style: TextStyle) -> String {
    var parts = [
      "font-family=\"sans-serif\" font-weight=\"\(style.font.weight.cssValue)\"",
      "font-size=\"\(Markup.number(style.font.size))\"",
    ]
    if style.font.isItalic { parts.append("font-style=\"italic\"") }
    let (red, green, blue) = style.color.rgb
    parts.append("fill=\"rgb(\(red),\(green),\(blue))\"")
    if style.color.alpha != 1 {
      parts.append("fill-opacity=\"\(Markup.number(style.color.alpha))\"")
    }
    let lines = [
      style.isUnderlined ? "underline" : nil, style.isStruckThrough ? "line-through" : nil,
    ].compactMap(\.self)
    if !lines.isEmpty { parts.append("text-decoration=\"\(lines.joined(separator: " "))\"") }
    if let shadow = style.shadow {
      parts.append(
        "style=\"text-shadow:0 0 \(Markup.number(shadow.radius))px \(Markup.css(shadow.color))\"")
    }
    return parts.joined(separator: " ")
  }

  private func picture(_ attachment: Attachment?, in box: TextBox) -> String {
    guard let attachment else { return "" }
    let place =
      "x=\"\(Markup.number(box.x))\" y=\"\(Markup.number(box.y))\" "
      + "width=\"\(Markup.number(box.width))\" height=\"\(Markup.number(box.height))\""
    guard case .image = attachment.kind, let content = attachment.content(fitting: box.width) else {
      return "<rect \(place) fill=\"none\" stroke=\"gray\"/>\n"
    }
    let source = Markup.escaped(Markup.source(content, mimeType: attachment.mimeType))
    return "<image \(place) href=\"\(source)\"/>\n"
  }
}
